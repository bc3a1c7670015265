"""The settings that all pages share: the text, the model, its sizes, the mask. Keys are their names in the URL."""

from collections.abc import Iterable
from dataclasses import replace

from core import device
from core.checkpoints.source import ModelSource
from core.lessons.lesson import lessons
from core.limits import D_FF, D_MODEL, HEADS, LAYERS, TOKENS
from core.topics.shared import named_masks
from pages.widgets import PLACE, Setting

PAGE_MODEL, RANDOM_WEIGHTS = "suited to the page", "random weights"
MODEL = Setting(
    "model",
    "Model",
    "selectbox",
    PAGE_MODEL,
    "Each page brings the trained model that shows its subject best. A trained model has the sizes that it was trained "
    "with; with random weights you choose them.",
    (PAGE_MODEL, RANDOM_WEIGHTS),
)
ARCHITECTURE_SETTINGS = (
    Setting(
        "kind",
        "Architecture",
        "selectbox",
        "encoder",
        "An encoder reads the whole text; in a decoder each token sees only what came before it. An encoder-decoder "
        "reads one text and writes another.",
        ("encoder", "decoder", "encoder-decoder"),
    ),
    Setting("d", "d_model", "int", 64, "How many numbers stand for each token.", low=2, high=D_MODEL),
    Setting("h", "Heads", "slider", 4, "How many heads look at the text in each layer.", low=1, high=HEADS),
    Setting(
        "n", "Layers", "slider", 3, "How many blocks the text goes through, one after the other.", low=1, high=LAYERS
    ),
    Setting(
        "pos",
        "Positions",
        "selectbox",
        "sinusoidal",
        "How the model is told where a token stands.",
        ("none", "binary", "sinusoidal", "learned", "rotary", "alibi"),
    ),
)
MASK = Setting(
    "mask",
    "Mask",
    "multi_pills",
    (named_masks.AS_BUILT_NAME,),
    "Which tokens may be looked at; several masks act together, in an encoder-decoder on the decoder's "
    "self-attention. “As built” is causal in a decoder, and no mask in an encoder.",
    (named_masks.AS_BUILT_NAME, *named_masks.MASK_NAMES),
)
SEED = Setting("seed", "Seed", "int", 0, "Another seed draws other random weights.", low=0, high=999_999)
PADS = Setting("pads", "Padding tokens", "int", 3, "How many are added after the text.", low=0, high=16)


def mask_sizes(padding: Setting, prefix: str = "", pins: bool = False) -> tuple[tuple[str, Setting], ...]:
    """Return the settings of the sizes of masks, each with the name of its mask.

    padding: the number of padding tokens.
    prefix: the beginning of the other settings' keys.
    pins: whether they can be pinned.
    """
    sizes = [(named_masks.PADDING, padding)]
    for size in named_masks.MASK_SIZES:
        key, label, high = prefix + size.key, size.key.capitalize(), TOKENS - size.below_length
        setting = Setting(key, label, "int", size.default, size.help, low=size.min_value, high=high, pins=pins)
        sizes.append((size.mask, setting))
    return tuple(sizes)


