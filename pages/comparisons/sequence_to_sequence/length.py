"""The view of the limits of the bottleneck: BLEU by length, and this sentence translated whole and in short pieces."""

from core.topics.sequence_to_sequence.charts import bleu_lengths_data, bleu_lengths_spec
from core.topics.sequence_to_sequence.lengths import JOINED_SCORE, WHOLE_SCORE, Bucket, buckets, short_pieces
from core.topics.sequence_to_sequence.overlap import shared_with
from core.topics.sequence_to_sequence.readings import read_lengths, read_short_pieces
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, TITLES
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import PLAYER
from pages.compute.cache import cards
from pages.shell import Shown, View
from pages.widgets import Chart, Columns, Listing, Part, Values, spec

KIND = {WHOLE_SCORE: "held-out sentences", JOINED_SCORE: "held-out captions, two by two joined by “and”"}
TITLE = {score: f"BLEU by length: {kind}" for score, kind in KIND.items()}


def _show(text: str, values: Values) -> Shown:
    """Show the scores in the models' cards, and each model's translation of the sentence whole and in pieces."""
    scored = {score: score_buckets for score in TITLE if (score_buckets := buckets(cards(), score))}
    pictures: list[Part] = (
        [Columns([[_chart(score, score_buckets)] for score, score_buckets in scored.items()])] if scored else []
    )
    pieces = short_pieces(text)
    whole_translations = {name: queries.passage(name, text).text for name in TITLES}
    piece_translations = {name: " ".join(queries.passage(name, piece).text for piece in pieces) for name in TITLES}
    shared = [shared_with(whole_translations[name], [piece_translations[name]])[0] for name in TITLES]
    headline, reached = _headline(list(scored.values()), len(pieces))
    sentences = [
        headline,
        read_short_pieces(list(TITLES.values()), shared, len(pieces)),
    ]
    intervals = any(bucket.low is not None for score_buckets in scored.values() for bucket in score_buckets)
    listing = {
        "model": [title for title in TITLES.values() for _ in range(2)],
        "read": ["whole", f"in {len(pieces)} pieces"] * len(TITLES),
        "translation": [text for name in TITLES for text in (whole_translations[name], piece_translations[name])],
    }
    return Shown(
        pictures=pictures,
        lead="One vector has to hold the whole sentence. The longer the sentence, the more gets lost; with attention, "
        "the score falls much later.",
        takeaway=sentences,
        about=[
            "**BLEU** counts the runs of one to four words that a translation shares with translations by people; 100 "
            "would be word for word. The scores were measured once, on sentences that no training has seen, by beam "
            "search. " + ("Strokes: 95% of the scores when the sentences are drawn again." if intervals else ""),
            reached,
            "Below, your sentence is translated whole, and piece by piece: cut at commas and before words such as "
            "*and*, *while* or *because*.",
        ],
        table=Listing("whole-and-in-pieces", listing, unfolded=True),
        source=(
            "core.topics.sequence_to_sequence.lengths.short_pieces",
            "core.training.translation.by_length",
            "core.training.translation.bleu_interval",
        ),
    )


def _chart(score: str, score_buckets: list[Bucket]) -> Chart:
    points = [
        (bucket.model, bucket.words, bucket.bleu, bucket.sentences, bucket.low, bucket.high) for bucket in score_buckets
    ]
    drawn = spec(bleu_lengths_spec, TITLE[score], tuple(TITLES.values()))
    return Chart(bleu_lengths_data(points), drawn, f"{PLAYER}-{score.replace('_', '-')}", TITLE[score])


def _headline(charts: list[list[Bucket]], pieces: int) -> tuple[str, str]:
    """Return how far one vector keeps up with attention or, without charts, how the sentence is translated."""
    if not charts:
        return f"Your sentence is translated whole{f', and in {pieces} pieces' if pieces > 1 else ''}.", ""
    shares = [
        [one.bleu / other.bleu for one, other in zip(*_gru_rows(score_buckets), strict=True)]
        for score_buckets in charts
    ]
    shortest, *_, longest = _gru_rows(charts[0])[0]
    return read_lengths(shares, (shortest.words, longest.words))


def _gru_rows(score_buckets: list[Bucket]) -> list[list[Bucket]]:
    """Return the scores of the GRU with one vector, and of that with attention."""
    return [[each for each in score_buckets if each.model == TITLES[name]] for name in (BOTTLENECK, ADDITIVE)]


VIEW = View("length", _show)
