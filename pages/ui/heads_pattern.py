"""One head's pattern, large: as a matrix, and as lines between tokens."""

from dataclasses import replace

import streamlit as st

from core.analysis.select import to_hide
from core.analysis.treatments import Side, Treated, Treatment, treat
from core.explorer.heads.records import Patterns
from core.explorer.shared.places import Place
from core.model.attention import attention
from core.readings.heads import read_row
from core.readings.treatments import name_treatment, read_treatment
from core.readings.words import head_label
from core.readings.patterns import read_masked_rows, read_pattern
from core.tracing.run import Run, TokenRow
from pages.canvas.lines.lines import TokenLines
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui import cache
from pages.ui.choices import HIDE, LEAST, PIN, UNIT, WHOSE
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import ask


def show_matrix(run: Run, place: Place, vivid: bool) -> None:
    """The chosen head as a matrix, `vivid` with colours up to its largest weight; a click pins the row."""
    record = cache.patterns(run, replace(place, head=0))
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        treatment, pinned = _treatment(record), _pinned(record)
    treated = treat(record.pattern[place.head], side(record.queries), side(record.keys), treatment)
    row = None if pinned is None else side(record.queries).row_of(pinned, treatment.merge)

    def pin(_: str, clicked: int, column: int) -> None:
        _set_pin(None if clicked == row else side(record.queries).first_piece(clicked, treatment.merge))

    name = title(place)
    shape = f"{treated.pattern.shape[0]} queries × {treated.pattern.shape[1]} keys"
    panel = Panel(
        "pattern",
        f"{name}: {name_treatment(treated)}",
        treated.pattern,
        treated.queries,
        treated.keys,
        "queries",
        "keys",
        scale="weight",
        limit=float(treated.pattern.max()) or None if vivid else None,
        outlines=[] if row is None else [(row, None)],
    )
    Matrices([panel], key="heads-matrix", name=f"{name} pattern, {shape}", height=520, sets=pin).draw()
    _say(record, place, treated, row)
    _formula(record)
    st.page_link(
        "pages/attention/self_attention.py", label="Take this head apart, step by step", icon=":material/stairs:"
    )
    numbers("pattern", treated.pattern, treated.queries, treated.keys, "heads-pattern")
    code(attention, treat, key="heads-code-matrix")


def show_lines(run: Run, place: Place) -> None:
    """The chosen head, or all heads of its layer, as lines between two columns of tokens."""
    record = cache.patterns(run, replace(place, head=0))
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        everyone = ask(WHOSE) == "all heads"
        treatment, pinned = _treatment(record), _pinned(record)
    heads = range(run.config.heads) if everyone else [place.head]
    mine_at = place.head if everyone else 0
    kept = replace(treatment, least=0.0)  # the picture hides weak lines itself
    treated = treat(record.pattern[list(heads)], side(record.queries), side(record.keys), kept)
    row = None if pinned is None else side(record.queries).row_of(pinned, treatment.merge)

    def pin(clicked: int | None) -> None:
        _set_pin(None if clicked is None else side(record.queries).first_piece(clicked, treatment.merge))

    TokenLines(
        treated.pattern,
        treated.queries,
        treated.keys,
        key="heads-lines",
        name=f"{title(place)} lines",
        head_names=[f"head {head + 1}" for head in heads],
        threshold=treatment.least,
        pinned=row,
        sets_pin=pin,
        sets_threshold=_set_least,
        caption=f"{title(place) if not everyone else f'Layer {place.layer + 1}'}: {name_treatment(treated)}",
    ).draw()
    mine = replace(treated, whole=treated.whole[mine_at], pattern=treated.pattern[mine_at])
    _say(record, place, mine, row, title(place) if everyone else "")
    _formula(record)
    numbers("pattern", mine.pattern, treated.queries, treated.keys, "heads-pattern")
    code(attention, treat, key="heads-code-lines")


def side(row: TokenRow) -> Side:
    return Side(row.labels, row.words, row.word_labels)


def title(place: Place) -> str:
    """ "Layer 1 · head 2", and whether it is cross-attention."""
    return head_label(place.layer, place.head).capitalize() + (" · cross-attention" if place.cross else "")


def _treatment(record: Patterns) -> Treatment:
    with st.popover("Make it easier to read", icon=":material/tune:"):
        merge = ask(UNIT) == "words"
        groups = ask(HIDE)
        least = ask(LEAST, step=0.5, format="%g") / 100
    return Treatment(to_hide(groups, record.keys.pieces, record.keys.ids), merge, least)


def _pinned(record: Patterns) -> int | None:
    number = ask(PIN, width=150, placeholder="none")
    return number if number is not None and number < len(record.queries) else None


def _set_pin(piece: int | None) -> None:
    st.session_state[PIN.key] = piece


def _set_least(weight: float) -> None:
    st.session_state[LEAST.key] = round(100 * weight, 4)


def _say(record: Patterns, place: Place, treated: Treated, row: int | None, whose: str = "") -> None:
    pattern, shown = record.pattern[place.head], treated.pattern
    said = []
    if pattern.any() and not shown.any():
        said.append("Nothing is left to see: every weight is hidden.")
    else:
        said.append(read_pattern(treated.whole, treated.queries, treated.keys if place.cross else None))
    if row is not None:
        said.append(read_row(shown[row], treated.queries[row], treated.keys))
    for sentence in said:
        reading(f"{whose}: {sentence}" if whose else sentence)
    notes([*read_treatment(treated), read_masked_rows(pattern, record.queries.labels)])


def _formula(record: Patterns) -> None:
    queries, keys = record.pattern.shape[1:]
    formula(
        rf"\underset{{{queries} \times {keys}}}{{A}} = \mathrm{{softmax}}_{{\text{{keys}}}}"
        rf"\Big(\underset{{{queries} \times {keys}}}{{S}}\Big)"
    )
