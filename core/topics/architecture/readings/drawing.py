"""The labels on the boxes of a drawn model, and the explanation of each box."""

from collections.abc import Sequence

from core.readings.words import number, percent, plural, quoted

ACTIVATIONS = {
    "relu": "W₁, ReLU",
    "gelu": "W₁, GELU",
    "gelu_tanh": "W₁, GELU (tanh)",
    "silu": "W₁, SiLU",
    "swiglu": "SiLU(W₁) ⊙ W₃",
    "geglu": "GELU(W₁) ⊙ W₃",
    "geglu_tanh": "GELU(W₁) ⊙ W₃",
}
ADDED = {"sinusoidal": "sinusoidal positions", "learned": "learned positions", "binary": "binary positions"}
BIASES = {
    "alibi": ("ALiBi", "Before it, ALiBi lowers each score by the distance of the two tokens."),
    "relative": ("relative", "Before it, each score gains a learned number for the distance of the two tokens."),
}
NORMS = {"layernorm": "LayerNorm", "rmsnorm": "RMSNorm"}
STEPS = {"q": "Q", "k": "K", "v": "V", "scores": "weights A", "z": "mix Z", "attn_out": "W_O", "ffn_out": "W₂"}
ABOUT = {
    "tokens": "The text in pieces, each with a number.",
    "embedding": "Looks up one vector for each token.",
    "pooler": "Makes one vector of the whole text: one more matrix, on the first token's row alone.",
    "positions": "Adds a vector that says where the token stands.",
    "token types": "Adds a vector that says which of two texts the token belongs to: here always the first.",
    "masked head": "One more layer and a norm; then each row times a table of pieces gives chances for what is hidden.",
    "norm": "Brings the numbers of each vector to mean 0 and deviation 1, then scales them by learned gains.",
    "rms": "Divides each vector by its root mean square, then scales it by learned gains.",
    "self-attention": "Each token gathers from the tokens of its own text that it may attend to.",
    "cross-attention": "Each token of the decoder gathers from the encoder's output.",
    "feed-forward": "Works on each token alone, the same way at every position.",
    "unembedding": "Gives each piece of the vocabulary a score, at every position.",
    "add": "Adds what the part computed to the stream that went past it: the residual connection.",
    "q": "The queries: what each token looks for.",
    "k": "The keys: what each token can be found by.",
    "v": "The values: what each token passes on.",
    "scores": "Queries times keys, then a softmax: each row of weights sums to 1.",
    "z": "The values, averaged with the weights.",
    "attn_out": "Joins the heads into one vector for each token.",
    "ffn_hidden": "Widens each vector and keeps what the activation lets through.",
    "ffn_out": "Brings each vector back to the width of the stream.",
    "layer": "The same parts as the open layer, with weights of their own. A click opens it.",
    "layers": "All layers have the same parts, each with weights of its own.",
    "next": "The softmax turns each row of scores into chances of the next token.",
    "classes of the mean": "The mean of all rows and one more linear layer give each class its chance.",
    "classes of the first": "The first token's row and two more linear layers give each class its chance.",
    "guesses": "Each row times the table of embeddings gives the chances of the piece that is hidden there.",
    "rows": "One vector for each token, for whatever is built on top.",
}
WITH_SINK = {
    "scores": "Queries times keys, then a softmax with a learned number that belongs to no token: each row of weights "
    "sums to less than 1.",
    "z": "The values, each times its weight, added up.",
}
SHARED = " Its table is the one of the encoder's embedding, so nothing is counted here."
TIED = " Its table is the embedding's, so nothing is counted here."
# For self-attention and cross-attention: what a token may attend to, in a few words.
SEES = {"encoder": "sees all", "decoder": "sees the past", "cross": "sees the source"}
# A part that a stack lacks: in two words, and in a sentence.
NO_CROSS = {
    "encoder": ("reads alone", "An encoder reads one text, so there is no other one to gather from."),
    "decoder": ("one text", "A decoder alone goes on with its own text: there is no other one to gather from."),
}
NO_FEED_FORWARD = ("attention only", "This model has no feed-forward layer, so nothing is added here.")
NO_UNEMBEDDING = (
    "writes nothing",
    "An encoder hands on its rows and writes no text, so it needs no scores for pieces.",
)
PURPOSES = {
    "encoder": "Reads. Every token sees the whole text, on both sides. For labels, for search and for filling in "
    "what is hidden: BERT.",
    "decoder": "Writes. Each token sees only what came before it, so every position learns to say what comes next: "
    "GPT, Llama.",
    "encoder-decoder": "Reads one text and writes another. Cross-attention brings the first to every layer of the "
    "second: the transformer of 2017, for translation.",
}


