"""What a class answered as slides to print or to save: each question, how the answers are spread, and what is right."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.lessons.lesson import Screen
from core.lessons.spread import BarGroup, answer_bars, with_truth
from core.lessons.words import read_answer, read_explanation
from core.topics.shared.truth import Truth
from pages.classroom.messages import class_outcome
from pages.classroom.printed.sheets import sheet
from pages.classroom.rooms import Room
from pages.classroom.states import TRUTH_SHOWN

FOLDER = "../../../print/"  # of the pages to print, from the address of the slides


@dataclass(frozen=True)
class Slide:
    """A question with the answers of a class, after what is right was shown.

    sentence: the text that it was asked about.
    right: the right answer, in words.
    outcome: how well the class did, in a sentence.
    """

    number: int
    screen: Screen
    sentence: str
    groups: tuple[BarGroup, ...]
    right: str
    outcome: str
    explanation: str


def slides_sheet(room: Room, truths: Mapping[int, Truth | str]) -> str:
    """Return the questions whose right answer the class has seen as a page, each on a sheet of its own.

    truths: the right answers by the number of the screen; a sentence instead if the text does not suit the screen.
    """
    slides = list(_slides(room, truths))
    return sheet("slides", "slides", room.plan.title, slides=slides, folder=FOLDER)


def _slides(room: Room, truths: Mapping[int, Truth | str]) -> Iterator[Slide]:
    made = (slide_of(room, number, truths[number]) for number in range(1, len(room.polls) + 1))
    return (slide for slide in made if slide)


def slide_of(room: Room, number: int, truth: Truth | str) -> Slide | None:
    """Return the slide of a question; None if the class has not seen what is right, or nobody has answered.

    number: of the question, from 1.
    truth: the right answer; a sentence instead if the text does not suit the question.
    """
    question, poll = room.question(number), room.polls[number - 1]
    screen, answers = question.screen, list(poll.latest.values())
    if isinstance(truth, str) or question.when or poll.state not in TRUTH_SHOWN or not answers:
        return None
    groups = answer_bars(screen, truth.labels, truth.rows, answers)
    return Slide(
        number,
        screen,
        question.sentence(room.texts[number - 1]),
        with_truth(screen, truth, groups),
        read_answer(screen, truth, truth.answer),
        class_outcome(room, number, truth)["class"],
        " ".join(read_explanation(screen, truth, None)),
    )
