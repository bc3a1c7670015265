"""The view of sentences, written for this app, in which a negation turns the verdict."""

from collections.abc import Iterator, Mapping

from core.topics.sentiment.charts import negations_data, negations_spec
from core.topics.sentiment.negated import JudgedNegations
from core.topics.sentiment.readings import name_verdict, read_negations, read_others_right, read_single_negations
from core.tracing.run import Run
from pages.comparisons.sentiment import queries
from pages.comparisons.sentiment.parts import SOURCE
from pages.comparisons.sentiment.settings import SENTENCE
from pages.compute.cache import model_title
from pages.shell import TEXT, Shown, View
from pages.widgets import Button, Caption, Chart, Control, Listing, Message, Part, Row, Values, control, plain, spec

LEAD = (
    "*Not bad* is praise, and *not good* is none. Here are sixty sentences of our own in which a negation turns "
    "the verdict, all judged now by this classifier."
)
ABOUT = (
    "Half of them are praise and half are blame; most hold a word of the other kind. The sentences were written for "
    "this page and are in no training data. A model that goes by single words, whatever their order, does badly here."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the control for the opened sentence, if there are sentences for this classifier."""
    if not queries.why_no_negations(run):
        yield control(SENTENCE, width=160)


def _others(run: Run) -> dict[str, int]:
    """Return how many sentences every other classifier judges right, by its title."""
    runs = queries.other_runs(run)
    return {model_title(name): int(queries.judged_negations(other_run).right.sum()) for name, other_run in runs.items()}


def _show(run: Run, values: Values) -> Shown:
    """Show all sentences, right and wrong, and the chosen one."""
    if reason := queries.why_no_negations(run):
        return Shown(pictures=[Message(plain(reason))], source=SOURCE)
    judged, alone, others = queries.judged_negations(run), queries.single_negations(run), _others(run)
    headline, by_class = read_negations(judged.labels, judged.meant, judged.right)
    negative, positive = judged.labels
    chosen = values[SENTENCE]
    data = negations_data(
        judged.sentences,
        judged.meant,
        judged.probabilities,
        judged.right,
        judged.labels,
        chosen - 1 if chosen else None,
    )
    opened: list[Part] = []
    if chosen:
        text = judged.sentences[chosen - 1]
        caption = f"{plain(text)} — {plain(name_verdict(judged.labels, float(judged.probabilities[chosen - 1])))}"
        take = Button(
            "Take it as the text", "sentiment-take", lambda: {TEXT.key: text}, ":material/north_west:", whole=True
        )
        opened = [Row([Caption(caption), take])]
    return Shown(
        lead=LEAD,
        pictures=[
            Chart(
                data,
                spec(negations_spec, negative, positive),
                "sentiment-negations",
                "sentences with negations",
                lambda clicked: {SENTENCE.key: clicked + 1},
            ),
            *opened,
        ],
        takeaway=[
            headline,
            f"{by_class} {read_others_right(others)}".rstrip(),
            read_single_negations(judged.labels, alone),
        ],
        about=ABOUT,
        table=[_judged(judged), _alone(judged.labels, alone), _right(others)],
        source=("core.topics.sentiment.negated.judged_negations", "core.text.negations.negations"),
    )


def _judged(judged: JudgedNegations) -> Listing:
    """Return a list of all sentences and how they are judged."""
    return Listing(
        "negations",
        {
            "sentence": list(judged.sentences),
            "meant": [judged.labels[meant] for meant in judged.meant],
            judged.labels[1]: judged.probabilities.round(4).tolist(),
            "judged": ["right" if is_right else "wrong" for is_right in judged.right],
        },
        unfolded=True,
    )


def _alone(labels: tuple[str, ...], probabilities: Mapping[str, float]) -> Listing:
    """Return a list of the negations of one word, with the chance of each class.

    probabilities: the probability of the second class, by text.
    """
    positive = list(probabilities.values())
    chances = {labels[0]: [1 - chance for chance in positive], labels[1]: positive}
    return Listing("single negations", {"text": list(probabilities), **chances})


def _right(counts: Mapping[str, int]) -> Listing:
    """Return a list of the other classifiers, and how many sentences each judges right."""
    return Listing("other classifiers", {"classifier": list(counts), "judged right": list(counts.values())})


VIEW = View("negations", _show, _controls, reads_text=False)
