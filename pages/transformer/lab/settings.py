"""The settings that a visitor can change on the page The lab."""

from core.lab.comparisons import COMPARISONS
from core.lab.head_scores import SCORES
from core.lab.recipe import CHOICES, MOST_STEPS, read_recipe
from core.lab.tasks import TASKS
from core.lessons.glossary import glossary_text
from pages.widgets import Setting

OWN = "text"  # the task to go on with a text that the visitor pasted
TASK = Setting("lab-task", "Task", "selectbox", "sort", "What the model learns.", (*TASKS, OWN), pins=True)
OWN_TEXT = Setting("lab-own-text", "Your text", "text", glossary_text())  # too long for the URL, so not of the page
LAYERS = Setting(
    "lab-layers",
    "Layers",
    "selectbox",
    "2",
    "How many blocks a text goes through, one after the other.",
    tuple(map(str, range(1, 9))),
    pins=True,
)
HEADS = Setting(
    "lab-heads",
    "Heads",
    "selectbox",
    "2",
    "How many heads look at the text in each layer.",
    tuple(map(str, range(1, 17))),
    pins=True,
)
WIDTHS = ("1", "2", "4", "8", "16", "24", "32", "48", "64", "96", "128", "192", "256")
WIDTH = Setting("lab-width", "d_model", "selectbox", "32", "Numbers in a token's vector.", WIDTHS, pins=True)
POSITIONS = Setting(
    "lab-positions",
    "Positions",
    "selectbox",
    "learned",
    "How the model is told the order.",
    CHOICES["positions"],
    pins=True,
)
RATES = ("0.0001", "0.0003", "0.001", "0.002", "0.003", "0.005", "0.01", "0.02", "0.03", "0.1", "1", "1000000000")
RATE = Setting("lab-rate", "Learning rate", "selectbox", "0.002", "How far one step goes.", RATES, pins=True)
LENGTHS = ("50", "100", "200", "500", "600", "1000", "2000", "3000", "4000", "4800", "5000", "10000", "20000")
LENGTH = Setting("lab-length", "Steps", "selectbox", "1000", "How many steps the run has.", LENGTHS, pins=True)
SEED = Setting(
    "lab-seed", "Seed", "int", 0, "Another seed draws other first weights and other rows.", high=999_999, pins=True
)
IN_SIGHT = {"layers": LAYERS, "heads": HEADS, "d_model": WIDTH, "positions": POSITIONS, "lr": RATE, "steps": LENGTH}

