"""Choose the tensors that each stage of the journey shows, their order, and the words beside them."""

from dataclasses import dataclass

from core.model.config import TransformerConfig
from core.topics.journey.records import Journey
from core.topics.journey.words import embedding_scale
from core.tracing.run import Run

HEADS = "patterns"  # the name of a picture that stands for the weights of every head

SCALES = {
    **dict.fromkeys(("embed", "pos", "entered"), "vector"),
    **dict.fromkeys(("q", "k", "q_normed", "k_normed", "q_rotated", "k_rotated"), "query or key"),
    **dict.fromkeys(("v", "z"), "value"),
    **dict.fromkeys(("raw_scores", "scores", "masked_scores"), "score"),
    "pattern": "weight",
    "ffn_hidden": "activation",
}


@dataclass(frozen=True)
class Picture:
    """One small matrix of a stop.

    name: the name of the stage whose numbers it shows, or `HEADS`.
    before: the sign to its left.
    axes: the letters of its rows and columns.
    starts: whether it begins a new line.
    scale: the kind of its numbers; pictures of one scale share their colours.
    """

    name: str
    title: str
    before: str = ""
    axes: tuple[str, str] = ("Q", "K")
    starts: bool = False
    scale: str = "stream"


def entering(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of the first layer's input, and of the embedding and other vectors that it is made from."""
    title = f"embedding × {embedding_scale(run.config)}" if run.config.scale_embeddings else "embedding"
    added = {"pos": "position", "types": "token type"}
    parts = [picture(run, journey, name, words, "+") for name, words in added.items() if name in journey.stages]
    if not (parts or run.config.embedding_norm):
        return [picture(run, journey, "embed", f"{title}: what enters")]
    entered = picture(run, journey, "entered", "what enters", "→" if run.config.embedding_norm else "=")
    return [picture(run, journey, "embed", title), *parts, entered]


def projecting(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of the head's input, and of its queries, keys and values."""
    shown = [picture(run, journey, "attn_in", "read")]
    if "memory" in journey.stages:
        shown.append(picture(run, journey, "memory", "from the encoder", axes=("K", "D")))
    turned = "q_rotated" in journey.stages
    full = turned or run.config.qk_norm or "memory" in journey.stages
    shown.append(picture(run, journey, "q", "Q", "" if full else "→", starts=full))
    normed = "q_normed" in journey.stages
    if normed:
        shown.append(picture(run, journey, "q_normed", "Q normed", "→"))
    if turned:
        shown.append(picture(run, journey, "q_rotated", "Q turned", "↻"))
    shown.append(picture(run, journey, "k", "K", starts=turned or normed))
    if normed:
        shown.append(picture(run, journey, "k_normed", "K normed", "→"))
    if turned:
        shown.append(picture(run, journey, "k_rotated", "K turned", "↻"))
    return [*shown, picture(run, journey, "v", "V")]


def scoring(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of the scores: raw, scaled, masked, and turned into weights.

    If scores are not scaled, the second picture says so; it includes the term that ALiBi or relative positions add.
    """
    config = run.config
    scaled = "scaled" if config.score == "scaled_dot" else "not scaled"
    if config.positions in ("alibi", "relative") and not journey.place.cross:
        scaled = "scaled + B" if config.score == "scaled_dot" else "scores + B"
    return [
        picture(run, journey, "raw_scores", "scores"),
        picture(run, journey, "scores", scaled, "→"),
        picture(run, journey, "masked_scores", "masked" if journey.hidden_pairs else "no mask", "→"),
        picture(run, journey, "pattern", "weights A", "→"),
    ]


def mixed(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of weights times values."""
    return [
        picture(run, journey, "pattern", "weights A"),
        picture(run, journey, "v", "V", "×"),
        picture(run, journey, "z", "mix z", "="),
    ]


def joining(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of every head's pattern, to choose from, of the heads' sum, and of the stream after it."""
    after = picture(run, journey, "resid_mid", "the new rows", "→" if run.config.norm_position == "post" else "=")
    added = [picture(run, journey, "stream", "what came in", "+"), after] if run.config.residual else [after]
    heads = Picture(HEADS, "head", scale="weight")
    return [heads, picture(run, journey, "attn_out", "heads joined", starts=True), *added]


def thinking(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of the feed-forward layer and of the stream after it.

    Without such a layer, only what leaves the block is shown.
    """
    if "ffn_hidden" not in journey.stages:
        return [picture(run, journey, "resid_post", "leaves")]
    return [
        picture(run, journey, "ffn_in", "read"),
        picture(run, journey, "ffn_hidden", "hidden", "→"),
        picture(run, journey, "ffn_out", "adds" if run.config.residual else "result", "→"),
        picture(run, journey, "resid_post", "leaves", "→"),
    ]


def leaving(run: Run, journey: Journey) -> list[Picture]:
    """Return the pictures of the stack's first input and of its output, side by side."""
    entered = picture(run, journey, "entered", "what entered", scale="stream")
    return [entered, picture(run, journey, "final", "output", "→")]


def picture(
    run: Run,
    journey: Journey,
    name: str,
    title: str = "",
    before: str = "",
    axes: tuple[str, str] | None = None,
    starts: bool = False,
    scale: str = "",
) -> Picture:
    """Return the picture of one stage, on the scale for its kind of numbers."""
    row, col = axes or journey.stages[name].axes
    return Picture(name, title or name, before, (row, col), starts, scale or _scale(run.config, name))


def _scale(config: TransformerConfig, name: str) -> str:
    """Return the kind of a stage's numbers; numbers of the same kind can be compared."""
    if name in ("attn_in", "memory", "ffn_in") and config.norm_position == "pre":
        return "normalised"
    if name == "final" and config.ends_with_norm:
        return "output"
    return SCALES.get(name, "stream")
