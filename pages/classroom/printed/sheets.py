"""Fill the templates of the pages to print. Every value is escaped; `prose` keeps a lesson's bold words and code."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

SHEETS = {
    "plan-90": "Plan of 90 minutes",
    "plan-45": "Plan of 45 minutes",
    "worksheet-90": "Worksheet of 90 minutes",
    "worksheet-45": "Worksheet of 45 minutes",
    "worksheet-90-key": "Key of 90 minutes",
    "worksheet-45-key": "Key of 45 minutes",
    "worksheet": "Worksheet of all lessons",
    "worksheet-key": "Key of all lessons",
    "inventory-a": "Questions A",
    "inventory-b": "Questions B",
    "inventory-a-key": "Key to A",
    "inventory-b-key": "Key to B",
    "glossary": "Glossary",
    "report": "What you did",
}
TEMPLATES = Path(__file__).parent / "templates"
BOLD, CODE = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`(.+?)`")


def sheet(template: str, name: str, title: str, **values: Any) -> str:
    """Return a whole page as HTML.

    template: its file, without ".html".
    name: its address, one of SHEETS.
    values: the values of the template's variables.
    """
    return _templates().get_template(f"{template}.html").render(name=name, title=title, sheets=SHEETS, **values)


def prose(markdown: str) -> Markup:
    """Return a lesson's own text with its bold words and its code as such; all else is shown as it is written."""
    return Markup(CODE.sub(r"<code>\1</code>", BOLD.sub(r"<strong>\1</strong>", str(escape(markdown)))))


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(TEMPLATES)
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["prose"] = prose
    return made
