"""The concept inventory on paper, with and without its key."""

from core.lessons.inventory import LETTERS, inventory
from pages.classroom.printed.sheets import sheet

TITLES = {"A": "What do you know? Before", "B": "What do you know? After"}


def inventory_sheet(half: str, with_key: bool) -> str:
    """Return one half of the inventory as a page.

    with_key: whether it gives the right answers with their reasons, and the misconception behind each wrong answer.
    """
    name = f"inventory-{half.lower()}" + ("-key" if with_key else "")
    title = TITLES[half] + (": the key" if with_key else "")
    questions = inventory().half(half)
    return sheet("inventory", name, title, questions=questions, letters=LETTERS, with_key=with_key)
