"""The concept inventory on paper, with and without its key."""

from core.lessons.inventory import LETTERS, UNSURE_ANSWER, inventory
from pages.classroom.printed.sheets import sheet

TITLES = {"A": "What do you know? Questions A", "B": "What do you know? Questions B"}
KEY = "-key"  # the end of the names of pages with what is right


def inventory_sheet(half: str, with_key: bool) -> str:
    """Return one half of the inventory as a page.

    with_key: whether it gives the right answers with their reasons, and the misconception behind each wrong answer.
    """
    name = f"inventory-{half.lower()}" + (KEY if with_key else "")
    title = TITLES[half] + (": the key" if with_key else "")
    questions = inventory().half(half)
    by_luck = len(questions) / len(LETTERS)
    return sheet(
        "inventory",
        name,
        title,
        questions=questions,
        letters=LETTERS,
        with_key=with_key,
        unsure=UNSURE_ANSWER,
        by_luck=f"{by_luck:g}",
    )


def closed_sheet(name: str) -> str:
    """Return the page that stands in the place of a key for whoever leads no class."""
    half = name.removeprefix("inventory-").removesuffix(KEY).upper()
    return sheet("closed", name, f"{TITLES[half]}: the key")
