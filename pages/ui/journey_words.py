"""What the journey says about each stage: one heading and one or two plain sentences, true of this run."""

from core.explorer.journey import ROWS
from core.explorer.records import Journey
from core.model.config import TransformerConfig
from core.run import Run

NORMS = {"layernorm": "LayerNorm", "rmsnorm": "RMSNorm"}
ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU", "swiglu": "SwiGLU"}


def tokens(run: Run, journey: Journey) -> str:
    count = len(journey.tokens)
    whose = f"The {journey.place.stack}'s" if len(run.config.stacks) == 2 else "The"
    return (
        f"{whose} text is cut into **tokens**: {_counted(count, 'piece')}, each with the number (**id**) that it has "
        f"in a list of {run.config.vocab_size:,}. The model sees only these ids. A frame holds one word."
    )


def vectors(run: Run) -> str:
    config = run.config
    said = f"Each id looks up its **embedding**: a row of D = {config.d_model:,} numbers (d_model). "
    ways = {
        "rotary": "No position is added here: **rotary** positions turn queries and keys in stage 3.",
        "alibi": "No position is added here: **ALiBi** takes from each score in stage 4, the more the further apart.",
        "none": "Nothing says where a token stands: the model is told no positions.",
    }
    return said + ways.get(
        config.positions, f"A second row says where the token stands (**{config.positions}** positions); add the two."
    )


def projections(run: Run, journey: Journey) -> str:
    place, config = journey.place, run.config
    normed = f", after {NORMS[config.norm]}," if config.norm_position == "pre" else ""
    said = (
        f"Head {place.head + 1} of layer {place.layer + 1} reads the rows{normed} and multiplies them by three "
        "tables of weights. A **query** says what a token looks for, a **key** what it can be found by, a **value** "
        "what it hands over."
    )
    if place.cross:
        said += " In **cross-attention** keys and values come from the encoder's text."
    elif config.positions == "rotary":
        said += " Turning queries and keys (↻) tells how far apart two tokens are."
    return said


def scores(run: Run, journey: Journey) -> str:
    config = run.config
    scaled = f", divided by √E = {config.key_width**0.5:.3g}" if config.score == "scaled_dot" else " (not scaled)"
    far = ", less a penalty for the distance" if config.positions == "alibi" and not journey.place.cross else ""
    masked = bool((journey.stages["masked_scores"].values == float("-inf")).any())
    hidden = "A **mask** hides the striped pairs." if masked else "No mask hides any of these pairs."
    return (
        f"Every query (row) meets every key (column): one **score** a pair{scaled}{far}. {hidden} **Softmax** makes "
        "weights of each row, from 0 to 1, that sum to 1."
    )


def mix() -> str:
    return (
        "Each token's new row is an average of the values, weighted by its row of A: where its attention goes, from "
        "there it takes."
    )


def joined(run: Run, journey: Journey) -> str:
    config, layer = run.config, journey.place.layer + 1
    heads = (
        f"Layer {layer} has {_counted(config.heads, 'head')}, each with weights of its own; click one to follow it. "
        if config.heads > 1
        else f"Layer {layer} has one head. "
    )
    return f"{heads}Their mixes are laid side by side, multiplied by W_O{_after(config)}."


def feed_forward(run: Run) -> str:
    config = run.config
    return (
        f"Now a small network, the **feed-forward layer**, works on each row alone: D = {config.d_model:,} numbers "
        f"become F = {config.hidden_width:,} (through {ACTIVATIONS[config.activation]}) and D again{_after(config)}."
    )


def output(run: Run, journey: Journey) -> str:
    config, layers = run.config, run.config.layers
    again = f"Stages 3 to 7 happen in each of {_counted(layers, 'layer')}" if layers > 1 else "There is one layer"
    normed = f", then comes a last {NORMS[config.norm]}" if config.ends_with_norm else ""
    if journey.place.stack == "encoder":
        use = "read by the decoder's cross-attention" if "decoder" in config.stacks else "the model's answer"
        return f"{again}{normed}. Out comes one row for each token, which now carries its context: {use}."
    last = "last token" if journey.last == len(journey.tokens) - 1 else "last token before the padding"
    return (
        f"{again}{normed}. The row of the {last} is compared with all {config.vocab_size:,} pieces: these ten are "
        "the likeliest to come next."
    )


def windows(journey: Journey) -> str | None:
    """Which tokens the pictures leave out, or None."""
    parts = [f"{len(journey.tokens)} tokens"] if len(journey.tokens) > ROWS else []
    if journey.place.cross and len(journey.keys) > ROWS:
        parts.append(f"{len(journey.keys)} tokens of the encoder")
    return f"The pictures show the first {ROWS} of {' and of '.join(parts)}; the sizes are true." if parts else None


def _after(config: TransformerConfig) -> str:
    added = ["added to what came in (a **residual connection**)"] if config.residual else []
    normed = [f"normalised ({NORMS[config.norm]})"] if config.norm_position == "post" else []
    return "".join(f", then {step}" for step in (*added, *normed))


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


SCORE_LATEX = {
    "scaled_dot": r"\frac{{Q K^\top}}{{\sqrt{{{width}}}}}",
    "dot": r"Q K^\top",
    "general": r"Q\,W K^\top",
    "additive": r"v^\top \tanh(W Q + U K)",
}


def attention_formula(run: Run, journey: Journey) -> str:
    """What one head computes, with this run's score and shapes."""
    inner = SCORE_LATEX[run.config.score].format(width=run.config.key_width)
    (queries, keys), (_, width) = journey.stages["pattern"].shape, journey.stages["v"].shape
    shapes = rf"({queries}\times{keys})\cdot({keys}\times{width}) = ({queries}\times{width})"
    return rf"\mathrm{{Attention}}(Q, K, V) = \mathrm{{softmax}}\left({inner}\right) V \qquad {shapes}"
