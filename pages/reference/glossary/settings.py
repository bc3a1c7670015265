"""The settings that a visitor can change on the page Glossary."""

from core.lessons.glossary import BY_NAME
from pages.widgets import TERM_KEY, Setting

TERM = Setting(TERM_KEY, "Term", "selectbox", "query", "Type to find one.", tuple(BY_NAME))
SEARCH = Setting("glossary-find", "Find", "text", "", "A word, or a first letter")
SETTINGS = (TERM, SEARCH)
