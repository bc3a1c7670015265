"""One entry of the glossary."""

from dataclasses import dataclass


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
