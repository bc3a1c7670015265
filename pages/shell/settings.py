"""The settings that all pages share: the text, the model, its sizes, the mask. Keys are the names in the address."""

from collections.abc import Iterable
from dataclasses import replace

from pages.widgets import PLACE, Setting

SUITED, FRESH = "suited to the page", "random weights"
OWN = "own-sizes"  # in the session: the sizes that random weights are to have
CHOSEN = Setting(
    "model",
    "Model",
    "list",
    SUITED,
    "Each page brings the trained model that shows its subject best. With random weights every size is free; the "
    "models that were trained here fix theirs.",
    (SUITED, FRESH),
)
MODEL = (
    Setting(
        "kind",
        "Architecture",
        "list",
        "encoder",
        "An encoder reads the whole text; a decoder sees only what came before; together they translate.",
        ("encoder", "decoder", "encoder-decoder"),
    ),
    Setting("d", "d_model", "whole", 64, "Numbers in each token's vector.", low=2, high=1024),
    Setting("h", "Heads", "slide", 4, "Heads in each layer.", low=1, high=16),
    Setting("n", "Layers", "slide", 3, "Blocks on top of each other.", low=1, high=12),
    Setting(
        "pos",
        "Positions",
        "list",
        "sinusoidal",
        "How the model knows where a token stands.",
        ("none", "binary", "sinusoidal", "learned", "rotary", "alibi"),
    ),
)
MASK = Setting(
    "mask",
    "Mask",
    "many",
    ("as built",),
    "What may be attended to; several are joined by “and”. “As built”: causal in a decoder, nothing in an encoder. "
    "In an encoder-decoder masks act on the decoder's self-attention; padding is hidden everywhere.",
    ("as built", "causal", "padding", "sliding window", "prefix", "block"),
)
SEED = Setting("seed", "Seed", "whole", 0, "Which random weights.", low=0, high=999_999)
MASK_SIZES = {
    "padding": Setting("pads", "Padding tokens", "whole", 3, "Added behind the text.", low=0, high=16),
    "sliding window": Setting("window", "Window", "whole", 2, "Tokens seen on each side.", low=0, high=511),
    "prefix": Setting(
        "prefix", "Prefix", "whole", 3, "Tokens that everyone sees; the rest is causal.", low=0, high=512
    ),
    "block": Setting("block", "Block", "whole", 4, "Tokens in a block.", low=1, high=512),
}
HEAD = (
    Setting(
        "score",
        "Score",
        "list",
        "scaled dot",
        "How a query and a key are compared.",
        ("scaled dot", "dot", "general", "additive"),
    ),
    Setting(
        "dk", "d_k", "whole", None, "Width of a head's queries and keys; empty: d_model / heads.", low=1, high=1024
    ),
    Setting("dv", "d_v", "whole", None, "Width of a head's values; empty: d_model / heads.", low=1, high=1024),
    Setting("base", "Position base α", "number", 10000.0, "Of sinusoidal and rotary waves.", low=1.01, high=1e9),
)
BLOCK = (
    Setting("norm", "Norm", "list", "post", "Where each block normalises.", ("post", "pre", "none")),
    Setting("normkind", "Norm kind", "list", "layernorm", options=("layernorm", "rmsnorm")),
    Setting("act", "Activation", "list", "relu", options=("relu", "gelu", "swiglu")),
    Setting("ff", "d_ff", "whole", None, "Width of the feed-forward layer; empty: 4 · d_model.", low=1, high=4096),
    Setting("residual", "Residual connections", "switch", True),
    Setting("tied", "Tied embeddings", "switch", True, "Use the embedding table again to predict the next token."),
)
TOKENIZER = Setting(
    "tok",
    "Tokenizer",
    "list",
    "unigram-8000",
    options=("unigram-8000", "unigram-4000", "unigram-1000", "bpe-8000", "bpe-4000", "bpe-1000"),
)
DEVICE = (
    Setting("device", "Device", "list", "auto", options=("auto", "cpu", "cuda", "mps")),
    Setting("dtype", "Number format", "list", "float32", options=("float32", "bfloat16", "float16")),
)
TEXT = Setting("t", "Your text", "text", "The animal didn't cross the street because it was too tired.")
TARGET = Setting("tt", "Text of the decoder", "text", "The animal was too tired.")

FREE = (*MODEL, SEED, *HEAD, *BLOCK, TOKENIZER)  # what the weights of a trained model fix
FRAME = (CHOSEN, *FREE, MASK, *MASK_SIZES.values(), *DEVICE, TEXT, TARGET)
PRESENT = Setting("present", "Present", "switch", False, "For a projector: larger type and nothing but the page.")
PIN_PREFIX = "pin-"  # before the key of a setting: its value on the pinned side
TWIN = "its sizes, random weights"  # what the pinned model can be besides all models
PINNABLE = (CHOSEN, *FREE, MASK, *MASK_SIZES.values(), TEXT, TARGET, *PLACE)
PATIENT = Setting("patient", "Run it, though it takes long", "switch", False)


def pin_settings(known: Iterable[Setting]) -> list[Setting]:
    """What the address can say of the pinned side, of all that is known."""
    shared = {setting.key for setting in PINNABLE}
    found = [setting for setting in known if setting.pins or setting.key in shared]
    named = [replace(each, key=PIN_PREFIX + each.key, label=f"Pinned {each.label.lower()}") for each in found]
    model = PIN_PREFIX + CHOSEN.key
    return [replace(each, options=(*each.options, TWIN)) if each.key == model else each for each in named]
