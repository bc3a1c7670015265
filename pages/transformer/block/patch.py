"""The view of activation patching: one token's stream is taken from another text, to find where the answer turns."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from core.limits import PATCHED_TOKENS, SENTENCE_CHARACTERS
from core.readings.words import plural
from core.text.labels import token_name
from core.topics.block.charts.paired_bars import paired_bars_data, paired_bars_spec
from core.topics.block.counterparts import TURNING, TurningPair
from core.topics.block.pairs import TextPair
from core.topics.block.patching import Ends, patch_order
from core.topics.block.readings import changes as say
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.compute.cache import check
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.shell.settings import TARGET, TEXT
from pages.transformer.block import queries
from pages.transformer.block.parts import block_controls, stack_of, token_at, token_control
from pages.transformer.block.settings import COMPUTE_REST, OTHER_TEXT, PATCHED_LAYER, PATCHED_TOKEN
from pages.widgets import (
    Button,
    Caption,
    Chart,
    Columns,
    Control,
    JobSwitch,
    Message,
    Part,
    Row,
    Table,
    Values,
    control,
    plain,
    spec,
    visit_job,
)

NO_PARTNER = "This token has no partner in the other text, so there is nothing to put in its place."
FIRST_SECONDS = 0.8  # seconds until the beginning of a map is drawn
# Seconds: a map that takes no longer is waited for, on a busy machine for longer.
SHORT_SECONDS, WAIT_SECONDS = 1.0, 10.0
Where = tuple[Run, str, str, int]  # a short run, the other text, the stack, and the token that is looked at
RUNS = ("your text", "patched", "the other text")
LEAD = (
    "**Activation patching**: your text runs through the model, but one token's vector is taken from the run of the "
    "other text. Each cell is such a run. 0: the answer stays that of your text; 1: it is that of the other."
)
ABOUT = (
    "A row is a token, a column says after how many layers its vector was replaced; everything later is computed "
    "anew. A bright cell says that what decides the answer stands in this vector, and that it was enough. After the "
    "last layer only the vector counts that the answer is read from."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(
        OTHER_TEXT, width=560, max_chars=SENTENCE_CHARACTERS, live=False, placeholder=_found_text(run, values)
    )
    yield from block_controls(run, values, layer=False)
    if _own_answer(run, queries.last_step(run).kind(run)):
        yield token_control(run, values)
    tokens = len(check(queries.short(run))[stack_of(run, values)])
    yield control(PATCHED_TOKEN, "below", high=tokens - 1, width=190, placeholder="found here")
    yield control(
        PATCHED_LAYER, "below", high=run.config.depth(stack_of(run, values)), width=160, placeholder="found here"
    )


def _show(run: Run, values: Values) -> Shown:
    """Show the map of the patched answers, and the answers of the opened cell."""
    stack, short = stack_of(run, values), queries.short(run)
    written = (values[OTHER_TEXT] or "").strip()[:SENTENCE_CHARACTERS] or _found_text(run, values)
    text, examples = run.format.in_case(written), _examples(run)
    if not text or text == run.text:
        return Shown([*examples, Message("Write another text to compare with: one that differs in a word, say.")], LEAD)
    kind = queries.last_step(run).kind(run)
    token = _answer_token(run, values)
    try:
        pair = queries.pair(short, text, stack, token)
    except ValueError as mistake:
        return Shown([*examples, Message(plain(str(mistake)))], LEAD)
    ends = queries.ends(short, text, stack, token)
    if ends.nothing:
        return Shown(
            [*examples, Message("The two texts have the same answer, to the last digit: nothing can turn.")], LEAD
        )
    where, on = (short, text, stack, token), bool(values[COMPUTE_REST])
    changes, probability, left, on = _so_far(pair, where, on)
    patched_token, after = _opened(changes, values)
    sentences = [say.read_ends(ends.names, ends.probabilities, ends.alike)] if ends.names else []
    name = token_name(pair.labels, patched_token)
    return Shown(
        lead=LEAD,
        pictures=[
            *([_going_on(pair, left, on)] if left else []),
            *_beside(
                _map(pair, changes, patched_token, after, left),
                _bars(where, after, patched_token, name, bool(ends.names)),
            ),
            *examples,
        ],
        takeaway=[
            *([] if left else say.read_patches(pair.labels, changes, ends.names)),
            *sentences,
            *_cell_words(name, after, changes[patched_token, after]),
        ],
        notes=_notes(run, short, pair, kind),
        formula=say.write_turn(bool(ends.names)),
        about=ABOUT,
        table=_tables(pair, changes, ends, probability),
        source=(
            "core.topics.block.patching.patch_rows",
            "core.topics.block.patching.rest_of_run",
            "core.topics.block.pairs.matched",
        ),
    )


def _so_far(pair: TextPair, where: Where, on: bool) -> tuple[np.ndarray, np.ndarray, int, bool]:
    """Return the changes (L, N + 1), the chances (L, N + 1), the number of tokens left, and whether more will come.

    Numbers that are not computed yet are NaN. The beginning of the map is waited for, or all of it if it takes only a
    moment; the rest is computed in the background while `on` is true.
    """
    job = visit_job("block-patch", where, lambda: Job(partial(queries.patched, *where)))
    begun, soon = job.look(), queries.patch_seconds(where[0], where[2]) < SHORT_SECONDS
    if on or soon or not begun:
        job.go_on()
    rows = job.look(WAIT_SECONDS if soon else 0 if begun else FIRST_SECONDS) or {}
    if rows and not on:
        job.cancel()
    changes, probability = np.full((2, len(pair.labels), pair.layers + 1), np.nan)
    for token, row in rows.items():
        changes[token], probability[token] = row.turn, row.probability
    return changes, probability, sum(token not in rows for token in patch_order(pair)), on or job.running


def _going_on(pair: TextPair, left: int, on: bool) -> JobSwitch:
    """Return the switch that shows how much of the map is computed."""
    count = len(patch_order(pair))
    return JobSwitch("block-patch", count - left, count, "tokens", COMPUTE_REST, on)


def _model(run: Run) -> str:
    return run.model_name


def _answer_token(run: Run, values: Values) -> int:
    """Return the selected token if the answer is read at that token, otherwise 0.

    It is one of the first PATCHED_TOKENS tokens.
    """
    at_token = _own_answer(queries.short(run), queries.last_step(run).kind(run))
    return min(token_at(run, values), PATCHED_TOKENS - 1) if at_token else 0


def _found_text(run: Run, values: Values) -> str:
    """Return the text to compare with if the visitor has written none."""
    return queries.telling_counterpart(queries.short(run), stack_of(run, values), _answer_token(run, values))


def _own_answer(run: Run, kind: str) -> bool:
    """Return whether the answer is read at the selected token."""
    return not kind or (kind == "hidden piece" and run.format.special.mask not in check(run)["encoder"].ids)


def _examples(run: Run) -> list[Part]:
    """Return buttons for pairs of texts that turn this model's answer; empty if there are none."""
    buttons = [
        Button(pair.name, f"block-pair-{number}", partial(_take, pair), ":material/format_quote:", whole=True)
        for number, pair in enumerate(TURNING.get(_model(run), ()))
    ]
    return [Row(buttons)] if buttons else []


