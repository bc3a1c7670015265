"""Find the page that shows the numbers of each picture closely, and its settings for one of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.topics.block.stream import step_at
from core.topics.journey.records import Journey
from core.topics.shared.named_masks import MASK_NAMES, PADDING
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.shell import MODEL
from pages.shell.settings import model_value
from pages.widgets import ToPage

PROJECTED_MATRICES = {
    "attn_in": ("queries", "X"),
    "memory": ("keys", "M"),
    "q": ("queries", "Q"),
    "q_normed": ("queries", "Q normed"),
    "q_rotated": ("queries", "Q rotated"),
    "k": ("keys", "K"),
    "k_normed": ("keys", "K normed"),
    "k_rotated": ("keys", "K rotated"),
    "v": ("values", "V"),
}
WEIGHTS_STAGE, MIX_STAGE = 4, 5  # stops that show some of the same pictures
MIXED_MATRICES = {"pattern": "A", "v": "V", "z": "Z"}
STREAM_TENSORS = ("entered", "stream", "resid_mid", "ffn_in", "ffn_out", "resid_post", "final")
ADDED_POSITIONS = ("binary", "sinusoidal")


@dataclass(frozen=True)
class Opening:
    """The link from a picture to the page that shows its numbers closely.

    title, address: the title and the address of the page.
    where: the values of the page's settings, by their keys.
    row, col: the keys of the settings that name a cell, if any.
    same: whether the page shows the number itself, and not only its subject.
    model: the model to take along, if the page may open with another.
    """

    title: str
    address: str
    where: Mapping[str, str] = field(default_factory=dict)
    row: str = ""
    col: str = ""
    same: bool = True
    model: str = ""

    @property
    def said(self) -> str:
        """The effect of a click, in words."""
        return f"to open it in {self.title}" if self.same else f"to go on to {self.title}"

    def at(self, row: int, col: int) -> dict[str, str]:
        """Return the page's settings for one cell of the picture."""
        cell = {self.row: str(row), self.col: str(col)}
        return dict(self.where) | {key: number for key, number in cell.items() if key}

    def clicked(self, row: int, col: int) -> ToPage:
        """Return the action of a click on a cell: go to the page, at that cell."""
        return ToPage(self.address, self.at(row, col), {MODEL.key: self.model} if self.model else {})


def opening_of(run: Run, journey: Journey, stop: int, name: str) -> Opening | None:
    """Return the page that a picture opens; None if no page shows it.

    stop: the number of the picture's stop.
    name: the name of its stage.
    """
    if name == "embed":
        return _table_row(run, journey)
    if name == "pos" or (name == "entered" and stop < WEIGHTS_STAGE):
        return replace(_positions(run, journey), same=name == "pos")
    if stop == MIX_STAGE and name in MIXED_MATRICES:
        return in_step("6 mix", MIXED_MATRICES[name])
    if name in PROJECTED_MATRICES:
        of, matrix = PROJECTED_MATRICES[name]
        return in_step("1 project", matrix, of)
    if name in ("raw_scores", "scores"):
        return _scores(run, journey, name)
    if name == "masked_scores":
        return _mask(run, journey)
    if name == "attn_out":
        return Opening("Heads", "heads", {"heads-view": "what each adds"}, same=False)
    if name == "ffn_hidden":
        where = {"block-stack": f"of the {journey.place.stack}", "block-view": "neurons"}
        return Opening("The block", "block", where, "block-token", "block-neuron")
    if name in STREAM_TENSORS:
        return _in_block(run, journey.place, name)
    return in_step("5 softmax", "A") if name == "pattern" else None


def in_step(number: str, matrix: str = "the step's result", of: str = "queries") -> Opening:
    """Return the link from a picture to the page "Self-attention, step by step", opened at one step and matrix.

    number: the step's name, such as "1 project".
    matrix: the matrix to show.
    of: "queries", "keys" or "values", which the first step projects.
    """
    where = {"view": "six steps", "step": number, "matrix": matrix}
    where |= {"of": of} if number == "1 project" else {}
    named = {f"self-attention-{key}": value for key, value in where.items()}
    return Opening("Self-attention, step by step", "self-attention", named, "self-attention-row", "self-attention-col")


