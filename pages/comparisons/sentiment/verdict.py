"""The view of the verdict, word by word, and of the verdicts of the other classifiers."""

from functools import partial
from typing import Any

from core.export.asked import GUESSES
from core.readings.words import percent, quoted
from core.topics.sentiment.charts import growing_data, growing_spec
from core.topics.sentiment.readings import name_verdict, read_growing, read_score
from core.topics.shared.labels import numbered_pieces
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.comparisons.sentiment import queries
from pages.comparisons.sentiment.parts import of_classifier
from pages.compute.cache import model_title
from pages.shell import MODEL, Shown, View
from pages.widgets import Button, Caption, Chart, Listing, Markdown, Part, Row, Values, plain, spec

LEAD = "A classifier reads a sentence and gives each of its classes a chance. Write on, and watch it change its mind."


@of_classifier
def _show(run: Run, values: Values) -> Shown:
    """Show the verdict on the first word, on the first two, and so on."""
    verdict = queries.growing_verdict(run)
    words, positive = numbered_pieces(verdict.words), verdict.labels[1]
    shares = [percent(float(probability)) for probability in verdict.probabilities]
    tokens = [
        Token(word, f"up to here {positive} {share}", float(probability), under=share)
        for word, probability, share in zip(verdict.words, verdict.probabilities, shares, strict=True)
    ]
    card = queries.about_classifier(run).card
    score = read_score(card.scores)
    learnt = f"**{plain(card.title)}.** {plain(card.limits)}"
    if not run.is_made_elsewhere:
        learnt += f" Trained on: {plain(card.data[-1]['text'])}."
    return Shown(
        lead=LEAD,
        pictures=[
            Markdown(f"### {plain(name_verdict(verdict.labels, float(verdict.probabilities[-1])))}"),
            TokenButtons(
                tokens, key="sentiment-words", name="The words, and the chance after each", hue="chance", lines=2
            ),
            *_others(run),
            Chart(
                growing_data(words, verdict.probabilities),
                spec(growing_spec, positive),
                "sentiment-growing",
                "verdict word by word",
            ),
        ],
        takeaway=read_growing(verdict.labels, words, verdict.probabilities),
        notes=[verdict.note],
        formula=queries.verdict_formula(run),
        about=[
            f"{learnt} {plain(score)}".rstrip(),
            "Each bar is a run of its own, of the words so far: the encoder sees nothing of what comes later. Small "
            "numbers and shades below the words are the same chances.",
        ],
        table=Listing(
            "verdict word by word",
            {
                "up to": list(words),
                positive: verdict.probabilities.round(6).tolist(),
                "logit difference": verdict.margins.round(4).tolist(),
            },
        ),
        source=("core.topics.sentiment.growing.growing_verdict", "core.topics.sentiment.judging.margin"),
    )


def _others(run: Run) -> list[Part]:
    """Return the verdict of each other classifier, and a button that chooses it."""
    rows: list[Part] = []
    for name, verdict in queries.other_verdicts(run).items():
        said = name_verdict(verdict.labels, float(verdict.probabilities[-1]))
        sentence = f"{plain(quoted(model_title(name)))} says: {plain(said)}"
        choose = Button(
            "Choose it", f"sentiment-choose-{name}", partial(_chosen, name), ":material/school:", whole=True
        )
        rows.append(Row([Caption(sentence), choose]))
    return rows


def _chosen(name: str) -> dict[str, Any]:
    return {MODEL.key: name}


VIEW = View("verdict", _show, export=GUESSES)
