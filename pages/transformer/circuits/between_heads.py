"""The view of the paths between heads: which earlier head a head reads, and what a word loses without that path."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from core.charts.head_paths import cut_scatter_data, cut_scatter_spec, head_graph_data, head_graph_spec
from core.readings.words import number
from core.topics.circuits.edges import ADDITIVE_SCORES, INPUTS
from core.topics.circuits.readings import between_heads as say
from core.topics.shared.rank_correlation import spearman
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.transformer.circuits import queries
from pages.transformer.circuits.path_subject import Place, WordPaths, place_of, word_paths
from pages.transformer.circuits.settings import AGAINST, EARLIER, INTO, LATER, WORD
from pages.transformer.circuits.subject import word_controls, words_row
from pages.widgets import (
    Caption,
    Chart,
    Columns,
    Control,
    JobButton,
    Message,
    Part,
    Table,
    Takeaway,
    Values,
    control,
    spec,
)

LEAD = (
    "A **head** makes its **queries**, **keys** and **values** from the **residual stream**, so also from what earlier "
    "heads wrote. Which of these paths does the word need?"
)
ABOUT = (
    "Lines: the paths whose cut changes the word most, by an estimate: the change of the queries, keys or values times "
    "the gradient there (attribution patching; Syed et al. 2023). The path that is looked at is really cut: the later "
    "head reads as if the earlier one had written nothing, and all that follows is computed again (path patching; "
    "Goldowsky-Dill et al. 2023).",
    "Shares are about direct paths, with the scale of norms held (Elhage et al. 2021): what an earlier head brings "
    "about through parts between the two is not in them. The shares of all parts of the model sum to 1.",
)
NO_PATHS = "No head of this model comes after another one: choose a model with two layers or more."
NO_WORDS = "This model writes no words: choose one that does, such as the storyteller or the translator."
SHARED_KEYS = "Heads that share keys and values lose such a path together."


def _controls(run: Run, values: Values) -> Iterator[Control]:
    if not queries.writes_words(run):
        return
    heads = len(run.config.stacks) * run.config.heads * run.config.depth(run.config.stacks[-1])
    yield from (each for each in word_controls(run, values) if each.setting in (WORD, AGAINST))
    yield control(INTO, "below", width=150)
    yield control(LATER, "below", high=heads - 1, width=120)
    yield control(EARLIER, "below", high=heads - 1, width=120)


def _show(run: Run, values: Values) -> Shown:
    """Show the strongest paths, what the later head of the chosen one reads, and the word without that path."""
    if not queries.writes_words(run):
        return Shown([Message(NO_WORDS)], LEAD)
    if run.config.score == "additive":
        return Shown([Message(ADDITIVE_SCORES)], LEAD)
    found = word_paths(run, values)
    if found is None:
        return Shown([Message(NO_PATHS)], LEAD)
    entry, later, earlier = found.chosen
    change = _cut(found)
    estimate, share = (float(numbers[found.chosen]) for numbers in (found.estimates, found.paths.shares))
    word, strongest = found.word, found.strongest[0]
    return Shown(
        lead=LEAD,
        click="Click a line.",
        pictures=[words_row(run, values), Columns([[_graph(found)], [_reads(found)]], widths=(1, 1)), _cut_all(found)],
        takeaway=[
            say.read_strongest(word.piece, found.name(strongest[1]), found.name(strongest[2]), INPUTS[strongest[0]]),
            say.read_path(found.name(later), found.name(earlier), INPUTS[entry], share),
            say.read_cut(word.piece, change, estimate, word.against_name),
        ],
        notes=[SHARED_KEYS if run.config.n_kv_heads < run.config.heads and entry else None],
        formula=say.write_shares(INPUTS[entry]),
        about=ABOUT,
        table=_tables(found, change),
        source=(
            "core.topics.circuits.edges.head_paths",
            "core.topics.circuits.cut_paths.estimated_cuts",
            "core.topics.circuits.cut_paths.cut_into",
        ),
    )


def _cut(found: WordPaths) -> float:
    """Return the real change of the word without the path that is looked at."""
    word, (entry, later, earlier) = found.word, found.chosen
    head = found.paths.heads[later]
    attention, ids = replace(head, head=0), word.attribution.candidates.ids
    cut = queries.cut_into(word.run, word.stack, word.attribution.token, ids, attention, INPUTS[entry])
    return float(word.compared(cut[head.head, earlier]))


def _graph(found: WordPaths) -> Chart:
    places = found.strongest
    heads = found.paths.heads
    across = [head.head + 1 + (found.word.run.config.heads if head.cross else 0) for head in heads]
    changes = np.array([found.estimates[place] for place in places])
    data = head_graph_data(
        np.array([across, [head.layer + 1 for head in heads]], dtype=float).T,
        [found.short(index) for index in range(len(heads))],
        [(later, earlier) for _, later, earlier in places],
        [say.INTO[INPUTS[entry]] for entry, _, _ in places],
        changes,
        [number(float(change)) for change in changes],
        places.index(found.chosen),
    )
    return Chart(
        data,
        spec(head_graph_spec),
        "circuits-paths",
        f"the paths that “{found.word.piece}” needs most",
        sets=lambda index: _picked(places[index]) if index < len(places) else {},
    )


def _picked(place: Place) -> dict[str, object]:
    return {INTO.key: INPUTS[place[0]], LATER.key: place[1], EARLIER.key: place[2]}


def _reads(found: WordPaths) -> Matrices:
    """Return what the later head's queries, keys and values have from each earlier head."""
    _, later, _ = found.chosen
    heads = [head for head in found.paths.heads if found.exists[0, later, found.paths.heads.index(head)]]
    crossings = sorted({head.cross for head in heads})
    entries = range(3) if found.exists[1, later].any() else range(1)
    rows = max(head.layer for head in heads) + 1
    where = {(cross, head.layer, head.head): index for index, head in enumerate(heads) for cross in (head.cross,)}
    limit = max(float(np.abs(found.paths.shares[:, later]).max()), 1e-6)
    panels, sources = [], {}
    for entry in entries:
        for cross in crossings:
            values = np.zeros((rows, found.word.run.config.heads))
            for (crossing, layer, head), index in where.items():
                if crossing == cross:
                    values[layer, head] = found.paths.shares[entry, later, index]
            title = say.INTO[INPUTS[entry]] + (" from cross-attention" if cross else "")
            sources[title] = entry, cross
            at = found.paths.heads[found.chosen[2]]
            panels.append(
                Panel(
                    title,
                    f"{title} of {found.short(later)}",
                    values,
                    [f"layer {row + 1}" for row in range(rows)],
                    [f"head {col + 1}" for col in range(values.shape[1])],
                    limit=limit,
                    tint="qkv"[entry],
                    selected=(at.layer, at.head) if (entry, cross) == (found.chosen[0], at.cross) else None,
                    unit="share",
                )
            )

    def sets(panel: str, row: int, col: int) -> dict[str, object]:
        entry, cross = sources[panel]
        index = where.get((cross, row, col))
        return {} if index is None else _picked((entry, later, index))

    return Matrices(
        panels, key="circuits-reads", name=f"What {found.name(later)} reads from earlier heads", height=340, sets=sets
    )


