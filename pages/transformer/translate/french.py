"""Teacher forcing: the visitor's own French, token by token, beside what the model writes by itself."""

from core.explorer.translate.scored import ScoredText
from core.explorer.translate.translation import Translation
from core.readings.translate import read_least_expected, read_surprisals, write_surprisals
from pages.canvas import Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.widgets import Listing, Markdown, Values

STRONGER = (
    "The stronger the colour, the less likely it was to the model. Dashed: the model would have written something else."
)


def show_french(text: Translation, values: Values) -> Shown:
    """The decoder's text of the frame, as the model scores it, and the free translation."""
    run = text.run
    yours, own = (ScoredText(queries.scored(run, ids)) for ids in (queries.own_ids(run), text.ids))
    worst, bits = yours.least_expected, (yours.surprisals, own.surprisals)
    rank, best = (worst.rank, run.config.vocab_size), (worst.best, worst.best_probability)
    return Shown(
        lead="**Teacher forcing**: the decoder is given your translation, token by token, whatever it would have "
        "written, and says each time how likely your next token was. Running free, it goes on from its own tokens.",
        pictures=[
            Markdown("**Your translation.** Write it in the box “Text of the decoder” above."),
            _tokens(yours, "translate-own-french", "Your translation, token by token", STRONGER),
            Markdown("**What the model writes by itself**"),
            _tokens(own, "translate-free-french", "The model's translation, token by token"),
        ],
        takeaway=f"{read_surprisals(*bits)} {read_least_expected(worst.piece, worst.probability, *rank, *best)}",
        notes=[text.cut],
        formula=write_surprisals(*bits),
        table=Listing("scored", yours.table, unfolded=True),
        source=("core.explorer.generation.texts.score_text", "core.explorer.generation.records.ScoredToken"),
    )


def _tokens(scored: ScoredText, key: str, name: str, caption: str = "") -> TokenButtons:
    tokens = [
        Token(each.piece, note, 1.0 - each.probability, new=True, forced=each.rank > 1)
        for each, note in zip(scored.tokens, scored.notes, strict=True)
    ]
    return TokenButtons(tokens, key=key, name=name, caption=caption, hue="chance")