BATCHES = ("1", "8", "16", "32", "64", "128", "256", "512")
BATCH = Setting("lab-batch", "Batch", "selectbox", "32", "Rows in a step.", BATCHES, pins=True)
NORM = Setting(
    "lab-norm", "Norm", "pills", "pre", "Before each part, after it, or nowhere.", CHOICES["norm"], pins=True
)
YES_NO = ("yes", "no")
RESIDUAL = Setting("lab-residual", "Residual", "pills", "yes", "Each part adds to its input.", YES_NO, pins=True)
SCALED = Setting("lab-scaled", "Scores over √d_k", "pills", "yes", "Whether they are divided.", YES_NO, pins=True)
SINK_LOGITS = Setting(
    "lab-sink-logits",
    "Sink logits",
    "pills",
    "no",
    "A learned logit in each head's softmax, with no token.",
    YES_NO,
    pins=True,
)
FEED_FORWARD = Setting("lab-ff", "Feed-forward", "pills", "yes", "No: attention only.", YES_NO, pins=True)
TIED = Setting("lab-tied", "Tied", "pills", "no", "Whether embedding and output share a table.", YES_NO, pins=True)
DECAYS = ("0", "0.01", "0.1", "0.3", "1", "3")
DECAY = Setting("lab-decay", "Weight decay", "selectbox", "0", "How fast weights shrink.", DECAYS, pins=True)
WARM_UP = Setting(
    "lab-warm-up",
    "Warm-up",
    "selectbox",
    "20",
    "Steps until the learning rate is reached.",
    ("0", "20", "100", "500"),
    pins=True,
)
CLIP = Setting(
    "lab-clip",
    "Clip at",
    "selectbox",
    "1",
    "The largest norm of the gradient; 0: no bound.",
    ("0", "0.1", "1", "10"),
    pins=True,
)
DROPOUT = Setting(
    "lab-dropout", "Dropout", "selectbox", "0", "The share of numbers left out.", ("0", "0.1", "0.3", "0.5"), pins=True
)
D_K = Setting(
    "lab-dk",
    "d_k",
    "selectbox",
    "0",
    "Of a head's queries and keys; 0: d_model over heads.",
    ("0", "1", "2", "4", "8", "16", "32", "64", "128", "256"),
    pins=True,
)
INIT = Setting(
    "lab-init",
    "Embeddings start",
    "pills",
    "normal",
    "Normal: with a variance of 1 / d_model. Xavier: narrower, as the other matrices.",
    CHOICES["init"],
    pins=True,
)
ARCHITECTURE = Setting(
    "lab-architecture",
    "Architecture",
    "pills",
    "decoder",
    "A decoder reads question and answer as one text; in an encoder-decoder the encoder reads the question.",
    CHOICES["architecture"],
    pins=True,
)
MORE = {
    "batch": BATCH,
    "norm": NORM,
    "residual": RESIDUAL,
    "scaled": SCALED,
    "sink_logits": SINK_LOGITS,
    "feed_forward": FEED_FORWARD,
    "tied": TIED,
    "weight_decay": DECAY,
    "warmup": WARM_UP,
    "clip": CLIP,
    "dropout": DROPOUT,
    "d_k": D_K,
    "init": INIT,
    "architecture": ARCHITECTURE,
}
STEP = Setting(
    "lab-step",
    "Step",
    "int",
    0,
    "Of the training; 0 is before the first. The last kept step is shown.",
    high=MOST_STEPS,
)
SLOW, FAST = "every kept step", "fast"
SPEED = Setting("lab-speed", "Speed", "pills", FAST, "How far Play goes between two pictures.", (SLOW, FAST))


def _refuses_recipe(text: str) -> str | None:
    """Return why a text is no recipe of a run; "" if it is one, and None for no text."""
    if not text:
        return None
    try:
        read_recipe(text)
    except ValueError as mistake:
        return str(mistake)
    return ""


# The recipe of a run to compare with. It has no widget: buttons set it.
KEPT_RUN = Setting("lab-kept-run", "Kept run", "selectbox", "", options=("",), refuses=_refuses_recipe)
OF_TRAINING = (TASK, *IN_SIGHT.values(), SEED, *MORE.values(), STEP, SPEED, KEPT_RUN)

SCORE_NAMES = {name.replace("_", " "): name for name in SCORES}
SCORE = Setting("lab-score", "Score", "selectbox", "previous token", "What is measured of a head.", tuple(SCORE_NAMES))
NORMS_BY = Setting("lab-norms", "Gradient by", "pills", "layer", options=("layer", "kind"))
MATRICES = (
    *("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2", "cross W_Q", "cross W_K", "cross W_V", "cross W_O"),
    *("embedding", "positions", "output"),
)
MATRIX = Setting("lab-matrix", "Weight of", "selectbox", "W_Q", options=MATRICES)
OF_LAYER = Setting("lab-layer", "Layer", "int", 1, low=1, high=8)
ROW = Setting("lab-row", "Row", "int", 0, "Counted from 0.", high=255)
COLUMN = Setting("lab-column", "Column", "int", 0, "Counted from 0.", high=255)
OF_HEAD = Setting("lab-head", "Head", "int", 1, low=1, high=16)
RECORDED = Setting(
    "lab-recorded", "Recorded runs", "pills", next(iter(COMPARISONS)), options=tuple(COMPARISONS), pins=True
)
KEPT_STEPS = tuple(map(str, sorted({step for comparison in COMPARISONS.values() for step in comparison.steps})))
RECORDED_STEP = Setting(
    "lab-recorded-step",
    "Step of the training",
    "select_slider",
    "3000",
    "The models as they were after so many steps. Of each run 34 steps are kept; the nearest is shown.",
    KEPT_STEPS,
    pins=True,
)
SETTINGS = (*OF_TRAINING, SCORE, NORMS_BY, MATRIX, OF_LAYER, OF_HEAD, ROW, COLUMN, RECORDED, RECORDED_STEP)
