"""The view of heads over many texts: all heads on two scores, and the texts with one head's strongest links."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.checkpoints.head_records import DECILES, STRONGEST, HeadRecord, score_range, scores_of
from core.text.labels import head_label, token_name
from core.topics.heads.charts.over_texts import (
    head_scatter_data,
    head_scatter_spec,
    score_histogram_data,
    score_histogram_spec,
)
from core.topics.heads.over_texts import Context, attention_name, contexts, mean_scores, names_over_texts
from core.topics.heads.readings.names import name_kind
from core.topics.heads.readings.over_texts import (
    SCORE_NAMES,
    read_beside,
    read_context,
    read_names,
    read_opened,
    read_own_name,
    read_threshold,
    score_field,
)
from core.topics.heads.records import Patterns
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import ACROSS, CONTEXT, CONTEXTS, UP
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import (
    Caption,
    Chart,
    Columns,
    Control,
    Markdown,
    Message,
    Part,
    Table,
    Values,
    control,
    head_picked,
    place_controls,
    place_of,
    plain,
    spec,
)

LEAD = "One text can mislead: here each **head** is measured over many texts that the model was not trained on."
ORIGIN = "Sentences of Tatoeba (CC BY 2.0 FR) and passages of children's books, found once and read by the model now."
SOURCE = ("core.analysis.corpus_scores.corpus_scores", "core.topics.heads.over_texts.names_over_texts")


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    names = [SCORE_NAMES[score] for score in scores_of(attention_name(place_of(run, values)))]
    yield control(ACROSS, options=names, default=names[0], width=220)
    yield control(UP, options=names, default=names[-1], width=220)
    yield control(CONTEXTS)
    most = STRONGEST if values[CONTEXTS] == CONTEXTS.options[0] else DECILES
    yield control(CONTEXT, high=most, width=130)


def _show(run: Run, values: Values) -> Shown:
    """Show all heads on two scores, the distribution of the first for the chosen head, and its contexts."""
    try:
        record = queries.head_record(run)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))], source=SOURCE)
    if record is None:
        return Shown(lead=LEAD, pictures=[Message(plain(queries.why_no_record(run)))], source=SOURCE)
    place = place_of(run, values)
    attention = attention_name(place)
    found = record.attentions[attention]
    scores = core_call(mean_scores, found, attention)
    named = core_call(names_over_texts, found, attention)
    across, up = (_chosen_score(values[setting], attention, end) for setting, end in ((ACROSS, 0), (UP, -1)))
    labels = {(head.layer, head.head): name_kind(head.kind) for head in named}
    own = next((head.kind for head in named if (head.layer, head.head) == (place.layer, place.head)), "")
    counts = found.counts[scores_of(attention).index(across), place.layer, place.head]
    histogram = Chart(
        score_histogram_data(counts, score_range(across)),
        spec(score_histogram_spec, SCORE_NAMES[across], head_label(place.layer, place.head)),
        "heads-over-texts-histogram",
        f"{SCORE_NAMES[across]} from text to text",
    )
    rows, opened = _contexts(run, values, record, place)
    kinds, own_name = list(scores), [read_own_name(own, place.layer, place.head, record.read)]
    return Shown(
        lead=LEAD,
        click="Click a point to choose its head, and a text below to open it.",
        pictures=[Columns([[_scatter(scores, across, up, labels, place)], [histogram]], (3, 2)), *rows],
        takeaway=[
            *(own_name if own else []),
            read_names(named, found.text[..., 0].size, record.read),
            *([] if own else own_name),
            _beside(run, record, place, own or across),
            *opened,
        ],
        about=read_threshold(),
        table=[
            _head_table(run, record, place),
            Table(
                "heads over texts",
                np.stack([scores[kind].filled(np.nan).ravel() for kind in kinds], 1),
                [head_label(*where) for where in np.ndindex(found.text.shape[:2])],
                [SCORE_NAMES[kind] for kind in kinds],
                corner="head",
            ),
        ],
        source=SOURCE,
    )


def _chosen_score(name: str, attention: str, end: int) -> str:
    """Return the score with a name; the first or the last of the attention's scores if it has no such score."""
    score, offered = score_field(name), scores_of(attention)
    return score if score in offered else offered[end]


