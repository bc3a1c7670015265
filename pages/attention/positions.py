"""How a model can know where a token stands."""

from pages.ui.say import opening

opening("How does attention know the order of the words?")
