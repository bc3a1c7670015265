"""The setting of the page Lessons."""

from pages.widgets import Setting

BEFORE, AFTER = "before the lessons", "after the lessons"
WHEN = Setting("lessons-when", "Questions", "pills", BEFORE, options=(BEFORE, AFTER))
HALF_OF = {BEFORE: "A", AFTER: "B"}  # the half of the inventory that is asked then
