"""The glossary, read from its file: all terms by group, by name, and by any way to write them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

GLOSSARY_FILE = Path(__file__).parents[2] / "assets/glossary.toml"


class BrokenGlossary(ValueError):
    """The error for a file that is no glossary; the message names the term."""


@dataclass(frozen=True)
class Term:
    """A word of the field, explained.

    text: one to three sentences; a word that is bold in it is a term itself.
    forms: other ways to write the term.
    seen: the pages where it is best seen, each with a view after a slash if it has one.
    formula: LaTeX, with the shapes.
    paper: who brought it in, and when.
    code: dotted paths of the functions that compute it.
    bold_only: whether its one-word forms are everyday words too, which mean the term only if they are bold.
    """

    name: str
    text: str
    forms: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    formula: str = ""
    paper: str = ""
    code: tuple[str, ...] = ()
    bold_only: bool = False


def read_glossary(path: Path = GLOSSARY_FILE) -> Mapping[str, tuple[Term, ...]]:
    """Return the terms by the names of their groups, in the order of the file.

    Raises BrokenGlossary if the file cannot be read, or a field is missing or unknown.
    """
    try:
        groups = tomllib.loads(path.read_text(encoding="utf-8"))["groups"]
        return MappingProxyType({group["name"]: tuple(map(_term, group["terms"])) for group in groups})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as mistake:
        raise BrokenGlossary(f"{path.name}: {mistake}") from mistake


def _term(fields: Mapping[str, Any]) -> Term:
    lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    try:
        return Term(**dict(fields) | lists)
    except TypeError as mistake:
        raise TypeError(f"“{fields.get('name', '')}”: {mistake}") from mistake


GROUPS = read_glossary()
BY_NAME: Mapping[str, Term] = {
    term.name: term
    for term in sorted((term for group in GROUPS.values() for term in group), key=lambda term: term.name.casefold())
}
BY_FORM: Mapping[str, Term] = {form.casefold(): term for term in BY_NAME.values() for form in (term.name, *term.forms)}


def matching(words: str) -> tuple[str, ...]:
    """Return the names of the terms that hold all these words, from A to Z.

    A single letter finds the terms that begin with it.
    """
    wanted = words.casefold().split()
    if len(wanted) == 1 and len(wanted[0]) == 1:
        return tuple(name for name in BY_NAME if name.casefold().startswith(wanted[0]))
    return tuple(name for name, term in BY_NAME.items() if all(word in _searched_text(term) for word in wanted))


def _searched_text(term: Term) -> str:
    return " ".join((term.name, *term.forms, term.text, term.paper)).casefold()


def glossary_text() -> str:
    """Return the text of all entries without marks for bold type, one entry a line."""
    return "\n".join(term.text.replace("**", "") for term in BY_NAME.values())
