"""The setting of the page Lessons."""

from pages.widgets import Setting

BEFORE_LESSONS, AFTER_LESSONS = "before the lessons", "after the lessons"
QUESTION_SET = Setting("lessons-when", "Questions", "pills", BEFORE_LESSONS, options=(BEFORE_LESSONS, AFTER_LESSONS))
HALF_OF = {BEFORE_LESSONS: "A", AFTER_LESSONS: "B"}  # the half of the inventory that is asked then
