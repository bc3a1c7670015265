"""Reads the training text: gzip files of UTF-8 lines.

Every error is a ValueError that names the file and, if there is one, the line.
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

FREE = "public domain"
HELD_OUT_BOOKS = 6  # of the stories: two for validation, four for the score
TATOEBA = {
    "text": "Tatoeba, tatoeba.org and its contributors, by way of manythings.org/anki",
    "licence": "CC BY 2.0 FR",
}
MULTI30K = {
    "text": "Multi30K, task 1 (Elliott et al. 2016, 2017): captions of Flickr30K",
    "licence": "non-commercial research and education",
}


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of one gzip file of UTF-8 text, without their line ends; blank lines are kept.

    Only ``\\n`` ends a line, so line numbers agree with other programs.
    """
    number = 1
    try:
        with gzip.open(path, "rb") as file:
            for raw in file:
                yield raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
                number += 1
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}, line {number}: not UTF-8 ({error.reason} at byte {error.start}).") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}, line {number}: not readable as gzip ({error}).") from error


def books(folder: Path) -> list[Path]:
    """Return the public-domain files that ``folder/MANIFEST.tsv`` lists, sorted by name."""
    manifest = folder / "MANIFEST.tsv"
    try:
        head, *rows = [row.split("\t") for row in manifest.read_text(encoding="utf-8").splitlines()]
        name, licence = head.index("file"), head.index("licence")
    except FileNotFoundError:
        raise ValueError(f"{manifest} does not exist.") from None
    except ValueError as error:
        raise ValueError(f"{manifest}, line 1: columns 'file' and 'licence' are needed ({error}).") from error
    for number, row in enumerate(rows, start=2):
        if len(row) != len(head):
            raise ValueError(f"{manifest}, line {number}: {len(row)} columns, not {len(head)}.")
    free = sorted(folder / row[name] for row in rows if row[licence].startswith(FREE))
    if not free:
        raise ValueError(f"{manifest} lists no file with a licence that starts with '{FREE}'.")
    return free


def split_stories(data: Path, seed: int) -> dict[str, list[Path]]:
    """Split the books of ``data/stories``: two to validate on, four for the score, the others to train on.

    Raises ValueError if a book is missing or there are too few.
    """
    paths = books(data / "stories")
    if len(paths) <= HELD_OUT_BOOKS:
        raise ValueError(f"{data / 'stories'} has {len(paths)} books; more than {HELD_OUT_BOOKS} are needed.")
    for path in paths:
        if not path.exists():
            raise ValueError(f"{path} does not exist.")
    shuffled = [paths[i] for i in np.random.default_rng(seed).permutation(len(paths))]
    return {
        "validation": shuffled[:2],
        "test": shuffled[2:HELD_OUT_BOOKS],
        "train": sorted(shuffled[HELD_OUT_BOOKS:]),
    }


def book_lines(path: Path) -> list[str]:
    """Return the paragraphs of one book, without blank lines."""
    return [line for line in lines(path) if line.strip()]


def paragraphs(data: Path) -> Iterator[str]:
    """Yield the non-blank lines of all public-domain books in ``data/general`` and ``data/stories``."""
    for folder in ("general", "stories"):
        for path in books(data / folder):
            yield from book_lines(path)


def sentence_pairs(data: Path) -> Iterator[tuple[str, str]]:
    """Yield the (English, French) sentence pairs of Tatoeba, CC BY 2.0 FR."""
    path = data / "tatoeba" / "en-fr.tsv.gz"
    for number, line in enumerate(lines(path), start=1):
        sides = line.split("\t")
        if len(sides) != 2 or not all(side.strip() for side in sides):
            raise ValueError(f"{path}, line {number}: {len(sides)} columns, not English TAB French.")
        yield sides[0], sides[1]


def captions(data: Path, part: str) -> list[tuple[str, str]]:
    """Return the (English, French) captions of one part of Multi30k, such as "train" or "test_2016_flickr"."""
    sides = [[line.strip() for line in lines(data / "multi30k" / f"{part}.{side}.gz")] for side in ("en", "fr")]
    path = data / "multi30k" / f"{part}.fr.gz"
    if len(sides[0]) != len(sides[1]):
        raise ValueError(f"{path}: {len(sides[1])} lines, but {part}.en.gz has {len(sides[0])}.")
    for number, pair in enumerate(zip(*sides, strict=True), start=1):
        if not all(pair):
            raise ValueError(f"{path}, line {number}: this caption is empty here or in {part}.en.gz.")
    return list(zip(*sides, strict=True))


def labelled(path: Path) -> list[tuple[str, int]]:
    """Return the (sentence, label) rows of one file of the sentiment data; label 1 is positive, 0 negative."""
    rows = []
    for number, line in enumerate(lines(path), start=1):
        sentence, tab, label = line.rpartition("\t")
        if not tab or not sentence.strip() or label not in ("0", "1"):
            raise ValueError(f"{path}, line {number}: not sentence TAB 0 or 1.")
        rows.append((sentence, int(label)))
    return rows