def _in_block(run: Run, layer_head: HeadAddress, name: str) -> Opening:
    """Return the residual stream of the token at the step that made the row, or the norm whose output the row is."""
    stack, before = layer_head.stack, run.config.norm_position == "pre"
    where = {"block-stack": f"of the {stack}"}
    if (name == "ffn_in" and before) or (name == "final" and run.config.ends_with_norm):
        which = "feed-forward" if name == "ffn_in" else "last"
        where |= {"block-view": "norm", "block-norm": which}
        return Opening("The block", "block", where, "block-token", "block-number")
    attended = "cross-attention" if stack == "decoder" and run.config.has_two_stacks else "attention"
    layer_and_part = {
        "resid_mid": (layer_head.layer, "cross-attention" if layer_head.cross else "attention"),
        "ffn_in": (layer_head.layer, attended),
        "ffn_out": (layer_head.layer, "feed-forward"),
        "resid_post": (layer_head.layer, "feed-forward"),
        "final": (run.config.depth(layer_head.stack) - 1, "feed-forward"),
        "stream": (layer_head.layer, "attention") if layer_head.cross else (layer_head.layer - 1, "feed-forward"),
    }.get(name, (-1, ""))
    where |= {"block-view": "residual stream", "block-step": str(step_at(run, stack, *layer_and_part))}
    return Opening("The block", "block", where, "block-token")


def _table_row(run: Run, journey: Journey) -> Opening:
    """Return the view of the embedding table, at the token's row if the view reads the same text."""
    row = "tokens-place" if journey.place.stack == run.config.stacks[0] else ""
    where = {"tokens-view": "one-hot against dense"}
    return Opening("Tokens", "tokens", where, row, same=False, model=model_value(run.source))


def _positions(run: Run, journey: Journey) -> Opening:
    """Return the opening of the positions page, at the table of this model's kind of position encoding.

    The table gets the model's width, and is as long as the text, but at least 64 positions. A model without positions
    opens the view in which the tokens are shuffled.
    """
    config, kind, model = run.config, run.config.positions, model_value(run.source)
    if kind == "none":
        return Opening("Positions", "positions", {"positions-view": "shuffle"}, model=model)
    where = {"positions-view": "heatmap", "positions-encoding": kind}
    where |= {"positions-length": str(max(64, len(journey.tokens)))}
    if kind != "alibi":
        where |= {"positions-width": str(config.key_width if kind == "rotary" else config.d_model)}
    if kind in ("sinusoidal", "rotary"):
        where |= {"positions-base": str(config.position_base)}
    column = "positions-column" if kind in ADDED_POSITIONS else ""
    return Opening("Positions", "positions", where, "positions-row", column, model=model)


def _scores(run: Run, journey: Journey, name: str) -> Opening:
    """Return the view that compares ways to score, to be opened by a click on a score.

    With ALiBi, a click on a score before its penalty opens the step of Self-attention that computes that score.
    """
    kind = run.config.score
    raw = name == "raw_scores" and kind == "scaled_dot"
    if name == "raw_scores" and run.config.positions == "alibi" and not journey.place.cross:
        return in_step("2 score", "raw S")
    where = {"view": "four scores", "show": "scores", "score": "dot" if raw else kind.replace("_", " ")}
    named = {f"scaling-{key}": value for key, value in where.items()}
    return Opening("Scores and scaling", "scaling", named, "scaling-row", "scaling-col")


def _mask(run: Run, journey: Journey) -> Opening:
    """Return the page of masks if it has this mask, otherwise the step that applies it."""
    preset, layer_head = " and ".join(mask.name() for mask in run.masks) or "none", journey.place
    has_preset = preset in ("none", *MASK_NAMES) and preset != PADDING
    if not has_preset or layer_head.cross or layer_head.stack != run.config.stacks[-1]:
        return in_step("4 mask", "masked S")
    where = {"masks-view": "before and after", "masks-preset": preset, "masks-painting": ""}
    where |= {f"masks-{key}": str(size) for mask in run.masks for key, size in vars(mask).items()}
    return Opening("Masks", "masks", where, "masks-row")
