"""The words of the sentences on a map, before and after the layers."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.word_contexts import context_map_data, context_map_spec
from core.readings.word_vectors import FORMULAS
from core.topics.words_in_context.maps import ContextMap, context_map
from core.topics.words_in_context.occurrences import Alikeness, alikeness
from core.topics.words_in_context.readings import note_pieces, read_places
from core.topics.words_in_context.sentences import layer_name
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import ZOOM_HINT, Caption, Chart, Columns, Control, Listing, Values, control, spec
from pages.words.words_in_context.parts import (
    Compared,
    example_buttons,
    nothing_shared,
    read_sentences,
    sentence_controls,
)
from pages.words.words_in_context.settings import AFTER_LAYER

LEAD = (
    "Every word of the sentences as a point, by **PCA**. On the left, each word has its row of the **embedding "
    "table**: what is spelt alike is one point. On the right, the same words after a layer."
)
ABOUT = (
    "Each vector is divided by its length first, so that words are near on the map that are alike by their cosine. The "
    "axes are found for each map by itself."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from sentence_controls(run, values)
    layers = AFTER_LAYER.options[: run.config.layers]
    yield control(AFTER_LAYER, options=layers, default=layers[-1])


def _show(run: Run, values: Values) -> Shown:
    """Show two maps side by side: the embedding table, and a layer."""
    try:
        compared = read_sentences(run, values)
    except ValueError as mistake:
        return nothing_shared(run, mistake, LEAD)
    stages = compared.sentences[0].stages
    stage = stages.index(layer_name(min(int(values[AFTER_LAYER]), run.config.layers) - 1))
    maps = [core_call(context_map, compared.sentences, compared.places, number) for number in (0, stage)]
    alike = core_call(alikeness, compared.sentences, compared.places)
    names = [occurrence.name for occurrence in compared.places]
    pairs = [(names[pair.first], names[pair.second], float(pair.cosines[stage])) for pair in alike.pairs]
    before, after = ([_chart(drawn, compared, number)] for number, drawn in enumerate(maps))
    return Shown(
        pictures=[Columns([before, after]), Caption(ZOOM_HINT), example_buttons(run)],
        lead=LEAD,
        takeaway=read_places(compared.word, stages[stage], maps[1].shares.tolist(), pairs, alike.same_row),
        notes=[*compared.notes, note_pieces(compared.averaged)],
        formula=FORMULAS["pca"],
        about=ABOUT,
        table=[*(_table(drawn) for drawn in maps), _cosines(compared, alike, stage), _shares(maps)],
        source=("core.topics.words_in_context.maps.context_map", "core.analysis.word_maps.principal_components"),
    )


def _chart(drawn: ContextMap, compared: Compared, number: int) -> Chart:
    names = [compared.names[sentence] for sentence in drawn.sentences]
    title = f"After {drawn.stage}" if number else "In the embedding table"
    return Chart(
        context_map_data(drawn.places, drawn.words, names, drawn.here),
        spec(context_map_spec, title, compared.names),
        f"words-in-context-map-{number}",
        title.lower(),
    )


def _table(drawn: ContextMap) -> Listing:
    x, y = np.round(drawn.places, 4).T
    return Listing(
        f"map, {drawn.stage}",
        {
            "word": list(drawn.words),
            "sentence": [number + 1 for number in drawn.sentences],
            "x": x.tolist(),
            "y": y.tolist(),
        },
    )


def _cosines(compared: Compared, alike: Alikeness, stage: int) -> Listing:
    """Return the cosine of each pair of occurrences at a stage."""
    return Listing(
        f"cosines of {compared.word}",
        {
            "sentences": [pair.name for pair in alike.pairs],
            "cosine": [float(pair.cosines[stage]) for pair in alike.pairs],
        },
    )


def _shares(maps: Sequence[ContextMap]) -> Listing:
    """Return the share of the variance that each map shows."""
    shares = [float(drawn.shares.sum()) for drawn in maps]
    return Listing("shown of the variance", {"map": [drawn.stage for drawn in maps], "share": shares})


VIEW = View("map", _show, _controls, reads_text=False)