def title_part(kind: str, norm: str, positions: str, masked: bool) -> str:
    """Return the title of the box of a part.

    kind: the kind of the part.
    norm, positions: the model's kind of norm and of positions.
    masked: whether the part is under a causal mask.
    """
    if kind == "norm":
        return NORMS[norm]
    if kind == "positions":
        return ADDED[positions]
    return f"masked {kind}" if kind == "self-attention" and masked else kind


def title_step(name: str, activation: str, positions: str, crosses: bool) -> str:
    """Return the title of the box of one step of a part.

    Rotary positions act on queries and keys, ALiBi and relative ones on scores; none acts in cross-attention.

    name: the step.
    activation, positions: the model's activation and kind of positions.
    crosses: whether the part is cross-attention.
    """
    if name == "ffn_hidden":
        return ACTIVATIONS[activation]
    if not crosses and positions == "rotary" and name in ("q", "k"):
        return f"{STEPS[name]}, rotary"
    if not crosses and positions in BIASES and name == "scores":
        return f"{STEPS[name]}, {BIASES[positions][0]}"
    return STEPS[name]


def tell_part(kind: str, norm: str, shared: bool) -> str:
    """Explain what a part does.

    kind: the kind of the part.
    norm: the model's kind of norm.
    shared: whether the part uses the weights of another part, which is then said too.
    """
    about = ABOUT["rms" if kind == "norm" and norm == "rmsnorm" else kind]
    return about + (TIED if kind == "unembedding" else SHARED) * shared


def tell_step(name: str, positions: str, crosses: bool, sink: bool = False) -> str:
    """Explain what one step of a part does.

    name: the step.
    positions: the model's kind of positions.
    crosses: whether the part is cross-attention.
    sink: whether its softmax has a sink logit.
    """
    about = WITH_SINK.get(name, ABOUT[name]) if sink else ABOUT[name]
    if not crosses and positions == "rotary" and name in ("q", "k"):
        return f"{about} Each is turned by the angle of its position."
    if not crosses and positions in BIASES and name == "scores":
        return f"{about} {BIASES[positions][1]}"
    return about


def name_amount(unit: str, amount: float, piece: str) -> str:
    """Write the quantity that is shown at a token's row of a box.

    unit: "id", "length", "most on" or "likeliest next".
    amount: the id, the length, or the largest share of the row; 0 if the token may attend to nothing.
    piece: the piece with that share; not used for the first two units.
    """
    if unit == "id":
        return f"{int(amount):,}"
    if unit == "length":
        return number(amount)
    return f"{quoted(piece)} {percent(amount)}" if amount > 0 else "nothing"


def read_drawing(parameters: int, layers: Sequence[int], inside: int, tables: int) -> list[str]:
    """Say which way the text goes, how many parameters a model has, and which shares are in its layers and tables.

    layers: number of layers of each stack.
    inside: parameters in the layers.
    tables: parameters in the tables of tokens.
    """
    layer_counts = f"{' + '.join(map(str, layers))} {'layer' if sum(layers) == 1 else 'layers'}"
    share = percent(inside / parameters)
    way = "The encoder reads your text, the decoder writes; the purple line joins them."
    if len(layers) == 1:
        way = f"Your text goes in at the top and passes {plural(layers[0], 'layer')} on its way down."
    return [
        way,
        f"{share} of the parameters are in the layers, {percent(tables / parameters)} in the tables of tokens.",
        f"The model has {parameters:,} parameters in all, and {layer_counts}.",
    ]


def read_three(encoder: int, decoder: int, both: int, cross: int) -> tuple[str, str]:
    """Return sentences on which of an encoder, a decoder and an encoder-decoder has most parameters, and how many.

    both: the parameters of the encoder-decoder.
    cross: the parameters of all its cross-attention.
    """
    alone = f"an encoder has {encoder:,} parameters and a decoder {decoder:,}"
    if encoder == decoder:
        alone = f"an encoder and a decoder have {encoder:,} parameters each"
    share = percent(cross / both)
    headline = f"{'An encoder' if encoder > decoder else 'A decoder'} has the most parameters at these sizes."
    if both > max(encoder, decoder):
        headline = "An encoder-decoder has the most parameters: it is an encoder and a decoder, with cross-attention."
    return (
        headline,
        f"At these sizes {alone}; an encoder-decoder has {both:,}, of which cross-attention is {share}.",
    )
