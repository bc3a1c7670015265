"""The table of everything a visitor can set, in the frame and on the pages. Keys are the names in the URL."""

from core.analysis.select import HIDEABLE
from core.explorer.head.grids import MAKERS
from core.readings.descriptors import DESCRIPTORS
from pages.ui.generate.choices import GENERATE
from pages.ui.kv_cache.choices import KV_CACHE
from pages.ui.masks.choices import MASKS
from pages.ui.positions.choices import POSITIONS
from pages.ui.scaling.choices import SCALING
from pages.ui.settings import Setting
from pages.ui.translate.choices import TRANSLATE

CHOSEN = Setting(
    "model",
    "Model",
    "list",
    "fresh",
    "fresh: random weights, every size free. The others were trained here; their weights fix their sizes.",
    ("fresh",),
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

PLACE = (
    Setting("attention", "Attention", "pick", "encoder", options=("encoder", "decoder", "cross")),
    Setting("layer", "Layer", "pick", "1", options=tuple(str(n) for n in range(1, 13))),
    Setting("head", "Head", "pick", "1", options=tuple(str(n) for n in range(1, 17))),
)

VIEW = Setting(
    "view", "Look at", "pick", "six steps", options=("six steps", "why it is not symmetric", "soft dictionary")
)
STEP = Setting(
    "step", "Step", "pick", "1 project", options=("1 project", "2 score", "3 scale", "4 mask", "5 softmax", "6 mix")
)
OF = Setting("of", "Projection", "pick", "queries", options=("queries", "keys", "values"))
MATRIX = Setting("matrix", "Matrix", "list", None, "The matrix whose cell is worked out.", tuple(MAKERS))
ROW = Setting("row", "Row", "whole", 0, "Row of the cell, counted from 0.", low=0, high=1023)
COL = Setting("col", "Column", "whole", 0, "Column of the cell, counted from 0.", low=0, high=1023)
TEMPERATURE = Setting("temp", "Temperature T", "number", 1.0, "1: what the model used.", low=0.01, high=100.0)
SELF_ATTENTION = (VIEW, STEP, OF, MATRIX, ROW, COL, TEMPERATURE)
TENSOR = Setting(
    "tensor",
    "Tensor",
    "list",
    "pattern",
    "The tensor whose numbers are listed.",
    (
        *("embed", "pos", "entered", "attn_in", "q", "k", "v", "q_rotated", "k_rotated", "raw_scores", "scores"),
        *("masked_scores", "pattern", "z", "attn_out", "resid_mid", "ffn_in", "ffn_hidden", "ffn_out", "resid_post"),
        "final",
    ),
)
JOURNEY = (TENSOR,)
LOOK = Setting(
    "look",
    "Look at",
    "pick",
    "matrix",
    options=("matrix", "lines", "Q, K, V", "adding up", "what heads do", "over layers", "ablate"),
)
UNIT = Setting("unit", "Rows and columns", "pick", "pieces", options=("pieces", "words"))
HIDE = Setting("hide", "Hide as keys", "many", (), "Rows are then divided by what is left.", HIDEABLE)
LEAST = Setting("least", "Hide weights below, %", "number", 0.0, "Smaller ones are not drawn.", low=0.0, high=100.0)
VIVID = Setting("vivid", "Scale colours to this picture", "switch", False, "The darkest colour is its largest weight.")
PIN = Setting(
    "pin",
    "Pinned query",
    "whole",
    None,
    "A token's number: its row is read out. A click on the picture pins too.",
    low=0,
    high=511,
)
WHOSE = Setting("whose", "Show", "pick", "this head", options=("this head", "all heads"))
TASK = Setting("task", "Show", "pick", "one score", options=("one score", "all scores", "which are alike"))
SCORE_OF = Setting("behaviour", "Score", "list", "Entropy", options=tuple(each.name for each in DESCRIPTORS))
COMBINE = Setting("combine", "Combine heads by", "pick", "average", options=("average", "rollout"))
SILENT = Setting(
    "off",
    "Heads switched off",
    "set",
    (),
    "Their output z becomes zero, so they add nothing.",
    tuple(f"L{layer}H{head}" for layer in range(1, 13) for head in range(1, 17)),
)
EFFECT = Setting(
    "effect",
    "What changes",
    "pick",
    "every pattern",
    options=("this pattern", "every pattern", "layers", "tokens", "next token"),
)
AT = Setting("at", "Step of training", "along", "end", "The weights as they were on the way.", ("end",))
HEADS = (AT, LOOK, UNIT, HIDE, LEAST, VIVID, PIN, WHOSE, TASK, SCORE_OF, COMBINE, SILENT, EFFECT)
PAGES = (
    *PLACE,
    *SELF_ATTENTION,
    *JOURNEY,
    *HEADS,
    *POSITIONS,
    *MASKS,
    *SCALING,
    *TRANSLATE,
    *GENERATE,
    *KV_CACHE,
)
FREE = (*MODEL, SEED, *HEAD, *BLOCK, TOKENIZER)  # what the weights of a trained model fix
FRAME = (CHOSEN, *FREE, MASK, *MASK_SIZES.values(), *DEVICE, TEXT, TARGET)