def _take(pair: TurningPair) -> dict[str, object]:
    texts = {TEXT.key: pair.text, OTHER_TEXT.key: pair.other, TARGET.key: pair.target}
    return {**texts, PATCHED_LAYER.key: None, PATCHED_TOKEN.key: None}


def _opened(changes: np.ndarray, values: Values) -> tuple[int, int]:
    """Return the selected cell of the map: its token and its number of layers.

    A coordinate that the visitor has not chosen is that of the cell that turns most among those between two layers.
    """
    tokens, columns = changes.shape
    inner = np.nan_to_num(changes[:, 1 : columns - 1] if columns > 2 else changes, nan=-np.inf)
    best, column = np.unravel_index(int(inner.argmax()), inner.shape)
    chosen, layer = values[PATCHED_TOKEN], values[PATCHED_LAYER]
    token = int(best) if chosen is None else min(int(chosen), tokens - 1)
    if layer is not None:
        return token, min(int(layer), columns - 1)
    return token, int(column) + (columns > 2)


def _map(pair: TextPair, changes: np.ndarray, patched_token: int, after: int, left: int) -> Matrices:
    panel = Panel(
        "turn",
        "How far does the answer turn?",
        np.nan_to_num(changes, nan=-np.inf, posinf=0.0),
        _rows(pair),
        ("in", *(str(layer) for layer in range(1, changes.shape[1]))),
        "token that is replaced",
        "after layer",
        limit=max(1.0, float(np.nanmax(np.abs(changes), initial=0.0))),
        selected=(patched_token, after),
        absent="not yet" if left else "no partner",
        unit="turn",
    )
    return Matrices([panel], key="block-patch", name="how far the answer turns", height=340, sets=_open)


