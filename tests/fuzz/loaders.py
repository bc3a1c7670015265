"""Everything that reads a file of a model, tried on spoilt files: run by `tests/fuzz/test_loaders.py` in a process of
its own, which may take no more than so much memory.

    python -m tests.fuzz.loaders FIRST COUNT [NAME …]
"""

import resource
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from traceback import extract_tb, format_exc

import torch

from core.checkpoints import shipped
from core.checkpoints.firing import load_firing
from core.checkpoints.head_records import load_heads
from core.checkpoints.measured import MEASURED_FOLDER
from core.checkpoints.real import places
from core.device import Placement
from core.model.transformer import Transformer
from core.readings.models import describe_card
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import TOKENIZERS_FOLDER, Tokenizer
from core.topics.word_vectors.table import read_table
from tests.core.shelf import fill
from tests.fuzz.sound import FOLDERS, write_sound
from tests.fuzz.spoil import spoil_file

ROOM = 400 * 2**20  # bytes beside what the process has taken before the first file
ALL_TRIED = "all tried"
SECONDS = 20  # of the processor, for one file
CPU = Placement("cpu", "float32")
TEXT = "the cat sat <s> [MASK] é你👩"


@dataclass(frozen=True)
class Loader:
    """write: whole files into a folder. read: them from there, and use what was read."""

    write: Callable[[Path], object]
    read: Callable[[Path], object]


def use_model(model: Transformer, ids: torch.Tensor) -> None:
    with torch.inference_mode():
        model(*(ids if stack in model.config.stacks else None for stack in ("encoder", "decoder")))


def use_tokenizer(tokenizer: AnyTokenizer) -> torch.Tensor:
    ids = tokenizer.encode(TEXT, limit=8).ids
    tokenizer.decode(ids), tokenizer.labels(ids), tokenizer.describe(ids), tokenizer.target.encode("cat", limit=4)
    return torch.tensor([ids])


def read_shipped(folder: Path) -> None:
    for card in shipped.cards(folder).values():
        describe_card(card)
    for name in shipped.names(folder):
        found = shipped.read(name, folder)
        ids = torch.zeros(1, 3, dtype=torch.long)
        if "symbols" not in found.card.tokenizer:
            ids = use_tokenizer(shipped.tokenizer(name, folder))
        use_model(shipped.load(name, CPU, folder), ids)
        shipped.class_layer(name, folder)


MOST_BYTES = 50 * 2**20


def read_real(folder: Path) -> None:
    (name,) = places.real_names(folder)
    described, tokenizer = places.open_model(name, folder)
    if described.memory > MOST_BYTES:  # as the app judges by the description, before it reads any weight
        raise ValueError("It takes more memory than may be used.")
    use_model(places.load(name, CPU, folder), use_tokenizer(tokenizer))


def one_model(name: str) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        with TemporaryDirectory() as all_models:
            shutil.copytree(fill(Path(all_models)) / name, folder / name)

    return write


def write_words(folder: Path) -> None:
    one_model("words")(folder)
    (folder / "words").rename(folder / "word-vectors")
    (folder / "word-vectors/words.txt").write_text("the cat sat on a mat so")


def copied(place: Path, *names: str) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        for name in names:
            shutil.copy(place / name, folder)

    return write


def neurons_of(folder: Path) -> object:
    found = shipped.read("reader").config
    return load_firing("reader", found, folder)


def heads_of(folder: Path) -> object:
    return load_heads("storyteller", shipped.read("storyteller").config, folder)


LOADERS: Mapping[str, Loader] = {
    **{name: Loader(one_model(name), read_shipped) for name in ("toy-reverse", "storyteller", "sentiment")},
    "recurrent": Loader(one_model("rnn"), lambda folder: shipped.load_recurrent("rnn", folder)),
    "word-vectors": Loader(write_words, read_table),
    "tokenizer": Loader(
        copied(TOKENIZERS_FOLDER, "bpe-1000.model"), lambda folder: use_tokenizer(Tokenizer.load("bpe-1000", folder))
    ),
    "heads": Loader(copied(MEASURED_FOLDER, "heads-storyteller.safetensors"), heads_of),
    "neurons": Loader(copied(MEASURED_FOLDER, "neurons-reader.safetensors", "neuron-texts.json"), neurons_of),
    **{name: Loader(partial(write_sound, name), read_real) for name in FOLDERS},
}


def try_one(name: str, number: int | None, folder: Path) -> str:
    """Spoil one file of a loader in the way of this number, and read it: what is wrong with what came of it.

    None spoils nothing, and lets every error through.
    """
    loader, rng = LOADERS[name], Random(f"{name} {number}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    loader.write(folder)
    if number is None:
        loader.read(folder)
        return ""
    how = spoil_file(rng.choice(sorted(path for path in folder.rglob("*") if path.is_file())), rng)
    begun = time.thread_time()
    try:
        loader.read(folder)
    except ValueError as refusal:
        said, last = str(refusal), extract_tb(refusal.__traceback__)[-1]
        if not (last.line or "").startswith("raise") or str(folder) in said or len(said) > 600:
            return f"{how}: refused with {said[:300]!r} by {last.filename}:{last.lineno}"
    except BaseException as error:
        return f"{how}: {error!r}\n{format_exc()[-1500:]}"
    taken = time.thread_time() - begun
    return f"{how}: {taken:.0f} seconds" if taken > SECONDS else ""


def main(first: int, count: int, names: Sequence[str]) -> None:
    """Prints each case before it is tried, and behind it what went wrong; at the end, that all were tried."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "here"
        for name in names:
            try_one(name, None, folder)
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, taken + ROOM))
        for name in names:
            for number in range(first, first + count):
                print(f"{name} {number}", flush=True)
                if wrong := try_one(name, number, folder):
                    print(f"WRONG {wrong}", flush=True)
    print(ALL_TRIED, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or tuple(LOADERS))
