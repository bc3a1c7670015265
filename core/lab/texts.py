"""Define tasks on texts: predict the next character of the shipped stories, or of a text that a visitor pasted."""

import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Sequence
from functools import cache, partial
from hashlib import blake2s
from pathlib import Path
from sys import getsizeof
from threading import Lock

import numpy as np

from core.checkpoints.firing import POOL
from core.checkpoints.measured import MEASURED_FOLDER, load_measured, rebuild_measured
from core.lab.task import FIRST_TOKEN_ID, UNPREDICTED_TOKENS, Rows, Task
from core.limits import PASTED_CHARACTERS
from core.text.broken_file import BrokenFile
from core.text.words import ARROWS, SPACE, visible

WINDOW = 48  # characters of a row
NEW_LINE = ARROWS["\n"]
HELD_OUT_EVERY = 10  # of ten passages one is held out; of a pasted text, its last tenth
STORY_SYMBOLS = (*"abcdefghijklmnopqrstuvwxyz", *".,;:!?'\"-", SPACE, NEW_LINE)

TEXT = "text-"  # the prefix of the name of a pasted text's task
FEWEST_CHARACTERS = 100  # of a pasted text
FEWEST_HELD_OUT = WINDOW  # of rows at different places
LONG_CHARACTERS = 5_000  # of a text from which more than pairs can be learned
MOST_SYMBOLS = 100  # of its vocabulary
RARE = "□"  # replaces all rarer characters
MOST_TEXTS, MOST_BYTES = 50, 5_000_000  # of pasted texts in memory

SETTINGS = {
    "layers": 2,
    "heads": 4,
    "d_model": 64,
    "positions": "rotary",
    "batch": 16,
    "lr": 3e-3,
    "steps": 2000,
}


def spelled(text: str) -> list[str]:
    """Return a text as one symbol for each character: “␣” for a space, and “↵” for a new line."""
    signs = {" ": SPACE, "\n": NEW_LINE}
    return [signs.get(character, character) for character in text]


def draw_windows(ids: np.ndarray, begins: range | np.ndarray, rng: np.random.Generator, rows: int) -> Rows:
    """Draw rows of WINDOW tokens from a text; all tokens of a row but the first few are to be predicted.

    ids (N,): the text.
    begins: the places at which a row may begin.
    """
    starts = np.array([begins[number] for number in rng.integers(0, len(begins), rows)])
    windows = ids[starts[:, None] + np.arange(WINDOW)].astype(np.int64)
    return Rows(windows, np.broadcast_to(np.arange(WINDOW) >= UNPREDICTED_TOKENS, windows.shape))


def row_begins(ids: np.ndarray) -> range:
    """Return all places of a text (N,) at which a row can begin."""
    return range(len(ids) - WINDOW + 1)


def unseen_begins(ids: np.ndarray, trained: np.ndarray) -> np.ndarray:
    """Return the places of a text at which a row begins that does not occur in the text of training."""
    text, known = ids.tobytes(), trained.tobytes()  # one byte for each token
    rows = {text[place : place + WINDOW] for place in row_begins(ids)}
    seen = rows.intersection(known[place : place + WINDOW] for place in row_begins(trained))
    return np.array([place for place in row_begins(ids) if text[place : place + WINDOW] not in seen], dtype=np.int32)


def read_passages(folder: Path = MEASURED_FOLDER) -> tuple[str, ...]:
    """Return the passages of children's books that are shipped.

    Raises BrokenFile if their file is missing or damaged.
    """
    passages = load_measured(POOL, folder).get("passages")
    if not isinstance(passages, list) or not all(isinstance(passage, str) for passage in passages):
        raise BrokenFile(f"The file {POOL}.json holds no passages of books.", rebuild_measured(POOL))
    return tuple(passages)


def story_ids(passages: Sequence[str]) -> np.ndarray:
    """Return the ids of passages in lower case, a new line between two; characters of no symbol are left out."""
    ids = {symbol: FIRST_TOKEN_ID + number for number, symbol in enumerate(STORY_SYMBOLS)}
    text = unicodedata.normalize("NFD", "\n".join(passages)).lower()
    return np.array([ids[symbol] for symbol in spelled(text) if symbol in ids], dtype=np.uint8)


