"""The choice that a unigram tokenizer makes: the lattice of a word, its best segmentations, and random ones."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from core.readings.words import number, percent, plural
from core.text.tokenizer import Segmentation
from core.text.words import visible
from core.topics.tokens.charts.piece_bars import LIT_KIND, OTHER_KIND, PieceBar, lanes, piece_bars_data, piece_bars_spec
from core.topics.tokens.readings import note_spelt, read_best_way, read_draws, write_best_way
from core.topics.tokens.ways import DRAWS, Draw, WordLattice, doubt, drawn_ways, word_lattice
from core.topics.tokens.words import Looked
from pages.canvas import Token, TokenButtons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Columns, Control, Listing, Markdown, Part, Table, Values, control, spec
from pages.words.tokens import queries
from pages.words.tokens.parts import chosen_word, there, word_control
from pages.words.tokens.settings import ALPHA, SEED, UNIGRAM, WAYS

LARGE_WAYS = 2  # number of likeliest ways that are the first picture
SHOWN_WAYS = 8  # number of drawn ways that are shown


def _controls(looked: Looked, values: Values) -> Iterator[Control]:
    yield control(UNIGRAM, options=there(UNIGRAM.options, looked, "unigram"), width=220)
    yield control(WAYS, width=220)
    yield control(ALPHA, width=220)
    yield word_control(looked)
    yield control(SEED, "below", width=170)


def _show(looked: Looked, values: Values) -> Shown:
    """Show all pieces that fit into one word, the best ways through them, and ways drawn at random."""
    tokenizer, alpha = queries.named(values[UNIGRAM], looked), float(values[ALPHA])
    line, word, cut = chosen_word(looked, values, partial(doubt, tokenizer))
    lattice = core_call(word_lattice, tokenizer, word, max(2, values[WAYS]))
    drawn = core_call(drawn_ways, tokenizer, word, alpha, int(values[SEED] or 0))
    chart = spec(piece_bars_spec, "Pieces that fit; orange: the likeliest way", numbered=False)
    arcs = piece_bars_data(lattice.letters, _bars(lattice))
    shares = [way.probability or 0.0 for way in lattice.ranked]
    spelt = [arc.piece for arc in lattice.chosen if not arc.known]
    return Shown(
        pictures=[
            line,
            *_likeliest(lattice),
            Chart(arcs, chart, key="tokens-lattice", name="Lattice of a word"),
            Columns([_next_likeliest(lattice, values[WAYS]), _drawn(drawn, alpha)]),
        ],
        takeaway=[
            *read_best_way(
                visible(word),
                [arc.piece for arc in lattice.chosen],
                float(lattice.best[-1]),
                shares[0],
                shares[1] if shares[1:] else None,
                lattice.ways,
            ),
            read_draws(drawn[0].times, DRAWS, drawn[0].share, len(drawn), alpha),
        ],
        notes=[cut, note_spelt(spelt)],
        formula=write_best_way([arc.score for arc in lattice.chosen], float(lattice.total[-1])),
        about=[
            "The places between characters are the nodes of a **lattice**; each bar is an arc between two of them, and "
            "the number in it is the log-probability of the piece. A way from left to right is one way to cut the "
            "word, and its log-probability is the sum over its pieces. The **Viterbi** search keeps the best way to "
            "each place, and needs no list of all ways.",
            "Drawing other ways while a model is trained makes it robust: that is subword regularization (Kudo 2018).",
        ],
        table=[_nodes(lattice), _listing(lattice)],
        source=("core.text.segmentations.lattice", "core.text.segmentations.best", "core.text.segmentations.draws"),
    )


def _bars(lattice: WordLattice) -> list[PieceBar]:
    """Return the best way in the first row below the characters, and all other pieces in as few rows as possible."""
    others = [arc for arc in lattice.arcs if not arc.best]
    rows = [2 + lane for lane in lanes([(arc.start, arc.end) for arc in others])]
    placed = [*((1, arc) for arc in lattice.chosen), *zip(rows, others, strict=True)]
    return [
        PieceBar(
            row,
            arc.start,
            arc.end,
            arc.piece,
            f"{arc.score:.2f}".replace("-", "−"),
            f"log-probability {number(arc.score, 4)}",
            LIT_KIND if arc.best else OTHER_KIND,
        )
        for row, arc in placed
    ]


def _likeliest(lattice: WordLattice) -> list[Part]:
    """Return the likeliest ways in large type, each with its share of the probability of all ways."""
    lines = [
        _way(way.tokens.labels, way.probability or 0.0, "of the probability", f"tokens-best-{rank}", large=True)
        for rank, way in enumerate(lattice.ranked[:LARGE_WAYS], start=1)
    ]
    return [part for line in lines for part in line]


def _next_likeliest(lattice: WordLattice, count: int) -> list[Part]:
    """Return the ways of ranks `LARGE_WAYS` + 1 to `count`."""
    lines = [
        _way(way.tokens.labels, way.probability or 0.0, _scored(way), f"tokens-best-{rank}")
        for rank, way in enumerate(lattice.ranked[:count], start=1)
        if rank > LARGE_WAYS
    ]
    head = [Markdown("The next likeliest ways, and their shares of all")] if lines else []
    return [*head, *(part for line in lines for part in line)]


def _scored(way: Segmentation) -> str:
    return f"log-probability {number(way.score or 0.0, 4)}"


def _drawn(drawn: Sequence[Draw], alpha: float) -> list[Part]:
    many = plural(len(drawn), "different way")
    head = Markdown(f"Of {DRAWS} draws with probability to the power α = {alpha:g}: {many}")
    lines = [
        _way(
            draw.pieces,
            draw.times / DRAWS,
            f"{plural(draw.times, 'time')}; expected {number(draw.share * DRAWS)}",
            f"tokens-draw-{k}",
        )
        for k, draw in enumerate(drawn[:SHOWN_WAYS])
    ]
    more = [Caption(f"And {len(drawn) - SHOWN_WAYS} others.")] if len(drawn) > SHOWN_WAYS else []
    return [head, *(part for line in lines for part in line), *more]


def _way(pieces: Sequence[str], share: float, caption: str, key: str, *, large: bool = False) -> list[Part]:
    """Return one way to cut a word, shaded by its share."""
    shade = float(np.clip(share, 0, 1))
    tokens = [Token(piece, "" if large else caption, shade) for piece in pieces]
    caption = f"{percent(share)}{' ' if large else ' · '}{caption}"
    return [TokenButtons(tokens, key=key, name=caption, caption=caption, hue="chance", item="piece", large=large)]


def _nodes(lattice: WordLattice) -> Table:
    """Return, for each position between characters, the log-probabilities of the best way there and of all ways."""
    labels = [f"{position}: {''.join(lattice.letters[:position])}" for position in range(len(lattice.best))]
    numbers = np.stack([lattice.best, lattice.total], axis=1)
    return Table("lattice-nodes", numbers, labels, ["best way there", "all ways there, log-sum"], corner="place")


def _listing(lattice: WordLattice) -> Listing:
    return Listing(
        "best-ways",
        {
            "pieces": [" ".join(way.tokens.labels) for way in lattice.ranked],
            "log-probability": [way.score or 0.0 for way in lattice.ranked],
            "share of all ways": [way.probability or 0.0 for way in lattice.ranked],
        },
    )


VIEW = View("how unigram chose", _show, _controls, reads_mask=False)
