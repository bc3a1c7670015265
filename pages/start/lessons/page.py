"""The page Lessons: the lessons in the order in which they are learned, with the answers so far."""

from pages.shell import Page
from pages.start.lessons import knowledge, overview
from pages.start.lessons.settings import QUESTION_SET

PAGE = Page(
    file=__file__,
    title="Lessons",
    address="lessons",
    icon=":material/school:",
    question="Where do I begin?",
    definition="A lesson asks before it shows: you guess, the picture is uncovered, and the model's own numbers tell "
    "how close you were. Each takes a few minutes, on a sentence of yours if you like.",
    introduction="What you answer stays in this browser. A teacher can open any lesson for a whole class.",
    views=(overview.VIEW, knowledge.VIEW),
    settings=(QUESTION_SET,),
    uses_model=False,
    reads_text=False,
    reads_target=False,
    reference=True,
)
