"""A few plain sentences about each stage of the journey, as markdown.

Only those of `read_head` quote text that users typed.
"""

from typing import Literal

from core.model.config import TransformerConfig
from core.model.positions import alibi_slopes
from core.readings.heads import read_look
from core.readings.patterns import read_masked_rows, read_pattern
from core.readings.words import latex_softmax, small
from core.topics.journey.records import Journey
from core.topics.journey.stages import MAX_ROWS
from core.topics.shared.telling import last_telling_row
from core.tracing.run import Run

Use = Literal["verdict", "guesses", "nothing hidden"] | None  # use of an encoder's output; None: no such use

NORMS = {"layernorm": "LayerNorm", "rmsnorm": "RMSNorm"}
ACTIVATIONS = {
    "relu": "ReLU",
    "gelu": "GELU",
    "gelu_tanh": "GELU",
    "silu": "SiLU",
    "swiglu": "SwiGLU",
    "geglu": "GEGLU",
    "geglu_tanh": "GEGLU",
}
MIXED = "an average of the values, weighted by its row of A"


def tokens(run: Run, journey: Journey) -> str:
    ids = journey.tokens.ids
    special = run.format.special
    begun, ended, padded = (
        0 if token is None else ids.count(token) for token in (special.begin, special.end, special.pad)
    )
    pieces = _counted(len(ids) - begun - ended - padded, "piece")
    begun_by = " after a start token" * begun + " before an end token" * ended
    behind = "it" if len(ids) - padded == 1 else "them"
    followed = f" and {_counted(padded, 'padding token')} after {behind}" if padded else ""
    whose = f"The {journey.place.stack}'s" if run.config.has_two_stacks else "The"
    return (
        f"{whose} text is cut into **tokens**: {pieces}{begun_by}{followed}, each with its number (**id**) in a list "
        f"of {run.config.vocab_size:,}. The model sees only these ids. Pieces in one frame are one word. Point at a "
        "piece: every picture on this page frames it."
    )


def vectors(run: Run, journey: Journey) -> str:
    config = run.config
    sentences = (
        f"Each id looks up its **embedding** in a table: a row of {config.d_model:,} numbers (a vector), which stands "
        "for the token from here on."
    )
    if config.scale_embeddings:
        sentences += (
            f" All its numbers are multiplied by {embedding_scale(config)}, the square root of {config.d_model:,}."
        )
    where = "only in self-attention" if journey.place.cross else "in stage 3"
    ways = {
        "rotary": f"Where a token stands is not said here but {where} (**rotary** positions).",
        "alibi": f"How far apart tokens stand is not said here but {where.replace('3', '4')} (**ALiBi**).",
        "relative": f"How far apart tokens stand is not said here but {where.replace('3', '4')} (**relative**).",
        "none": "Nothing says where a token stands: the model is told no positions.",
    }
    added = f"A second row says where the token stands (**{config.positions}** positions), and the two are added."
    return f"{sentences} {ways.get(config.positions, added)}"


def projection_words(run: Run, journey: Journey) -> str:
    place, config = journey.place, run.config
    normed = f", after {NORMS[config.norm]}," if config.norm_position == "pre" else ""
    sentences = (
        f"Head {place.head + 1} of layer {place.layer + 1} reads the rows{normed} and multiplies them by three "
        "tables of weights. A **query** says what a token looks for, a **key** what it can be found by, a **value** "
        "what it passes on."
    )
    if place.cross:
        sentences += (
            " In **cross-attention** queries come from this text, after its self-attention, keys and values from the "
            "encoder's."
        )
    if config.qk_norm:
        sentences += " A norm brings the queries and keys of the head to the same size."
    if not place.cross and config.positions == "rotary":
        sentences += " Turning queries and keys (↻) tells how far apart two tokens are."
    return sentences


def scores(run: Run, journey: Journey) -> str:
    far = "" if journey.place.cross else BIASES.get(run.config.positions, "")
    width = run.config.key_width
    made = SCORE_WORDS[run.config.score].format(width=_counted(width, "number"), root=width**0.5)
    striped = bool((journey.stages["masked_scores"].values == float("-inf")).any())
    hidden = "A **mask** hides the striped pairs." if striped else "No mask hides any of these pairs."
    total = "less than 1: a learned number beside the scores takes the rest" if run.config.sink_logits else "1"
    exception = "; a row with every pair hidden gets zeros" if journey.empty_rows else ""
    scaled = run.config.score == "scaled_dot" and width > 1
    fainter = " Scores have one colour scale here, so dividing them makes them fainter." if scaled else ""
    return (
        f"Every query (row) meets every key (column), which makes one **score** for each pair: {made}{far}.{fainter} "
        f"{hidden} **Softmax** turns each row into weights from 0 to 1 that sum to {total}{exception}."
    )


