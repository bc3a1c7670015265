"""Every limit of the app in one place, each with its reason.

The environment variable ATTENTION_EXPLORER_<NAME> sets another value, and so does a Streamlit secret of that name: the
app hands secrets over as such variables before this is imported. A value that cannot be used is refused when the server
starts. `python -m core.limits` lists all of them.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

PREFIX = "ATTENTION_EXPLORER_"
DIGITS = 20  # of a number; Python itself refuses to read more than 4,300


@dataclass(frozen=True)
class Limit:
    """A limit of the app, which an environment variable can set.

    default: its value without that variable; 0 if the value depends on the machine.
    unit: the unit of the value.
    min_value, max_value: the range of values that the variable may set.
    reason: why there is such a limit.
    """

    name: str
    default: int
    unit: str
    min_value: int
    max_value: int
    reason: str

    @property
    def variable(self) -> str:
        return PREFIX + self.name

    def refusal(self, text: str) -> str:
        """Return why a variable's text cannot be used as the value; "" if it can.

        text: the text of the variable.
        """
        short = text.strip()[: DIGITS + 1]
        whole = len(short) <= DIGITS and short.isascii() and short.isdecimal()
        if whole and self.min_value <= int(short) <= self.max_value:
            return ""
        values = f"from {self.min_value:,} to {self.max_value:,} ({self.unit})"
        return f"{self.variable} must be a whole number {values}, not {short!r}."

    def value(self, environ: Mapping[str, str]) -> int:
        """Return the value that applies: that of the variable if it can be used, otherwise the default.

        environ: the environment variables.
        """
        text = environ.get(self.variable, "")
        return int(text) if text and not self.refusal(text) else self.default


LIMITS: dict[str, Limit] = {}


def _limit(name: str, default: int, unit: str, min_value: int, max_value: int, reason: str) -> int:
    """Add a limit to LIMITS, and return the value that applies in this process."""
    limit = LIMITS[name] = Limit(name, default, unit, min_value, max_value, reason)
    return limit.value(os.environ)


def invalid_limits(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that cannot be used, and one if the memory limit leaves none for a run."""
    given = ((limit, environ.get(limit.variable, "")) for limit in LIMITS.values())
    refusals = [refusal for limit, value in given if value and (refusal := limit.refusal(value))]
    memory, app, heavy = (LIMITS[name].value(environ) for name in ("MEMORY_MIB", "APP_MIB", "HEAVY_MIB"))
    if memory and memory < app + heavy:
        refusals.append(
            f"{PREFIX}MEMORY_MIB must be {app + heavy:,} MiB or more, not {memory:,}: "
            f"{app:,} are for the app (APP_MIB) and {heavy:,} for a run (HEAVY_MIB)."
        )
    return refusals


def limit_rows() -> Iterator[str]:
    """Yield a row of a markdown table for each limit: its name, its default value with the unit, and its reason.

    A limit whose default depends on the machine has a dash in place of the value.
    """
    for limit in LIMITS.values():
        value = f"{limit.default:,} {limit.unit}" if limit.default else "–"
        yield f"| `{limit.name}` | {value} | {limit.reason} |"


# What a visitor types.
TEXT_CHARACTERS = _limit("TEXT_CHARACTERS", 4000, "characters", 100, 16_000, "an address carries no more")
TOKENS = _limit("TOKENS", 512, "tokens", 16, 1024, "weights grow with the square of a text's length")
PASTED_CHARACTERS = _limit(
    "PASTED_CHARACTERS", 50_000, "characters", 1000, 1_000_000, "a tokenizer learns them in seconds"
)
SENTENCE_CHARACTERS = _limit(
    "SENTENCE_CHARACTERS", 300, "characters", 40, 2000, "a sentence beside the text, in the address as well"
)
LISTED_CHARACTERS = _limit("LISTED_CHARACTERS", 2000, "characters", 100, 8000, "a list of words, in the address")
BRANCH_CHARACTERS = _limit("BRANCH_CHARACTERS", 400, "characters", 40, 2000, "the forced tokens, in the address")
PAINTING_LETTERS = _limit("PAINTING_LETTERS", 4000, "letters", 100, 16_000, "a painted mask, in the address")
PAINTING_STROKES = _limit("PAINTING_STROKES", 1000, "strokes", 10, 10_000, "one message of a browser holds no more")
READ_CHARACTERS = _limit(
    "READ_CHARACTERS", 200_000, "characters", 4000, 10**7, "what is behind them is cut off by the tokens anyway"
)
SEGMENTED_CHARACTERS = _limit(
    "SEGMENTED_CHARACTERS", 1000, "characters", 40, 10_000, "the best ways to cut a text take memory for each letter"
)
CUT_CHARACTERS = _limit("CUT_CHARACTERS", 20_000, "characters", 1000, 10**6, "the same for all ways of one call")

# What a visitor sets.
D_MODEL = _limit("D_MODEL", 1024, "numbers", 64, 1024, "with random weights, which grow with its square")
HEADS = _limit("HEADS", 16, "heads", 4, 16, "with random weights: as many as have a colour each")
LAYERS = _limit("LAYERS", 12, "layers", 3, 12, "with random weights: time and memory grow with them")
D_FF = _limit("D_FF", 4096, "numbers", 256, 4096, "four times the widest d_model")
WRITTEN_TOKENS = _limit("WRITTEN_TOKENS", 200, "tokens", 16, 400, "each is a run of the model")
DRAWN_TEXTS = _limit("DRAWN_TEXTS", 8, "texts", 4, 32, "texts drawn at once are written at once")
BEAMS = _limit("BEAMS", 8, "texts", 3, 32, "a beam keeps as many texts")
TRAINING_STEPS = _limit(
    "TRAINING_STEPS", 5000, "steps", 500, 50_000, "word vectors that are trained live have learned all by then"
)
STACKED_LAYERS = _limit("STACKED_LAYERS", 64, "layers", 12, 64, "forward and backward through all of them")