@cache
def story_parts() -> tuple[np.ndarray, np.ndarray]:
    """Return the ids of the stories in two parts: that of training, and every tenth passage, which is held out.

    Raises BrokenFile if their file is missing or damaged, or too short.
    """
    passages = read_passages(MEASURED_FOLDER)
    trained = [passage for number, passage in enumerate(passages) if number % HELD_OUT_EVERY]
    parts = story_ids(trained), story_ids(passages[::HELD_OUT_EVERY])
    if min(map(len, parts)) < WINDOW:
        raise BrokenFile(f"The file {POOL}.json holds too few passages of books.", rebuild_measured(POOL))
    return parts


def _draw_stories(held_out: bool, rng: np.random.Generator, rows: int) -> Rows:
    part = story_parts()[held_out]
    return draw_windows(part, row_begins(part), rng, rows)


STORIES = Task(
    "stories",
    "Go on with a story, character by character",
    f"A row is {WINDOW} characters from anywhere in passages of old children's books, in lower case: “{SPACE}” is a "
    f"space, and “{NEW_LINE}” stands between two passages. Every tenth passage is never in training.",
    STORY_SYMBOLS,
    partial(_draw_stories, False),
    " ".join(spelled("the goose said to the boy: the goose is not home")),
    "By step 100 the loss on passages that it never saw is below that of a model that sees only the letter before; by "
    "step 2,000 half of their characters are right. By step 500 a head of the last layer gives most of its weight to "
    "the character before.",
    None,
    SETTINGS,
    partial(_draw_stories, True),
    "below pairs",
    WINDOW,
    "passages of children's books",
    "public domain in the USA",
)


BY_HEART = (
    "By step 200 the model knows the text by heart: nearly every character is right. With a text of 1,000 characters "
    "or more that does not repeat itself, the last tenth would be kept out of training."
)
TOO_SHORT = (
    "The loss on the last tenth is lowest before step 200, close to that of a model that sees only the letter before, "
    "and rises again: so short a text is learned by heart. With 5,000 characters of sentences or more, the model "
    "learns more than that."
)
LONG = (
    "By step 200 the loss on the last tenth is below that of a model that sees only the letter before. Later it rises "
    "again, while that of training goes on falling: the text is learned by heart. The longer the text, the later."
)


class PastedTexts:
    """The tasks of the texts that were pasted into this process, bounded by their number and their bytes.

    If there are too many, the least recently used one is dropped. Threads may share it.

    most: the number of texts; most_bytes: of all of them. The last one stays even if it has more.
    """

    def __init__(self, most: int = MOST_TEXTS, most_bytes: int = MOST_BYTES) -> None:
        self.most, self.most_bytes = most, most_bytes
        self._texts: OrderedDict[str, tuple[Task, str]] = OrderedDict()
        self._lock = Lock()

    def keep(self, task: Task, text: str) -> Task:
        """Keep the task of a text, and return it; if the text is kept already, return the kept task.

        Raises ValueError if another text is kept under this name.
        """
        with self._lock:
            kept, its_text = self._texts.setdefault(task.name, (task, text))
            if its_text != text:
                raise ValueError("This text cannot be told apart from another one: change a letter of it.")
            self._texts.move_to_end(task.name)
            while len(self._texts) > 1 and (len(self._texts) > self.most or self._nbytes > self.most_bytes):
                self._texts.popitem(last=False)
            return kept

    def task(self, name: str) -> Task:
        """Return the task of a name.

        Raises ValueError if its text is no longer in memory.
        """
        with self._lock:
            if name not in self._texts:
                raise ValueError("This text is not here any more: paste it again.")
            self._texts.move_to_end(name)
            return self._texts[name][0]

    @property
    def _nbytes(self) -> int:
        """The bytes of all texts, each kept as text, as ids of one byte, and as places in its last tenth."""
        return sum(getsizeof(text) + 2 * len(text) for _, text in self._texts.values())


PASTED = PastedTexts()


