"""The concept inventory on paper, with and without its key."""

from core.lessons.inventory import LETTERS, Question, inventory
from pages.classroom.printed.html import Html, page, prose, tag

TITLES = {"A": "What do you know? Before", "B": "What do you know? After"}
FOR_LEARNERS = "Tick one answer for each question. If you do not know, guess. There are no marks for this."
FOR_TEACHERS = (
    "The seven questions of A and of B are about the same seven ideas in the same order, so the two can be compared. "
    "Below each wrong answer stands what somebody thinks who chooses it, and what is true instead."
)


def inventory_sheet(half: str, with_key: bool) -> Html:
    """Return one half of the inventory as a page.

    with_key: whether it says what is right, why, and which misconception leads to each wrong answer.
    """
    questions = [tag("li", *_question(question, with_key), class_="question") for question in inventory().half(half)]
    name = f"inventory-{half.lower()}" + ("-key" if with_key else "")
    title = TITLES[half] + (": the key" if with_key else "")
    above = [tag("p", FOR_TEACHERS)] if with_key else [tag("p", FOR_LEARNERS), _sign()]
    return page(name, title, *above, tag("ol", *questions))


def _sign() -> Html:
    words = "A word of your choice, the same before and after, instead of your name: "
    return tag("p", words, tag("span", class_="line short"))


def _question(question: Question, with_key: bool) -> list[Html]:
    options: list[Html] = []
    for index, option in enumerate(question.options):
        content: list[str] = [f"{LETTERS[index]})  ", prose(option.text)]
        right = index == question.right
        if with_key:
            label, sentence = ("Right: ", question.because) if right else ("Many think: ", option.misconception)
            content.append(tag("p", tag("strong", label), prose(sentence), class_="small"))
            if not right:
                content.append(tag("p", tag("strong", "In fact: "), prose(option.instead), class_="small"))
        options.append(tag("li", *content, class_="right" if right and with_key else "open"))
    return [tag("p", tag("strong", question.question)), tag("ul", *options, class_="key" if with_key else "boxes")]