def _rows(pair: TextPair) -> list[str]:
    """Return the tokens, each with its partner if that is another piece: "8:girl → boy"."""
    first, second = (inputs.rows[pair.stack].pieces for inputs in (pair.first, pair.second))
    partners = [None if index is None else second[index] for index in pair.partners]
    return [
        label if partner in (None, piece) else f"{label} → {partner}"
        for label, piece, partner in zip(pair.labels, first, partners, strict=False)
    ]


def _open(panel: str, row: int, column: int) -> dict[str, int]:
    return {PATCHED_TOKEN.key: row, PATCHED_LAYER.key: column}


def _beside(picture: Part, bars: Sequence[Part]) -> list[Part]:
    return [Columns([[picture], bars], widths=(2, 3))] if bars else [picture]


def _bars(where: Where, after: int, patched_token: int, name: str, answered: bool) -> list[Part]:
    """Show the likeliest answers of both texts, and of the patched run between them.

    Empty if the model gives no answer; a caption if the token has no partner.
    """
    cell = queries.cell(*where, after, patched_token)
    if cell is None:
        return [Caption(NO_PARTNER)] if answered else []
    title = f"The answer with another {name}"
    data = paired_bars_data(cell.names, RUNS, cell.probabilities)
    return [Chart(data, spec(paired_bars_spec, "What is answered?", RUNS), "block-patch-answers", title)]


def _cell_words(name: str, after: int, change: float) -> list[str]:
    return [] if np.isnan(change) else [*say.read_cell(name, after, float(change))]


def _notes(run: Run, short: Run, pair: TextPair, kind: str) -> list[str | None]:
    first, second = (len(inputs.rows[pair.stack]) for inputs in (pair.first, pair.second))
    pieces = pair.first.rows[pair.stack].pieces
    before = None
    if pair.several:
        row = pair.first.rows["decoder"].pieces[: pair.at + 1]
        before = f"The answer is the next piece after what the decoder has read: {' '.join(row)}"
    elif not kind or kind == "hidden piece":
        before = f"The answer is read at token {pair.at}: {pieces[pair.at]}." if pair.stack == "encoder" else None
    unlike = (
        f"The texts have {plural(first, 'token')} and {second:,}. They are matched from both ends; the rest has no "
        "partner."
    )
    cut = (short.text, short.target) != (run.text, run.target)
    return [
        before,
        f"Only the first {PATCHED_TOKENS} tokens of a text are read here: each cell is a run of its own."
        if cut
        else None,
        None if first == second else unlike,
        None if run.is_trained else say.UNTRAINED,
    ]


def _tables(pair: TextPair, changes: np.ndarray, ends: Ends, probabilities: np.ndarray) -> list[Table]:
    columns = ["in", *(f"after layer {layer}" for layer in range(1, changes.shape[1]))]
    tables = [Table("turn", changes, pair.labels, columns, corner="token")]
    if ends.names:
        tables.append(Table(f"chance of {ends.names[1]}", probabilities, pair.labels, columns, "token"))
        tables.append(Table("answers", ends.probabilities, ["your text", "the other"], ends.names, "of"))
    return tables


VIEW = View("patch", _show, _controls, reads_target=True)
