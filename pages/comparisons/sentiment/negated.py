"""The view of sentences, written for this app, in which a negation turns the verdict."""

from collections.abc import Iterator

from core.topics.sentiment.charts import negations_data, negations_spec
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
    return {model_title(name): int(queries.judged_negations(other).right.sum()) for name, other in runs.items()}


def _show(run: Run, values: Values) -> Shown:
    """Show all sentences, right and wrong, and the chosen one."""
    if reason := queries.why_no_negations(run):
        return Shown(pictures=[Message(plain(reason))], source=SOURCE)
    found = queries.judged_negations(run)
    negative, positive = found.labels
    data = negations_data(found.sentences, found.meant, found.probabilities, found.right, found.labels)
    chosen = values[SENTENCE]
    one: list[Part] = []
    if chosen:
        text = found.sentences[chosen - 1]
        said = f"{plain(text)} — {plain(name_verdict(found.labels, float(found.probabilities[chosen - 1])))}"
        take = Button(
            "Take it as the text", "sentiment-take", lambda: {TEXT.key: text}, ":material/north_west:", whole=True
        )
        one = [Row([Caption(said), take])]
    return Shown(
        lead=LEAD,
        pictures=[
            Chart(
                data,
                spec(negations_spec, negative, positive),
                "sentiment-negations",
                "sentences with negations",
                lambda at: {SENTENCE.key: at + 1},
            ),
            *one,
        ],
        takeaway=[
            f"{read_negations(found.labels, found.meant, found.right)} {read_others_right(_others(run))}".rstrip(),
            read_single_negations(found.labels, queries.single_negations(run)),
        ],
        about=ABOUT,
        table=Listing(
            "negations",
            {
                "sentence": list(found.sentences),
                "meant": [found.labels[each] for each in found.meant],
                positive: found.probabilities.round(4).tolist(),
                "judged": ["right" if each else "wrong" for each in found.right],
            },
            unfolded=True,
        ),
        source=("core.topics.sentiment.negated.judged_negations", "core.text.negations.negations"),
    )


VIEW = View("negations", _show, _controls, reads_text=False)
