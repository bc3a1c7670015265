"""The page on which a learner prints their answers; its script fills it in from the browser's own storage."""

from core.lessons.inventory import HALVES, inventory
from core.lessons.lesson import lessons
from pages.classroom.printed.sheets import sheet


def report() -> str:
    """Return the page with every lesson hidden; report.js shows those that were answered."""
    known, concepts = list(lessons().values()), inventory().concepts
    return sheet("report", "report", "What you did", lessons=known, concepts=concepts, halves=HALVES)
