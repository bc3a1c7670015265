"""Data of every kind that the recipes read, a few hundred sentences of invented words."""

import gzip
from collections.abc import Iterable
from pathlib import Path

import numpy as np


def zipped(path: Path, rows: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(f"{row}\n" for row in rows).encode()))


def write_corpus(folder: Path) -> None:
    """Fill a folder as the recipes want their data; some sentences stand on both sides of a split, as in real data."""
    rng = np.random.default_rng(5)
    letters = np.array(list("abcdefghijklmnoprstuvw"))
    words = ["".join(rng.choice(letters, rng.integers(2, 8))) for _ in range(1500)]

    def sentence() -> str:
        return " ".join(rng.choice(words, rng.integers(2, 7))).capitalize() + "."

    english = [sentence() for _ in range(300)]
    pairs = [(e, sentence()) for e in english for _ in range(1 + ord(e[0]) % 2)]
    pairs += [(english[0].upper().replace(".", " !"), "Autre."), (english[1].replace(".", "?"), "Quoi ?")]
    multi = {part: [(sentence(), sentence()) for _ in range(12)] for part in ("train", "val", "test_2016_flickr")}
    multi["train"] += [(english[2], "Encore."), (english[3].lower(), "Toujours.")]
    pairs += [(multi["val"][0][0], "Fuite."), (multi["test_2016_flickr"][0][0].upper(), "Fuite !")]
    zipped(folder / "tatoeba" / "en-fr.tsv.gz", ["\t".join(pair) for pair in pairs])
    for part, rows in multi.items():
        zipped(folder / "multi30k" / f"{part}.en.gz", [row[0] for row in rows])
        zipped(folder / "multi30k" / f"{part}.fr.gz", [row[1] for row in rows])
    reviews = [(sentence().lower(), int(rng.integers(2))) for _ in range(400)]
    for split, kept in (("train", slice(100)), ("train_phrases", slice(350)), ("dev", slice(350, 400))):
        zipped(folder / "sst2" / f"{split}.tsv.gz", [f"{text}\t{label}" for text, label in reviews[kept]])
    for room in ("stories", "general"):
        names = [f"{room}{number}.txt.gz" for number in range(8)]
        for name in names:
            zipped(folder / room / name, [" ".join(sentence() for _ in range(12)) for _ in range(25)])
        manifest = ["file\tlicence", *(f"{name}\tpublic domain" for name in names)]
        (folder / room / "MANIFEST.tsv").write_text("\n".join(manifest) + "\n")
