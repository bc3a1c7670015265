"""Ways to compare a query with a key, and why they are scaled."""

from pages.ui.say import opening

opening("Why divide by the square root of d_k?")
