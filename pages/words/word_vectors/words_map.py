"""Any set of words as points on a plane."""

from collections.abc import Iterator, Sequence

from core.charts.word_map import word_map_data, word_map_spec
from core.limits import MAPPED_WORDS
from core.readings.word_vectors import FORMULAS, read_map, read_nearest_dots, read_own_group
from core.topics.word_vectors.maps import GROUPED_WORDS, SETS, WordMap, groups_of, nearest_points, of_own_group
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.widgets import ZOOM_HINT, Caption, Chart, Control, Listing, Table, Values, control, spec
from pages.words.word_vectors import queries
from pages.words.word_vectors.parts import method_controls, notes_on, origin, typed, without_vectors
from pages.words.word_vectors.settings import CHOICE, MAP, METHOD, OWN_WORDS, WORDS

LEAD = (
    "Each dot is a word: its **word vector**, made flat. Vectors of words that are used alike point the same way, so "
    "words of one kind lie together, though nobody said which kinds there are."
)
MAP_LEADS = {
    "PCA": "**PCA** turns the cloud of points until two axes show as much of it as two axes can, and lets the rest go.",
    "t-SNE": "**t-SNE** bends the map so that neighbours stay neighbours; how far apart groups lie means nothing.",
}
AXES = {
    "PCA": ("axis 1: where these words differ most", "axis 2: where they differ next most"),
    "t-SNE": ("no unit", "no unit"),
}
MOVES = f"{ZOOM_HINT} Where words would overlap some are left out: zoom in, or point at a dot."
FORMULA_OF = {"PCA": FORMULAS["pca"], "t-SNE": FORMULAS["tsne"]}
SOURCES = {
    "PCA": ("core.analysis.word_maps.principal_axes", "core.analysis.word_maps.kept_neighbours"),
    "t-SNE": ("core.analysis.word_maps.neighbour_map", "core.analysis.word_maps.affinities"),
}


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from method_controls(run, values)
    yield control(MAP)
    yield control(CHOICE, width=290)
    if values[CHOICE] == OWN_WORDS:
        yield typed(WORDS, 420)


def _show(run: Run, values: Values) -> Shown:
    """Show the words on a map, and say how faithful the map is."""
    kind, choice = values[MAP], values[CHOICE]
    text = SETS.get(choice, values[WORDS] or "")
    words = queries.sort_words(text, MAPPED_WORDS)
    unknown = notes_on(words, MAPPED_WORDS)
    if len(words.known) < 3:
        few = "A map needs three words or more that are known."
        return without_vectors(few, *filter(None, unknown), lead=LEAD)
    word_map = queries.word_map(values[METHOD], words.known, kind)
    shares = None if word_map.shares is None else word_map.shares.tolist()
    groups = groups_of(choice, word_map.words)
    chart = Chart(
        word_map_data(word_map.places, word_map.words, groups),
        spec(word_map_spec, "Which words are used alike?", *AXES[kind], groups=tuple(GROUPED_WORDS.get(choice, ("",)))),
        "word-vectors-picture",
        f"{len(word_map.words)} words by {kind}",
    )
    return Shown(
        pictures=[chart, Caption(MOVES), origin()],
        lead=f"{LEAD} {MAP_LEADS[kind]}",
        takeaway=[
            _describe_nearest(word_map, groups),
            *read_map(kind, shares, word_map.kept, word_map.neighbours),
        ],
        notes=unknown,
        formula=FORMULA_OF[kind],
        table=[
            Table("word-map", word_map.places, word_map.words, ("x", "y"), "word"),
            Listing("how true the map is", word_map.table),
        ],
        source=SOURCES[kind],
    )


def _describe_nearest(word_map: WordMap, groups: Sequence[str]) -> str:
    """Return a sentence on which words of the map lie nearest to which."""
    if groups:
        return read_own_group(of_own_group(word_map.places, groups), len(groups))
    first, second = nearest_points(word_map.places)
    return read_nearest_dots(word_map.words[first], word_map.words[second])


VIEW = View("map", _show, _controls)