def mix(run: Run, journey: Journey) -> str:
    made = "the values, each times its weight in its row of A, added up" if run.config.sink_logits else MIXED
    exception = " A row of A that is all zeros takes nothing and stays at zero." if journey.empty_rows else ""
    return f"Each token's new row is {made}: it takes most from the tokens that it attends to most.{exception}"


def joined(run: Run, journey: Journey) -> str:
    config, layer = run.config, journey.place.layer + 1
    if config.heads == 1:
        return f"Layer {layer} has one head. Its mix is multiplied by W_O{_after(config)}."
    return (
        f"Layer {layer} has {_counted(config.heads, 'head')}, each with weights of its own; click one to follow it. "
        f"Their mixes are laid side by side and multiplied by W_O{_after(config)}."
    )


def feed_forward(run: Run, journey: Journey) -> str:
    config, place = run.config, journey.place
    between = ""
    if config.has_two_stacks and place.stack == "decoder" and not place.cross:
        between = "**Cross-attention** comes in between, so what is read here is not what left stage 6. "
    if not config.hidden_width:
        left = f"through {NORMS[config.norm]}" if config.norm_position == "post" else "as they are"
        return f"{between}This model has no **feed-forward layer**: the rows leave the block {left}."
    normed = f", after {NORMS[config.norm]}" if config.norm_position == "pre" else ""
    return (
        f"{between}A small network, the **feed-forward layer**, works on each row alone{normed}: its "
        f"{config.d_model:,} numbers become {config.hidden_width:,} (through {ACTIVATIONS[config.activation]}) "
        f"and {config.d_model:,} again{_after(config)}."
    )


def output(run: Run, journey: Journey, use: Use = None) -> str:
    """Explain what happens after the first layer, and what becomes of the stack's output.

    use: how the model uses an encoder's output; None for a plain encoder, and for a decoder.
    """
    config, layers = run.config, run.config.depth(journey.place.stack)
    again = f"Stages 3 to 7 happen in each of {_counted(layers, 'layer')}" if layers > 1 else "There is one layer"
    if config.has_two_stacks and journey.place.stack == "decoder":
        again += f"{',' if layers > 1 else ' with'} attention twice, to itself and to the encoder's text"
    normed = f"; then comes a last {NORMS[config.norm]}" if config.ends_with_norm else ""
    if journey.place.stack == "encoder":
        return f"{again}{normed}. Out comes one row for each token, with what it attended to. {_used(run, use)}"
    last = "last token" if journey.last == len(journey.tokens) - 1 else "last token before the padding"
    return (
        f"{again}{normed}. The row of the {last} is compared with all {config.vocab_size:,} pieces: these "
        f"{len(journey.next_pieces)} are the likeliest to come next."
    )


def _used(run: Run, use: Use) -> str:
    """Return a sentence about the use of an encoder's rows."""
    if "decoder" in run.config.stacks:
        return "The decoder's cross-attention reads these rows."
    if use == "verdict":
        return "One last layer reads the mean of these rows and gives each class its chance."
    if use == "guesses":
        return (
            f"This is a **masked language model**: the row of each [MASK] is compared with all "
            f"{run.config.vocab_size:,} pieces, and these are the likeliest to be hidden there."
        )
    if use == "nothing hidden":
        return "This is a **masked language model**: write [MASK] in place of a word, and it ends with its guesses."
    return "An encoder alone gives no verdict and no next word: these rows are its answer."


def windows(journey: Journey) -> str | None:
    """Say that the pictures show only the first tokens of a text; None if they show all."""
    parts = [f"{len(journey.tokens)} tokens"] if len(journey.tokens) > MAX_ROWS else []
    if journey.place.cross and len(journey.keys) > MAX_ROWS:
        parts.append(f"{len(journey.keys)} tokens of the encoder")
    return (
        f"The pictures show the first {MAX_ROWS} of {' and of '.join(parts)}; "
        "the shapes under them are of the whole text."
        if parts
        else None
    )


