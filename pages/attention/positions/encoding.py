"""The encoding that a visitor has chosen, and what it is in plain words."""

from collections.abc import Iterator

from core.explorer.positions.encodings import Encoding
from core.tracing.run import Run
from pages.attention.positions.settings import BASE, KIND, LENGTH, WIDTH
from pages.widgets import Control, Markdown, Values, control, head_of, place_controls

WAVES = ("sinusoidal", "rotary")
WORDS = {
    "none": "**No positions.** Nothing is added: every position has the same vector, of zeros.",
    "binary": "**Binary.** The position is written in zeros and ones, lowest digit first, and **added** to the token.",
    "sinusoidal": "**Sinusoidal.** Each pair of numbers is the sine and the cosine of a wave; each pair's wave is "
    "slower than the one before. The vector is **added** to the token (Vaswani et al. 2017).",
    "learned": "**Learned.** A table that training changes like any other weight, **added** to the token. It ends at "
    "the last position it has a row for.",
    "rotary": "**Rotary.** Nothing is added: each pair of numbers of a query or key is **turned** by an angle that "
    "grows with the position (Su et al. 2021).",
    "alibi": "**ALiBi.** Nothing is added to tokens: each **score** loses a little for each step between query and "
    "key. Each head has its own slope (Press et al. 2022).",
}
AS_TABLE = {"rotary": " Shown is the pair (1, 0), turned.", "alibi": " Shown is what is added to one head's scores."}
SOURCES = {
    "none": "core.model.transformer.build",
    "binary": "core.model.positions.binary",
    "sinusoidal": "core.model.positions.sinusoidal",
    "learned": "core.model.transformer.build",
    "rotary": "core.model.positions.rotate",
    "alibi": "core.model.positions.alibi_bias",
}


def encoding_controls(run: Run, values: Values) -> Iterator[Control]:
    """An encoding and its sizes, as a table of numbers."""
    return _controls(run, values, on_scores=False)


def scored_controls(run: Run, values: Values) -> Iterator[Control]:
    """The same for what encodings do to scores, where rotary needs no table of its own."""
    return _controls(run, values, on_scores=True)


def _controls(run: Run, values: Values, on_scores: bool) -> Iterator[Control]:
    yield control(KIND)
    yield control(LENGTH, width=260)
    if values[KIND] == "alibi":
        yield from place_controls(run, attention=False, layer=False)
    elif not (on_scores and values[KIND] == "rotary"):
        yield control(WIDTH, width=130)
    if values[KIND] in WAVES:
        yield control(BASE, format="%g", width=160)


def encoding_of(run: Run, values: Values, on_scores: bool = False) -> Encoding:
    """The encoding that the controls describe. on_scores: as `scored_controls` does."""
    kind = values[KIND]
    widthless = kind == "alibi" or (on_scores and kind == "rotary")
    return Encoding(
        kind,
        values[LENGTH],
        WIDTH.default if widthless else values[WIDTH],
        values[BASE] if kind in WAVES else BASE.default,
        run.config.seed,
        head_of(run, values) if kind == "alibi" else 0,
        run.config.heads,
    )


def about_encoding(kind: str, more: str = "") -> Markdown:
    """What an encoding is, below its controls."""
    return Markdown(WORDS[kind] + more)


def table_words(kind: str, more: str = "") -> Markdown:
    """The same, and what of it the table shows."""
    return about_encoding(kind, AS_TABLE.get(kind, "") + more)


def numbered(count: int) -> list[str]:
    """Labels of positions or dimensions."""
    return [str(number) for number in range(count)]