# What an experiment reads of a text.
STACKED_TOKENS = _limit("STACKED_TOKENS", 32, "tokens", 8, 128, "deep stacks run for each seed and wiring")
PATCHED_TOKENS = _limit("PATCHED_TOKENS", 32, "tokens", 8, 32, "each token before each layer is a run of its own")
JUDGED_TOKENS = _limit("JUDGED_TOKENS", 96, "tokens", 16, 256, "each word left out is a run of its own")
FAR_POSITIONS = _limit("FAR_POSITIONS", 1024, "tokens", 512, 2048, "a text repeated past a model's trained length")
LEARNED_WORDS = _limit("LEARNED_WORDS", 200, "words", 50, 2000, "a vocabulary of which a map can be read")
MAPPED_WORDS = _limit("MAPPED_WORDS", 120, "words", 20, 500, "more cannot be told apart on a map")
COMPARED_WORDS = _limit("COMPARED_WORDS", 24, "words", 8, 100, "each is a row and a column")
LEANING_WORDS = _limit("LEANING_WORDS", 60, "words", 10, 200, "each is a bar")

# What the server keeps and does.
MEMORY_MIB = _limit(
    "MEMORY_MIB", 0, "MiB", 1, 2**24, "what the server may take in all: 900 on Streamlit Cloud, else by what is free"
)
APP_MIB = _limit("APP_MIB", 650, "MiB", 1, 2**20, "the share of that for the app, its caches and thirty visitors")
HEAVY_MIB = _limit("HEAVY_MIB", 32, "MiB", 8, 2**20, "runs that need more go one at a time, through the queue")
RESERVE_MIB = _limit("RESERVE_MIB", 50, "MiB", 0, 2**20, "beyond `MEMORY_MIB` for light runs, when all else has gone")
GPU_SPARE_MIB = _limit(
    "GPU_SPARE_MIB", 1024, "MiB", 0, 2**20, "what no run takes of a GPU's free memory: its libraries need some"
)
PROCESSORS = _limit("PROCESSORS", 4, "threads", 1, 256, "a heavy run gains little from more")
QUEUED = _limit("QUEUED", 20, "jobs", 1, 1000, "whoever comes later would wait for minutes")
QUEUE_SECONDS = _limit("QUEUE_SECONDS", 60, "seconds", 1, 3600, "nobody looks at a spinner for longer")
UNASKED_SECONDS = _limit("UNASKED_SECONDS", 3, "seconds", 1, 60, "what takes longer runs only when it is asked for")
JOB_SECONDS = _limit("JOB_SECONDS", 120, "seconds", 5, 3600, "others wait for a heavy run's end")
MEASURE_SECONDS = _limit("MEASURE_SECONDS", 5, "seconds", 2, 60, "enough for steady medians")
TRAINER_SECONDS = _limit("TRAINER_SECONDS", 20, "seconds", 5, 600, "a tokenizer for the most text takes half of it")
TRAINER_MIB = _limit("TRAINER_MIB", 1024, "MiB", 256, 2**20, "addresses, not memory, of the trainer's own process")
RECORD_MB = _limit("RECORD_MB", 24, "MB", 1, 10_000, "results of one kind, kept for all visitors")
SMALL_RECORD_MB = _limit("SMALL_RECORD_MB", 6, "MB", 1, 10_000, "the same for small results")
WRITTEN_MB = _limit("WRITTEN_MB", 6, "MB", 1, 10_000, "written texts, in pieces")
VARIANTS_MB = _limit("VARIANTS_MB", 12, "MB", 1, 10_000, "runs with one part of a block taken away")
DRAWS_MB = _limit("DRAWS_MB", 48, "MB", 1, 10_000, "random vectors drawn up to a d_k of 1,024")
TRAINED_MODELS = _limit("TRAINED_MODELS", 32, "models", 1, 1000, "trained models of which card and tokenizer are kept")
WEIGHTS_MIB = _limit(
    "WEIGHTS_MIB", 128, "MiB", 1, 2**20, "models that were used last, and one larger; others are read or made again"
)

# What is read from a file.
SHIPPED_MB = _limit("SHIPPED_MB", 60, "MB", 1, 10_000, "the weights of a shipped model in float32")
JSON_MIB = _limit("JSON_MIB", 4, "MiB", 1, 1000, "a card or a config")
MEASURED_MIB = _limit("MEASURED_MIB", 16, "MiB", 1, 1000, "numbers that were measured once, and lists of words")
TOKENIZER_MIB = _limit("TOKENIZER_MIB", 16, "MiB", 1, 1000, "a tokenizer of ours")
VOCABULARY_MIB = _limit("VOCABULARY_MIB", 64, "MiB", 1, 1000, "the vocabulary of somebody else's model")
SHARDS = _limit("SHARDS", 500, "files", 1, 10_000, "the weights of somebody else's model")
FILE_SIZES = _limit(
    "FILE_SIZES", 2**24, "numbers", 10_000, 2**31, "no real model has a longer vocabulary or a wider layer"
)
FILE_LAYERS = _limit("FILE_LAYERS", 100, "layers", 1, 1000, "making a module takes time for each")
FILE_HEADS = _limit("FILE_HEADS", 128, "heads", 1, 1024, "of one layer: as many as the largest models have")

if __name__ == "__main__":
    print("| variable | value | why |\n|---|---|---|", *limit_rows(), sep="\n")