def followed_query(journey: Journey) -> int:
    """Return the number of the query that `read_head` names first."""
    return last_telling_row(journey.weights, journey.tokens, journey.keys, not journey.place.cross)


def read_head(journey: Journey) -> list[str]:
    """Say where the head looks, about its whole pattern; unlike the other sentences, these quote the text."""
    pattern, queries, keys, cross = journey.weights, journey.tokens, journey.keys, journey.place.cross
    row = followed_query(journey)
    sentences = [
        f"In one head, {small(read_look(pattern[row], queries.labels, row, keys.labels))}",
        read_pattern(pattern, queries.labels, keys.labels if cross else None),
    ]
    empty = read_masked_rows(pattern, queries.labels) if pattern.any() else None
    return [*sentences, *([empty] if empty else [])]


def embedding_scale(config: TransformerConfig) -> str:
    """Return the factor of the embedding if it is scaled, the square root of d_model, such as "17.9"."""
    return f"{config.d_model**0.5:.3g}"


def shapes(run: Run) -> str:
    """Return a sentence that explains the letters of the shapes under the pictures, with the sizes of this model."""
    config = run.config
    widths = f"E the numbers of a query, a key or a value in one head ({config.key_width:,}"
    widths += ")" if config.value_width == config.key_width else f" and {config.value_width:,})"
    hidden = f", F those inside the feed-forward layer ({config.hidden_width:,})" if config.hidden_width else ""
    return (
        "The shape under a picture counts its rows and columns: L tokens, Q queries, K keys, D the numbers of a vector "
        f"(d_model, {config.d_model:,}), {widths}{hidden}."
    )


def _after(config: TransformerConfig) -> str:
    added = ["added to what came in (a **residual connection**)"] if config.residual else []
    normed = [f"normalised ({NORMS[config.norm]})"] if config.norm_position == "post" else []
    return "".join(f", then {step}" for step in (*added, *normed))


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


BIASES = {
    "alibi": ", less a penalty for the distance (**ALiBi**'s B)",
    "relative": ", plus a learned number for the distance (B)",
}
SCORE_WORDS = {
    "scaled_dot": "their dot product, divided by {root:.3g}, the square root of the {width} of a key",
    "dot": "their dot product (not scaled)",
    "general": "their dot product through one more table of weights, W (not scaled)",
    "additive": "what a small network makes of the two (not scaled)",
}
SCORE_LATEX = {
    "scaled_dot": r"\frac{{{q} {k}^\top}}{{\sqrt{{{width}}}}}",
    "dot": r"{q} {k}^\top",
    "general": r"{q}\,W {k}^\top",
    "additive": r"v^\top \tanh(W {q} + U {k})",
}


def attention_formula(run: Run, journey: Journey) -> str:
    """Return the formula of one head in LaTeX, with this run's score, positions, mask and shapes.

    R turns each row by its position (RoFormer, equation 34), B is ALiBi's penalty or learned for each distance, M is 0
    if a query may attend and −∞ if not. The additive score is written for one pair of rows.
    """
    (queries, keys), (_, width) = journey.stages["pattern"].shape, journey.stages["v"].shape
    rows = ("q_i", "k_j") if run.config.score == "additive" else ("Q", "K")
    turned = "q_rotated" in journey.stages
    normed = [rf"\mathrm{{norm}}({row})" if "q_normed" in journey.stages else row for row in rows]
    q, k = (rf"R({row})" if turned else row for row in normed)
    inner, legend = SCORE_LATEX[run.config.score].format(q=q, k=k, width=run.config.key_width), []
    if run.config.positions in BIASES and not journey.place.cross:
        inner += " + B"
        slope = float(alibi_slopes(run.config.heads)[journey.place.head])
        learned = r"B_{ij} = b_{\mathrm{bucket}(j-i)}"
        legend.append(rf"B_{{ij}} = -{slope:.3g}\,|i-j|" if run.config.positions == "alibi" else learned)
    if journey.hidden_pairs:
        inner += " + M"
        legend.append(r"M_{ij} = 0 \text{ or } -\infty")
    if turned:
        legend.append(r"R\text{ turns each row by its position}")
    softmax = latex_softmax(run.config.sink_logits)
    shapes = rf"({queries}\times{keys})\cdot({keys}\times{width}) = ({queries}\times{width})"
    whole = rf"\mathrm{{Attention}}(Q, K, V) = {softmax}\left({inner}\right) V"
    return r" \qquad ".join([whole, *legend, shapes])
