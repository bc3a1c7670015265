"""Write drawings into one HTML file that draws and answers by itself, without a server or a network.

The file holds the drawings' modules unchanged but for the names that they import: an import map gives each of them a
``data:`` address. Style sheets are answered from the file, and every other request is refused.
"""

import base64
import gzip
import json
import posixpath
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pages.canvas.runtime.modules import IMPORTED, files, needed_by

ROOT = Path(__file__).parents[3]
BASE = "https://canvas.invalid/"  # the files' own address in a saved page, which no request ever reaches
START = "runtime/standalone.js"


@dataclass(frozen=True)
class Saved:
    """A drawing in a saved page.

    script: the name of its module.
    data: its packed data, with frames or without.
    """

    script: str
    data: bytes

    @property
    def html(self) -> Markup:
        """The element that `standalone.js` draws it in."""
        coded = base64.b64encode(gzip.compress(self.data, mtime=0)).decode()
        element = Markup('<div data-drawing="{}"><script type="application/octet-stream">{}</script></div>')
        return element.format(self.script, Markup(coded))


@dataclass(frozen=True)
class Facts:
    """The facts that a saved page names, and every picture that is saved from it.

    text: the text that the model reads.
    model: the title of the model.
    address: the address of the app; "" if it is not known.
    """

    text: str = ""
    model: str = ""
    address: str = ""


UNKNOWN = Facts()


@dataclass(frozen=True)
class SavedPage:
    """The contents of a saved page.

    title: the title of the document and its headline.
    body: the elements below the headline, with those of the drawings.
    drawings: the drawings in the body.
    start: the values that the page opens with, by the keys of their settings.
    facts: where it comes from.
    is_bare: whether it is shown inside of another page, which has its own headline.
    """

    title: str
    body: Markup
    drawings: Sequence[Saved]
    start: Mapping[str, Any] = field(default_factory=dict)
    facts: Facts = UNKNOWN
    is_bare: bool = False

    def html(self) -> str:
        """Return the page as the text of one HTML file."""
        scripts = sorted({drawing.script for drawing in self.drawings})
        held = needed_files(scripts)
        modules = {
            f"canvas/{path}": _data_address(path, source) for path, source in held.items() if path.endswith(".js")
        }
        others = {BASE + path: source for path, source in held.items() if not path.endswith(".js")}
        return (
            _environment()
            .get_template("standalone.html")
            .render(
                title=self.title,
                body=self.body,
                light=_theme("light"),
                dark=_theme("dark"),
                scripts=scripts,
                imports=_quoted({"imports": modules}),
                others=_quoted(others),
                start=_quoted(dict(self.start)),
                facts=_quoted(asdict(self.facts)),
                is_bare=self.is_bare,
            )
        )


def needed_files(scripts: Iterable[str]) -> dict[str, str]:
    """Return the text of all files of a page with these drawings, by their paths below `pages/canvas`."""
    paths = needed_by(START).union(*(needed_by(f"{script}/{script}.js") for script in scripts))
    return {path: files()[path].decode() for path in sorted(paths)}


def _data_address(path: str, source: str) -> str:
    """Return the address of a module that holds its source, importing others by their names in the import map."""

    def named(match: re.Match[str]) -> str:
        return f'{match[1]}"canvas/{posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))}"'

    source = IMPORTED.sub(named, source).replace("import.meta.url", json.dumps(BASE + path))
    return "data:text/javascript;base64," + base64.b64encode(source.encode()).decode()


def _quoted(value: Any) -> Markup:
    """Return a value as JSON that may stand in a script element."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


@cache
def _theme(name: str) -> Markup:
    """Return the colours of one of the app's themes as the custom properties that the drawings read."""
    colours = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"][name]
    return Markup(" ".join(f"--st-{_kebab(key)}: {value};" for key, value in colours.items()))


def _kebab(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "-" + letter[0].lower(), name)


@cache
def _environment() -> Environment:
    return Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined)
