"""A text, written token by token."""

from pages.ui.say import opening
from pages.ui.suited import suited

opening("How does a model choose the next word?")
if suited("generate"):
    pass
