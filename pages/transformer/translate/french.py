"""The view of teacher forcing: the visitor's own French, token by token, beside the model's own translation."""

from dataclasses import replace

from core.checkpoints.languages import written_language
from core.topics.translate.readings import name_scored, read_least_expected, read_surprisals, write_surprisals
from core.topics.translate.scored import ScoredText
from core.topics.translate.translation import Translation
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import TARGET, Shown, View
from pages.transformer.translate.translation import note_cut
from pages.widgets import Listing, Markdown, Values

COLOUR_NOTE = (
    "The stronger the colour, the less likely it was to the model. Dashed: the model would have written something else."
)
WRITE_YOURS = f"Write yours behind “{TARGET.label}”, beside the text at the top."


def _show(text: Translation, values: Values) -> Shown:
    """Show the given translation as the model scores it, beside the translation that the model writes by itself."""
    run, title = _with_french(text)
    given_text, own_text = (ScoredText(queries.scored(run, ids)) for ids in (queries.own_ids(run), text.ids))
    language = written_language(run.model_name)
    worst, bits = given_text.least_expected, (given_text.surprisals, own_text.surprisals)
    return Shown(
        lead="Give the model a translation word by word, whatever it would have written itself, and ask each time how "
        "likely your next word was. This is **teacher forcing**. Running free, the model goes on from its own words.",
        pictures=[
            Markdown(title),
            _tokens(given_text, language, "translate-own-french", "The given translation, token by token", COLOUR_NOTE),
            Markdown("**What the model writes by itself**"),
            _tokens(own_text, language, "translate-free-french", "The model's translation, token by token"),
        ],
        takeaway=[
            *read_least_expected(worst.piece, worst.probability, worst.rank, worst.best, worst.best_probability),
            read_surprisals(*bits),
        ],
        notes=[note_cut(text)],
        formula=write_surprisals(*bits),
        table=[Listing("scored", given_text.table, unfolded=True), Listing("scored-own", own_text.table)],
        source=("core.topics.generate.texts.score_text", "core.topics.generate.records.ScoredToken"),
    )


def _with_french(text: Translation) -> tuple[Run, str]:
    """Return the run with the translation to score, and the heading above it.

    If the visitor has written none, it is a translation other than the model's own or, if there is no other, the
    model's own.
    """
    run = text.run
    if run.is_trained and run.target == queries.own_translation(run):
        if other_target := queries.other_translation(run, text.max_tokens):
            heading = f"**Another translation.** {WRITE_YOURS}"
            return replace(run, target=other_target), heading
        return run, f"**The model's own translation.** {WRITE_YOURS}"
    return run, "**Your translation**"


def _tokens(scored: ScoredText, language: str, key: str, name: str, caption: str = "") -> TokenButtons:
    tokens = [
        Token(
            token.piece,
            name_scored(token.probability, token.rank, token.best),
            1.0 - token.probability,
            new=True,
            forced=token.rank > 1,
        )
        for token in scored.tokens
    ]
    return TokenButtons(tokens, key=key, name=name, language=language, caption=caption, hue="chance")


VIEW = View("your French", _show, reads_target=True)
