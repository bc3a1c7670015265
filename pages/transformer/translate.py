"""A translation, token by token."""

from pages.ui.say import opening
from pages.ui.suited import suited

opening("How does a sentence become another?")
if suited("translate"):
    pass