def _scatter(
    scores: Mapping[str, np.ma.MaskedArray],
    across: str,
    up: str,
    labels: Mapping[tuple[int, int], str],
    place: HeadAddress,
) -> Part:
    """Show every head as a point; a click chooses it."""
    heads = list(np.ndindex(scores[across].shape))
    data = head_scatter_data(
        scores[across].filled(np.nan).ravel(),
        scores[up].filled(np.nan).ravel(),
        [head_label(*where) for where in heads],
        [labels.get(where, "") for where in heads],
        heads.index((place.layer, place.head)),
    )
    return Chart(
        data,
        spec(head_scatter_spec, SCORE_NAMES[across], SCORE_NAMES[up]),
        "heads-over-texts",
        "all heads over many texts",
        lambda index: head_picked(*heads[index]),
    )


def _head_table(run: Run, record: HeadRecord, place: HeadAddress) -> Table:
    """Return every score of the chosen head on the run's text and over all texts, and the number of these texts."""
    attention, which = attention_name(place), (place.layer, place.head)
    found, here = record.attentions[attention], queries.text_scores(run, place.of_stack)
    over = core_call(mean_scores, found, attention)
    texts = found.counts[:, place.layer, place.head].sum(-1)
    kinds = scores_of(attention)
    means = [[np.ma.filled(scores[kind][which], np.nan) for kind in kinds] for scores in (here, over)]
    columns = ("on this text", "over many texts", "texts that have it")
    values = np.array([*means, texts], dtype=np.float64).T
    return Table("head here and over texts", values, [SCORE_NAMES[kind] for kind in kinds], columns, corner="score")


def _beside(run: Run, record: HeadRecord, place: HeadAddress, score: str) -> str:
    attention, which = attention_name(place), (place.layer, place.head)
    here = queries.text_scores(run, place.of_stack)[score][which]
    found = record.attentions[attention]
    over = core_call(mean_scores, found, attention)[score][which]
    texts = int(found.counts[scores_of(attention).index(score), *which].sum())
    on_text, on_texts = (None if np.ma.is_masked(value) else float(value) for value in (here, over))
    return read_beside(score, place.layer, place.head, on_text, on_texts, texts)


def _contexts(run: Run, values: Values, record: HeadRecord, place: HeadAddress) -> tuple[list[Part], list[str]]:
    """Show the chosen head's contexts, each read by the model now, and the pattern of the opened one."""
    strongest = values[CONTEXTS] == CONTEXTS.options[0]
    listed = core_call(contexts, record, place, strongest)
    if not listed:
        return [Message("No text has a link of this head.")], []
    live = [queries.context_pattern(run, place.of_layer, context) for context in listed]
    chosen = min(int(values[CONTEXT] or 1), len(listed)) - 1
    rows: list[Part] = [
        _row(context, pattern, place.head, index, index == chosen)
        for index, (context, pattern) in enumerate(zip(listed, live, strict=True))
    ]
    context, pattern = listed[chosen], live[chosen]
    query, key, weight = _link(context, pattern, place.head)
    panel = Panel(
        "context",
        f"{head_label(place.layer, place.head)} on text {chosen + 1}",
        pattern.drawn(place.head),
        pattern.rows,
        pattern.keys.labels,
        "queries",
        "keys",
        scale="weight",
        selected=(context.query, context.key),
    )
    matrix = Matrices([panel], key="heads-over-texts-pattern", name="pattern on the opened text", height=520)
    head = "Texts with its strongest links" if strongest else "One text of each tenth, from its weakest links up"
    caption = Caption(f"{ORIGIN} The darker a token, the more weight it gets from the query.")
    parts = [Markdown(head), Columns([[*rows, caption], [matrix]])]
    return parts, [read_opened(query, key, weight, context.weight)]


def _link(context: Context, pattern: Patterns, head: int) -> tuple[str, str, float]:
    """Return the names of a context's query and key, and the weight between them as computed now."""
    query = token_name(pattern.queries.labels, context.query)
    key = token_name(pattern.keys.labels, context.key)
    return query, key, float(pattern.pattern[head, context.query, context.key])


def _row(context: Context, pattern: Patterns, head: int, index: int, opened: bool) -> TokenButtons:
    """Return a context with its tokens shaded by the weights of its query; a click opens it."""
    weights: Sequence[float] = pattern.pattern[head, context.query].clip(0, 1).tolist()
    tokens = [Token(piece, shade=weight) for piece, weight in zip(pattern.keys.pieces, weights, strict=True)]
    caption = read_context(*_link(context, pattern, head))
    return TokenButtons(
        tokens,
        key=f"heads-over-texts-{index}",
        name=f"text {index + 1}" + (", opened" if opened else ""),
        selected=context.key,
        caption=f"{index + 1}. {caption}" + (" (opened)" if opened else ""),
        sets=lambda token: {CONTEXT.key: index + 1},
    )


VIEW = View("over many texts", _show, _controls)
