"""The pictures of a stop as tiles of its strip: their sizes, the texts under them, and the effect of a click."""

from collections.abc import Mapping

from core.topics.journey.pictures import HEADS, Picture
from core.topics.journey.records import Journey
from core.topics.journey.scales import Scale
from core.tracing.run import Run
from pages.canvas import Tile
from pages.start.journey.openings import opening_of

SHARE = {"D": 1.0, "F": 1.1, "E": 0.6, "Ev": 0.6, "L": 0.8, "Q": 0.8, "K": 0.8}
TINTS = {"q": "q", "q_normed": "q", "k_normed": "k", "q_rotated": "q", "k": "k", "k_rotated": "k", "v": "v"}
LETTER = {"Ev": "E"}
SIZE_WORDS = {"Q": "query", "K": "key", "L": "token"}
MAX_NAMED_HEADS = 4  # the most heads that are titled by name, not only by number


def tiles_of(
    run: Run, journey: Journey, stop: int, pictures: tuple[Picture, ...], scales: Mapping[str, Scale]
) -> list[Tile]:
    """Return the tiles of one stop, by its number.

    scales: the scales by the names that pictures have for them.
    """
    tiles: list[Tile] = []
    for picture in pictures:
        tiles += (
            _heads(journey, picture)
            if picture.name == HEADS
            else [_tile(run, journey, stop, picture, scales[picture.scale])]
        )
    return tiles


def text_of_axis(journey: Journey, axis: str) -> str:
    """Return the stack whose tokens an axis has; "" for the numbers of a vector."""
    layer_head = journey.place
    return {"L": layer_head.stack, "Q": layer_head.stack, "K": "encoder" if layer_head.cross else layer_head.stack}.get(
        axis, ""
    )


def _tile(run: Run, journey: Journey, stop: int, picture: Picture, scale: Scale) -> Tile:
    stage, (row, col) = journey.stages[picture.name], picture.axes
    height, width = stage.values.shape
    opening = opening_of(run, journey, stop, picture.name)
    letters = " × ".join(LETTER.get(axis, axis) for axis in picture.axes)
    return Tile(
        picture.name,
        picture.title,
        journey.drawn(stage.values) if picture.name == "pattern" else stage.values,
        shape=f"{letters} = {' × '.join(str(size) for size in stage.shape)}",
        part=stage.part,
        size=(SHARE[row], SHARE[col]),
        rows=journey.labels(row, height),
        cols=journey.labels(col, width),
        axes=(SIZE_WORDS.get(row, "number"), SIZE_WORDS.get(col, "number")),
        texts=(text_of_axis(journey, row), text_of_axis(journey, col)),
        scale="weight" if picture.scale == "weight" else "signed",
        limit=scale.limit,
        beyond=scale.beyond,
        unit=picture.scale,
        tint=TINTS.get(picture.name),
        before=picture.before,
        starts=picture.starts,
        click=opening.said if opening else "",
    )


def _heads(journey: Journey, picture: Picture) -> list[Tile]:
    """Return one tile for each head's weights, for choosing the followed head."""
    count, queries, keys = journey.patterns.shape
    few = count <= MAX_NAMED_HEADS
    return [
        Tile(
            str(number),
            f"{picture.title} {number + 1}" if few else str(number + 1),
            journey.drawn(pattern),
            size=(0.55, 0.55) if few else (0.45, 0.45),
            rows=journey.labels("Q", queries),
            cols=journey.labels("K", keys),
            axes=("query", "key"),
            texts=(text_of_axis(journey, "Q"), text_of_axis(journey, "K")),
            scale="weight",
            unit=picture.scale,
            click="to follow this head",
            pick=True,
            chosen=number == journey.place.head,
        )
        for number, pattern in enumerate(journey.patterns)
    ]