def _cut_all(found: WordPaths) -> JobButton:
    """Return a button that cuts every path, above the estimates beside the real changes."""
    word = found.word
    where = word.run, word.stack, word.attribution.token, word.attribution.candidates.ids
    many = len(queries.cuts(word.run, word.stack))
    return JobButton(
        "circuits-cut-all",
        where,
        lambda: Job(partial(queries.cut_all, *where)),
        lambda done: (len(done) / many, f"{len(done)} of {many}: attentions, by queries, keys and values."),
        label="Cut every path",
        icon="content_cut",
        waiting="The first paths are being cut.",
        found=partial(_compared, found, many),
    )


def _compared(found: WordPaths, many: int, cuts: queries.Cuts | None) -> Sequence[Part]:
    if not cuts:
        return [Caption("The estimate takes one backward pass. Cutting every path, one by one, shows how true it is.")]
    truths = np.zeros_like(found.estimates)
    known = np.zeros(truths.shape, dtype=bool)
    heads = found.paths.heads
    for (attention, entry), numbers in cuts.items():
        first = heads.index(attention)
        rows, senders = slice(first, first + len(numbers)), slice(numbers.shape[1])
        truths[INPUTS.index(entry), rows, senders] = found.word.compared(numbers)
        known[INPUTS.index(entry), rows, senders] = True
    places = [place_of(truths, int(index)) for index in np.flatnonzero(known & found.exists)]
    estimate, truth = (np.array([numbers[place] for place in places]) for numbers in (found.estimates, truths))
    data = cut_scatter_data(
        estimate, truth, [found.title(place) for place in places], [say.INTO[INPUTS[place[0]]] for place in places]
    )
    chart = Chart(
        data,
        spec(cut_scatter_spec),
        "circuits-truth",
        "estimated and real changes",
        sets=lambda index: _picked(places[index]) if index < len(places) else {},
    )
    if len(cuts) < many:
        return [chart]
    off, half = np.abs(estimate - truth), float(np.median(np.abs(truth)))
    worst = int(off.argmax())
    told = say.read_truth(len(places), spearman(estimate, truth), float(off[worst]), half)
    furthest = say.read_furthest(found.title(places[worst]), float(estimate[worst]), float(truth[worst]))
    return [Takeaway(told), chart, Caption(furthest)]


def _tables(found: WordPaths, change: float) -> list[Table]:
    places = found.strongest
    numbers = np.array([[found.estimates[place], found.paths.shares[place]] for place in places])
    later = found.chosen[1]
    own = np.array([[found.paths.shares[found.chosen], change, found.estimates[found.chosen]]])
    return [
        Table(
            "strongest paths",
            numbers,
            [found.title(place) for place in places],
            ("estimated change", "share"),
            corner="path",
        ),
        Table("word", np.array([[found.word.total]]), (found.word.piece,), ("its logit, compared",), corner="word"),
        Table(
            "this path", own, (found.title(found.chosen),), ("share", "change without it", "estimate"), corner="path"
        ),
        Table(
            "what it reads",
            found.paths.shares[:, later].T,
            [found.short(index) for index in range(len(found.paths.heads))],
            [say.INTO[each] for each in INPUTS],
            corner="earlier head",
        ),
    ]


VIEW = View("between heads", _show, _controls)
