"""List the texts that the shipped files were made from: their authors, their licences, and what hosts must observe.

The sources are listed in the table DATA_SOURCES. Which file was made from which is read from the cards of the files.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.limits import MEASURED_MIB
from core.memory import MIB
from core.text.bounded_read import bounded_bytes, strict_json

ASSETS = Path(__file__).parents[2] / "assets"
FREE_TERMS, NAMED_TERMS, UNSTATED_TERMS, RESEARCH_TERMS = (
    "free to use",
    "name its people",
    "no licence stated",
    "non-commercial",
)
KINDS = (FREE_TERMS, NAMED_TERMS, UNSTATED_TERMS, RESEARCH_TERMS)


@dataclass(frozen=True)
class DataSource:
    """A collection of texts.

    marks: words by which a card names it; each card that uses it has one of them.
    texts: what kind of texts they are, as part of a sentence.
    kind: one of `KINDS`.
    licence: as the cards state it.
    people: who wrote and collected the texts.
    used: which part of it the project uses.
    asks: what the licence means for people who host or sell the app.
    links: pairs of a name and an address.
    """

    name: str
    marks: tuple[str, ...]
    texts: str
    kind: str
    licence: str
    people: str
    used: str
    asks: str
    links: tuple[tuple[str, str], ...] = ()


DATA_SOURCES = (
    DataSource(
        "Books",
        ("books", "passages of"),
        "old books",
        FREE_TERMS,
        "public domain in the USA",
        "Their authors and translators, in the list of books; the volunteers of Project Gutenberg, GITenberg and "
        "Standard Ebooks, who typed and checked them; NLTK and the PyTorch examples, from which two files came",
        "160 texts: children's books, novels, histories, plays, speeches and the World Factbook of 1992. Headers, "
        "notes and contents were removed, and paragraphs with racial slurs dropped. The name of Project Gutenberg and "
        "its licence text were taken out, as it asks of those who use the bare text.",
        "Nothing in the USA. Elsewhere a few authors are protected until 70 years after their death: Howard R. Garis "
        "to 2032, Dorothy Canfield Fisher to 2028, Thornton W. Burgess to 2035, Henry Beston to 2038. "
        "The Authorized Version of the Bible has rules of its own in the United Kingdom.",
        (("Project Gutenberg", "https://www.gutenberg.org"), ("GITenberg", "https://github.com/GITenberg")),
    ),
    DataSource(
        "Tatoeba",
        ("Tatoeba",),
        "everyday sentences",
        NAMED_TERMS,
        "CC BY 2.0 FR",
        "The contributors of Tatoeba, tatoeba.org; paired by manythings.org/anki",
        "177,308 English sentences with French translations. Typographic marks were made plain; doubles and damaged "
        "rows were dropped.",
        "Keep this page, or name Tatoeba, its contributors and the licence in another place that visitors find. Then "
        "it may be hosted and sold.",
        (
            ("Tatoeba", "https://tatoeba.org"),
            ("manythings.org/anki", "https://www.manythings.org/anki/"),
            ("CC BY 2.0 FR", "https://creativecommons.org/licenses/by/2.0/fr/"),
        ),
    ),
    DataSource(
        "SST-2",
        ("Stanford Sentiment Treebank",),
        "film reviews",
        UNSTATED_TERMS,
        "none stated by its authors; used in research",
        "Richard Socher, Alex Perelygin, Jean Wu, Jason Chuang, Christopher Manning, Andrew Ng and Christopher Potts "
        "(2013), on sentences of film reviews collected by Bo Pang and Lillian Lee (2005)",
        "Sentences and phrases of film reviews, each praise or blame.",
        "No licence says what is allowed. It is used in research and teaching everywhere; who earns money with what "
        "was made from it asks the authors first, or leaves those files out.",
        (("Stanford Sentiment Treebank", "https://nlp.stanford.edu/sentiment/"),),
    ),
    DataSource(
        "Multi30k",
        ("Multi30K",),
        "captions of pictures",
        RESEARCH_TERMS,
        "non-commercial research and education",
        "Desmond Elliott, Stella Frank, Khalil Sima'an and Lucia Specia (2016); with Loïc Barrault and Fethi Bougares "
        "(2017), who added French; on captions of Flickr30K, by Peter Young, Alice Lai, Micah Hodosh and Julia "
        "Hockenmaier (2014)",
        "30,014 English captions of pictures with French translations to train and choose on, 1,000 to score on; none "
        "of the pictures.",
        "Only research and teaching that earn no money: who sells the app, or a seat in a course with it, leaves out "
        "the files that were made from it.",
        (("Multi30k", "https://github.com/multi30k/dataset"),),
    ),
    DataSource(
        "Made here",
        ("made by the program", "written for this project"),
        "texts made by the program",
        FREE_TERMS,
        "none needed",
        "This project",
        "Letters drawn at random, our own sentences with pronouns and negations, those that judge translators, all "
        "examples, what the glossary says, and the words that no model writes.",
        "Nothing.",
    ),
)


@dataclass(frozen=True)
class ShippedFile:
    """A shipped file, or folder of files, that was made from texts.

    path: its path below the folder assets.
    what: a short description of it.
    sources: the names of its sources, in the order of DATA_SOURCES.
    """

    path: str
    what: str
    sources: tuple[str, ...]

    @property
    def name(self) -> str:
        """The last part of its path, without the suffix."""
        return Path(self.path).stem


@dataclass(frozen=True)
class Book:
    """A text in the public domain.

    people: its authors and translators.
    year: the year of this text or translation.
    edition: its collection, with its number there.
    repository: where the file was taken from.
    """

    title: str
    people: str
    year: str
    edition: str
    repository: str


def source_named(text: str) -> DataSource:
    """Return the source that a line of a card names.

    Raises ValueError unless the line names exactly one source.
    """
    sources = [source for source in DATA_SOURCES if any(mark in text for mark in source.marks)]
    if len(sources) != 1:
        raise ValueError(f"{text[:100]!r} names {len(sources)} of the sources, not one: add it to the table.")
    return sources[0]


@cache
def shipped_files(assets: Path = ASSETS) -> tuple[ShippedFile, ...]:
    """Return the files below a folder whose cards say that they were made from texts, by path.

    Raises ValueError if a card cannot be read, or names a source that is not in the table.
    """
    cards = [*assets.glob("models/*/card.json"), *assets.glob("*/card.json"), *assets.glob("measured/*.json")]
    files = [file for path in cards if (file := _shipped_file(path, assets))]
    return tuple(sorted(files, key=lambda file: file.path))


@cache
def books_read(assets: Path = ASSETS) -> tuple[Book, ...]:
    """Return all books that any of the shipped files was made from.

    Raises ValueError if the list is missing or damaged.
    """
    try:
        with (assets / "books.tsv").open(encoding="utf-8", newline="") as file:
            _, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Book(*row) for row in rows)
    except (OSError, ValueError, TypeError):
        raise ValueError("The list of books, assets/books.tsv, is missing or damaged.") from None


def _shipped_file(path: Path, assets: Path) -> ShippedFile | None:
    """Return the file of one card; None if the card names no texts."""
    name = (path.parent if path.name == "card.json" else path).relative_to(assets).as_posix()
    try:
        values = strict_json(bounded_bytes(path, MEASURED_MIB * MIB))
        data = values.get("data", [])
        lines = [data] if isinstance(data, str) else [record["text"] for record in data]
        what = values["what"] if lines else ""
    except (OSError, ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise ValueError(f"What assets/{name} was made from cannot be read: its card is damaged.") from None
    names = {source_named(line).name for line in lines}
    return (
        ShippedFile(name, what, tuple(source.name for source in DATA_SOURCES if source.name in names))
        if lines
        else None
    )
