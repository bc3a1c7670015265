"""What a query may not look at, and what happens if it does."""

from pages.ui.say import opening

opening("Who may look at whom?")