def text_task(text: str) -> Task:
    """Return the task to predict the next character of a text; its name finds it while the text is in memory.

    The name follows from the text alone. Runs of spaces become one, empty lines and characters that cannot be shown are
    left out, and the rarest characters become one sign if there are more than MOST_SYMBOLS different ones. The last
    tenth is held out, except rows that also occur in the rest, if enough rows remain.

    Raises ValueError, with a sentence, for a text that cannot be learned from.
    """
    cleaned = cleaned_text(text)
    tokens = text_symbols(spelled(cleaned))
    known = {token: FIRST_TOKEN_ID + number for number, token in enumerate(tokens)}
    ids = np.array([known.get(symbol, known[tokens[-1]]) for symbol in spelled(cleaned)], dtype=np.uint8)
    tenth = len(ids) // HELD_OUT_EVERY
    trained, last = ids[:-tenth], ids[-tenth:]
    unseen = unseen_begins(last, trained) if tenth >= WINDOW else np.arange(0)
    held_out = partial(draw_windows, last, unseen) if len(unseen) > FEWEST_HELD_OUT else None
    trained = ids if held_out is None else trained
    probe = (trained if held_out is None else last)[:WINDOW]
    name = TEXT + blake2s(cleaned.encode(), digest_size=4).hexdigest()
    task = Task(
        name,
        f"Go on with a pasted text of {len(ids):,} characters",
        _about(tokens, held_out is not None),
        tokens,
        partial(draw_windows, trained, row_begins(trained)),
        " ".join(tokens[number - FIRST_TOKEN_ID] for number in probe),
        BY_HEART if held_out is None else TOO_SHORT if len(ids) < LONG_CHARACTERS else LONG,
        None,
        SETTINGS,
        held_out,
        "below pairs",
        WINDOW,
        "a text that somebody pasted",
        "that of the text",
    )
    return PASTED.keep(task, cleaned)


def _about(tokens: Sequence[str], is_held_out: bool) -> str:
    """Return a sentence that describes a row of a pasted text."""
    rare = f", and “{RARE}” any rare character" if len(tokens) == MOST_SYMBOLS and tokens[-1] == RARE else ""
    kept = (
        "The last tenth of the text is never in training."
        if is_held_out
        else "The text is too short, or repeats itself too much, to keep a part of it out of training, so what is "
        "measured is how well the model knows it by heart."
    )
    return (
        f"A row is {WINDOW} characters from anywhere in a pasted text: “{SPACE}” is a space, “{NEW_LINE}” a new line"
        f"{rare}. {kept}"
    )


def cleaned_text(text: str) -> str:
    """Return a pasted text with single spaces and no empty lines, without characters that cannot be shown.

    Raises ValueError, with a sentence, if it is too long, too short, or one character again and again.
    """
    if len(text) > PASTED_CHARACTERS:
        raise ValueError(
            f"This text has {len(text):,} characters, and {PASTED_CHARACTERS:,} are the most: paste a part of it."
        )
    if not text.strip():
        raise ValueError(f"There is no text: paste one of at least {FEWEST_CHARACTERS} characters.")
    shown = {character for character in set(text) if visible(f"x{character}") == f"x{character}"}
    lines = [" ".join("".join(filter(shown.__contains__, word)) for word in line.split()) for line in text.splitlines()]
    cleaned = unicodedata.normalize("NFC", "\n".join(" ".join(line.split()) for line in lines if line.strip()))
    different = set(cleaned) - {" ", "\n"}
    if not different:
        raise ValueError("This text has no characters that can be shown: paste one with letters.")
    if len(different) == 1:
        raise ValueError(f"This text has no other character than “{different.pop()}”: paste one with words.")
    if len(cleaned) < FEWEST_CHARACTERS:
        raise ValueError(
            f"This text has only {len(cleaned)} characters, and {FEWEST_CHARACTERS} are the least: paste a longer one."
        )
    return cleaned


def text_symbols(symbols: Sequence[str]) -> tuple[str, ...]:
    """Return the vocabulary of a text, sorted: its symbols, or the most frequent ones and RARE for all others."""
    counts = Counter(symbols)
    if len(counts) <= MOST_SYMBOLS:
        return tuple(sorted(counts))
    frequent = sorted(counts.keys() - {RARE}, key=lambda symbol: (-counts[symbol], symbol))[: MOST_SYMBOLS - 1]
    return (*sorted(frequent), RARE)