MASK_SIZES = mask_sizes(PADS)
SCORE_SETTINGS = (
    Setting(
        "score",
        "Score",
        "selectbox",
        "scaled dot",
        "How a query is compared with a key. “General” and “additive” learn weights of their own.",
        ("scaled dot", "dot", "general", "additive"),
    ),
    Setting(
        "dk",
        "d_k",
        "int",
        None,
        "How many numbers a query or a key has. Left empty: d_model divided by the heads.",
        low=1,
        high=D_MODEL,
    ),
    Setting(
        "dv",
        "d_v",
        "int",
        None,
        "How many numbers a value has. Left empty: d_model divided by the heads.",
        low=1,
        high=D_MODEL,
    ),
    Setting(
        "base",
        "Position base α",
        "float",
        10000.0,
        "For sinusoidal and rotary positions: the larger it is, the slower the last waves.",
        low=1.01,
        high=1e9,
    ),
)
BLOCK_SETTINGS = (
    Setting(
        "norm",
        "Norm",
        "selectbox",
        "post",
        "Whether vectors are normalised after each part of a block, before it, or never.",
        ("post", "pre", "none"),
    ),
    Setting(
        "normkind",
        "Norm kind",
        "selectbox",
        "layernorm",
        "LayerNorm takes off the mean and divides by the spread; RMSNorm only divides by the size.",
        ("layernorm", "rmsnorm"),
    ),
    Setting(
        "act",
        "Activation",
        "selectbox",
        "relu",
        "What happens to each number inside the feed-forward layer. SwiGLU has one more matrix of weights.",
        ("relu", "gelu", "swiglu"),
    ),
    Setting(
        "ff",
        "d_ff",
        "int",
        None,
        "How many numbers a token has inside the feed-forward layer. Left empty: 4 · d_model. 0: no such layer.",
        high=D_FF,
    ),
    Setting(
        "residual",
        "Residual connections",
        "toggle",
        True,
        "Each part of a block adds to a token's vector. Without them, it replaces the vector.",
    ),
    Setting(
        "tied",
        "Tied embeddings",
        "toggle",
        True,
        "One table turns tokens into vectors and predicts the next token. Untied, there are two.",
    ),
)
TOKENIZER = Setting(
    "tok",
    "Tokenizer",
    "selectbox",
    "unigram-8000",
    "How the text is cut into pieces, and how many different ones there are.",
    ("unigram-8000", "unigram-4000", "unigram-1000", "bpe-8000", "bpe-4000", "bpe-1000"),
)
DEVICE_SETTINGS = (
    Setting(
        "device",
        "Device",
        "selectbox",
        "auto",
        "Which processor computes. “Auto” takes the fastest there is.",
        device.DEVICES,
    ),
    Setting(
        "dtype",
        "Number format",
        "selectbox",
        "float32",
        "How many bits a number has: 32, or 16, which are less exact.",
        tuple(device.DTYPES),
    ),
)
TEXT = Setting("t", "Your text", "text", "The animal didn't cross the street because it was too tired.")
TARGET = Setting("tt", "Text of the decoder", "text", "The animal was too tired.")
ROUTE = Setting(
    "route",
    "Route",
    "pills",
    "10 minutes",
    "Which pages the links at the end of each page lead to.",
    ("10 minutes", "40 minutes", "everything"),
)
# A lesson has no widget of its own: links and the panel's buttons set these.
LESSON = Setting("lesson", "Lesson", "selectbox", "", options=("", *lessons()))
SCREEN = Setting("screen", "Screen of the lesson", "int", 1, low=1, high=99)
LOCKED = Setting("locked", "Locked to the lesson", "toggle", False)
LESSON_SETTINGS = (LESSON, SCREEN, LOCKED)

# The settings that the weights of a trained model fix.
SIZE_SETTINGS = (*ARCHITECTURE_SETTINGS, SEED, *SCORE_SETTINGS, *BLOCK_SETTINGS, TOKENIZER)
HEADER_SETTINGS = (MODEL, *SIZE_SETTINGS, MASK, *(size for _, size in MASK_SIZES), *DEVICE_SETTINGS, TEXT, TARGET)
PIN_PREFIX = "pin-"  # before the key of a setting: its value on the pinned side
SAME_SIZES_RANDOM = "its sizes, random weights"  # an option of the pinned model, besides all models
PINNABLE = (MODEL, *SIZE_SETTINGS, MASK, *(size for _, size in MASK_SIZES), TEXT, TARGET, *PLACE)
RUN_ANYWAY = Setting("patient", "Run it, though it takes a while", "toggle", False)


def model_value(source: ModelSource | None) -> str:
    """Return the value of `MODEL` that chooses a source; None stands for fresh weights."""
    return RANDOM_WEIGHTS if source is None else source.address


def as_usable_here(setting: Setting) -> Setting:
    """Return a setting of a device or a number format with those that this machine has as its options.

    Any other setting is returned unchanged.
    """
    if setting.options == device.DEVICES:
        return replace(setting, options=("auto", *device.available()), refuses=device.why_no_device)
    if setting.options == tuple(device.DTYPES):
        return replace(setting, options=device.usable_formats(), refuses=device.why_no_format)
    return setting


def pin_settings(known: Iterable[Setting]) -> list[Setting]:
    """Return the settings of the pinned side, with PIN_PREFIX before their keys.

    known: all settings; those that cannot be pinned are left out.
    """
    shared = {setting.key for setting in PINNABLE}
    pinnable = [setting for setting in known if setting.pins or setting.key in shared]
    pinned = [
        replace(setting, key=PIN_PREFIX + setting.key, label=f"Pinned {setting.label.lower()}") for setting in pinnable
    ]
    model = PIN_PREFIX + MODEL.key
    return [
        replace(setting, options=(*setting.options, SAME_SIZES_RANDOM)) if setting.key == model else setting
        for setting in pinned
    ]
