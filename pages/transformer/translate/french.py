"""Teacher forcing: the visitor's own French, token by token, beside what the model writes by itself."""

from collections.abc import Sequence

from core.explorer.generation.records import ScoredToken
from core.readings.translate import read_least_expected, read_surprisals
from pages.canvas import Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.translate.translation import Translation
from pages.widgets import AtRest, Cell, Listing, Markdown, Values


def show_french(text: Translation, values: Values) -> Shown:
    """The decoder's text of the frame, as the model scores it, and the free translation."""
    scored = queries.scored(text.run, queries.own_ids(text.run))
    free = queries.scored(text.run, text.ids)
    yours, own = ([each.surprisal for each in one] for one in (scored, free))
    worst = min(scored, key=lambda each: each.probability)
    vocabulary = text.run.config.vocab_size
    least = read_least_expected(
        worst.piece, worst.probability, worst.rank, vocabulary, worst.best, worst.best_probability
    )
    return Shown(
        lead="**Teacher forcing**: the decoder is given your translation, token by token, whatever it would have "
        "written, and says each time how likely your next token was. Running free, it goes on from its own tokens.",
        pictures=[
            AtRest("translate"),
            Markdown("**Your translation.** Write it in the box “Text of the decoder” above."),
            TokenButtons(
                _tokens(scored),
                key="translate-own-french",
                name="Your translation, token by token",
                caption="The stronger the colour, the less likely it was to the model. Dashed: the model would have "
                "written something else.",
            ),
            Markdown("**What the model writes by itself**"),
            TokenButtons(_tokens(free), key="translate-free-french", name="The model's translation, token by token"),
        ],
        takeaway=f"{read_surprisals(yours, own)} {least}",
        notes=[text.cut],
        formula=rf"\log_2 p(\text{{yours}}) = \sum_t \log_2 p(y_t \mid y_{{<t}}, x) \qquad = {-sum(yours):.2f}"
        rf"\qquad \log_2 p(\text{{model's}}) = {-sum(own):.2f}",
        table=_listing(scored),
        source=("core.explorer.generation.texts.score_text", "core.explorer.generation.records.ScoredToken"),
    )


def _tokens(scored: Sequence[ScoredToken]) -> list[Token]:
    return [
        Token(
            each.piece,
            f"chance {100 * each.probability:.3g} %, rank {each.rank}, the model would say {each.best}",
            1.0 - each.probability,
            new=True,
            forced=each.rank > 1,
        )
        for each in scored
    ]


def _listing(scored: Sequence[ScoredToken]) -> Listing:
    columns: dict[str, Sequence[Cell]] = {
        "token": [f"{n}:{each.piece}" for n, each in enumerate(scored)],
        "probability": [each.probability for each in scored],
        "rank": [each.rank for each in scored],
        "bits": [each.surprisal for each in scored],
        "the model would say": [each.best for each in scored],
        "with": [each.best_probability for each in scored],
    }
    return Listing("scored", columns, unfolded=True)
