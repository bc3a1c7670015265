"""Links from terms in prose to the glossary; `pages/canvas/terms` explains them where they are on the page."""

import re
from collections import defaultdict
from functools import cache, lru_cache
from urllib.parse import quote

from core.lessons.glossary import BY_FORM

GLOSSARY, TERM_KEY = "glossary", "glossary-term"  # the page's address, and its setting
# Text that is left as it is: code, formulas, icons, links and quotations.
UNMARKED_TEXT = r"`[^`]*`|\$\$.+?\$\$|\$[^$]+\$|:material/\w+:|!?\[[^\]]*\]\([^)]*\)|“[^”]*”"


def explained(markdown: str, seen: set[str] | None = None) -> str:
    """Return the project's own markdown with its terms as links to the glossary.

    Every term in bold becomes a link. If `seen` is given, a term that is not in bold becomes one where it first occurs
    on the page, unless it is an everyday word.

    seen: the names of the terms that the page has explained so far; those found here are added.
    """
    linked, names = _explained(markdown, None if seen is None else frozenset(seen))
    if seen is not None:
        seen |= names
    return linked


def term_address(name: str) -> str:
    """Return the URL of a term in the glossary, relative to any page of the app."""
    return f"{GLOSSARY}?{TERM_KEY}={quote(name)}"


@lru_cache(maxsize=1024)
def _explained(markdown: str, seen: frozenset[str] | None) -> tuple[str, frozenset[str]]:
    """Return the linked prose, and the terms explained so far.

    The result is cached, because most prose of a page is the same after every click.
    """
    known = None if seen is None else set(seen)
    linked = _pattern().sub(lambda match: _linked(match, known), markdown)
    return linked, frozenset(known or ())


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of bold terms, other terms, and text that is left alone.

    Longer terms come before those that begin like them. Terms are grouped by their first letter, so that most words are
    passed over at once.
    """
    written, of_letter = sorted(BY_FORM, key=len, reverse=True), defaultdict[str, list[str]](list)
    for form in written:
        of_letter[form[0]].append(re.sub(r"(\\?[-_])", r"\\\\?\1", re.escape(form[1:])))
    forms = "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in of_letter.items())
    plain = rf"(?<![\w\\-])(?P<plain>{forms})(?![\w-]|\\[-_])"
    return re.compile(rf"{UNMARKED_TEXT}|\*\*(?P<bold>{forms})(?P<end>[.:]?)\*\*|{plain}", re.IGNORECASE | re.DOTALL)


def _linked(match: re.Match[str], seen: set[str] | None) -> str:
    words = match["bold"] or match["plain"]
    if words is None:
        return match[0]
    form = words.replace("\\", "").casefold()
    term = BY_FORM[form]
    everyday = term.bold_only and " " not in form
    if match["plain"] and (seen is None or everyday or term.name in seen):
        return match[0]
    if seen is not None:
        seen.add(term.name)
    link = f"[{words}]({term_address(term.name)})"
    return f"**{link}{match['end']}**" if match["bold"] else link
