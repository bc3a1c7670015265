"""What stands on the boxes of a drawn model, and what each of them does."""

from core.readings.words import percent

ACTIVATIONS = {"relu": "W₁, ReLU", "gelu": "W₁, GELU", "swiglu": "SiLU(W₁) ⊙ W₃"}
ADDED = {"sinusoidal": "sinusoidal positions", "learned": "learned positions", "binary": "binary positions"}
NORMS = {"layernorm": "LayerNorm", "rmsnorm": "RMSNorm"}
STEPS = {"q": "Q", "k": "K", "v": "V", "scores": "weights A", "z": "mix Z", "attn_out": "W_O", "ffn_out": "W₂"}
ABOUT = {
    "tokens": "The text in pieces, each with a number.",
    "embedding": "Looks up one vector for each token.",
    "positions": "Adds a vector that says where the token stands.",
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
    "next": "The softmax turns each row of scores into chances of the next token.",
    "classes": "The mean of all rows and one more linear layer give each class its chance.",
    "guesses": "Each row times the table of embeddings gives the chances of the piece that is hidden there.",
    "rows": "One vector for each token, for whatever is built on top.",
}
SHARED = " Its table is the one of the encoder's embedding, so nothing is counted here."
TIED = " Its table is the embedding's, so nothing is counted here."


def title_part(kind: str, norm: str, positions: str, masked: bool) -> str:
    """What a part is called on its box."""
    if kind == "norm":
        return NORMS[norm]
    if kind == "positions":
        return ADDED[positions]
    return f"masked {kind}" if kind == "self-attention" and masked else kind


def title_step(name: str, activation: str, positions: str, crosses: bool) -> str:
    """What a step of a part is called on its box. Rotary positions act on queries and keys, ALiBi on scores; neither
    does in cross-attention."""
    if name == "ffn_hidden":
        return ACTIVATIONS[activation]
    if not crosses and positions == "rotary" and name in ("q", "k"):
        return f"{STEPS[name]}, rotary"
    if not crosses and positions == "alibi" and name == "scores":
        return f"{STEPS[name]}, ALiBi"
    return STEPS[name]


def tell_part(kind: str, norm: str, shared: bool) -> str:
    """What a part does, in one sentence, and a second where its weights are those of another."""
    about = ABOUT["rms" if kind == "norm" and norm == "rmsnorm" else kind]
    return about + (TIED if kind == "unembedding" else SHARED) * shared


def tell_step(name: str, positions: str, crosses: bool) -> str:
    """What a step does."""
    if not crosses and positions == "rotary" and name in ("q", "k"):
        return f"{ABOUT[name]} Each is turned by the angle of its position."
    if not crosses and positions == "alibi" and name == "scores":
        return f"{ABOUT[name]} Before it, ALiBi lowers each score by the distance of the two tokens."
    return ABOUT[name]


def read_drawing(parameters: int, layers: int, stacks: int, inside: int, tables: int) -> str:
    """How many parameters a model has, and how many of them lie in its layers and in its tables of tokens."""
    said = f"{layers} layer{'s' * (layers > 1)}" if stacks == 1 else f"{layers} + {layers} layers"
    held = percent(inside / parameters)
    return f"{parameters:,} parameters: {held} in its {said}, {percent(tables / parameters)} in its tables of tokens."
