"""HTML from plain text: everything is escaped unless it was made here."""

import html
import re
from collections.abc import Iterable

SHEETS = {
    "plan-90": "Plan of 90 minutes",
    "plan-45": "Plan of 45 minutes",
    "worksheet": "Worksheet",
    "worksheet-key": "Its key",
    "inventory-a": "Questions before",
    "inventory-b": "Questions after",
    "inventory-a-key": "Key before",
    "inventory-b-key": "Key after",
    "glossary": "Glossary",
    "report": "What you did",
}
EMPTY = ("br", "hr", "link", "meta")  # elements that have no end tag
BOLD, CODE = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`(.+?)`")


class Html(str):
    """HTML that was made by this module, so that it is not escaped again."""


def tag(name: str, *content: str, **attributes: str) -> Html:
    """Return an element. Content that is not `Html` is escaped, and so are the values of attributes.

    attributes: by name, with an underscore for each hyphen, and one at the end of a word of Python's such as `class_`.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(value)}"' for key, value in attributes.items()
    )
    inside = "".join(map(safe, content))
    return Html(f"<{name}{written}>" if name in EMPTY else f"<{name}{written}>{inside}</{name}>")


def safe(text: str) -> Html:
    """Return text escaped, or `Html` as it is."""
    return text if isinstance(text, Html) else Html(html.escape(text))


def joined(parts: Iterable[str]) -> Html:
    """Return parts one after the other."""
    return Html("".join(map(safe, parts)))


def prose(markdown: str) -> Html:
    """Return a lesson's own text with its bold words and its code as such; all else is shown as it is written."""
    return Html(CODE.sub(r"<code>\1</code>", BOLD.sub(r"<strong>\1</strong>", html.escape(markdown))))


def page(name: str, title: str, *content: str, script: str = "") -> Html:
    """Return a whole page.

    name: its address, one of SHEETS.
    script: the file of its script, if it has one.
    """
    links = [
        tag("a", label, href=other, **({"aria_current": "page"} if other == name else {}))
        for other, label in SHEETS.items()
    ]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{title} · Attention Explorer"),
        tag("link", rel="stylesheet", href="print.css"),
    ]
    if script:
        head.append(tag("script", src=script, defer="defer"))
    bar = tag("nav", tag("a", "Lessons", href="../lessons"), *links, aria_label="Pages to print")
    body = tag("body", bar, tag("main", tag("h1", title), *content))
    return Html(f"<!doctype html>{tag('html', tag('head', *head), body, lang='en')}")
