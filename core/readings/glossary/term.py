"""One entry of the glossary."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word of the field, explained.

    text: one to three sentences; what is bold in it is a term itself. forms: other ways to write the term. seen: the
    page where it is best seen, and after a slash its view. formula: LaTeX, with the shapes. paper: who brought it in,
    and when. code: dotted paths of what computes it. bold_only: its single words are everyday words too, and the
    term only in bold.
    """

    name: str
    text: str
    forms: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    formula: str = ""
    paper: str = ""
    code: tuple[str, ...] = ()
    bold_only: bool = False
