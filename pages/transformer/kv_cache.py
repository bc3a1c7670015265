"""What is kept from token to token, and what it saves."""

from pages.ui.say import opening
from pages.ui.suited import suited

opening("What need not be computed again?")
if suited("kv-cache"):
    pass
