"""Serve the scripts and style sheets of the drawings as files that a browser fetches once and caches.

A Streamlit component has its script as one string, which is sent again with every change of its data. Here that string
is only a loader, which imports the real module from an address of this app. The address holds a hash of all the files,
so a browser may cache them for good, and a new version of the app has new addresses.
"""

import hashlib
import json
import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.lessons.glossary import BY_FORM, BY_NAME, GROUPS
from pages.canvas.runtime.mathml import mathml_parts
from pages.canvas.runtime.stamps import stamped

HOME = Path(__file__).parents[1]
TYPES = {".js": "text/javascript", ".css": "text/css"}
GLOSSARY = "terms/glossary.json"  # made from the glossary of the core, for all drawings that explain terms
IMPORTED = re.compile(r'^((?:import|export|\}) ?(?:[^"\n]*\bfrom )?)"(\.{1,2}/[^"]+)"', re.MULTILINE)
SHEET = re.compile(r'"([^"\s]+\.(?:css|json))"')
ROOT_HTML = '<div class="canvas-root"></div>'
FAILED = "This picture could not be loaded from the server. Reload the page to try again."
# A page's address ends in the page's name, or, behind some proxies, in one more segment.
LOADER = """
const load = (from) => import(new URL(from + "PATH", document.baseURI));
const module = load("").catch(() => load("../")).catch(() => null);
const newest = new WeakMap(); // the stamp of what an element shows
const stampOf = (data) => {
  if (!(data instanceof Uint8Array)) return data?.stamp ?? [0, 0];
  const end = new DataView(data.buffer, data.byteOffset + data.byteLength - 8);
  return [end.getUint32(0, true), end.getUint32(4, true)];
};
export default async (component) => {
  const [session, number] = stampOf(component.data);
  const last = newest.get(component.parentElement);
  if (last?.session === session && number < last.number) return; // older than what is shown, and called after it
  newest.set(component.parentElement, { session, number });
  const drawing = await module;
  try {
    if (drawing) return drawing.default(component);
    component.parentElement.querySelector("*").textContent = "FAILED";
  } finally {
    component.parentElement.host?.toggleAttribute("data-drawn", true); // what stands below may be shown: arriving.js
  }
};
"""


@cache
def files() -> dict[str, bytes]:
    """Return every script and style sheet by its path below `pages/canvas`, and the glossary."""
    paths = (path for path in sorted(HOME.rglob("*")) if path.suffix in TYPES)
    contents = {path.relative_to(HOME).as_posix(): path.read_bytes() for path in paths}
    return contents | {GLOSSARY: _glossary()}


def _glossary() -> bytes:
    terms = {
        name: {"text": term.text, "paper": term.paper, "formula": mathml_parts(term.formula), "seen": term.seen}
        for name, term in BY_NAME.items()
    }
    groups = {group: [term.name for term in held] for group, held in GROUPS.items()}
    names = {form: term.name for form, term in BY_FORM.items()}
    return json.dumps({"terms": terms, "groups": groups, "names": names}, ensure_ascii=False).encode()


@cache
def version() -> str:
    """Return twelve hexadecimal digits that change when any of the files does."""
    digest = hashlib.sha256()
    for path, content in files().items():
        digest.update(f"{path} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]


def address(path: str) -> str:
    """Return the address of a file, relative to the folder of the app's pages."""
    return f"canvas/{version()}/{path}"


@cache
def needed_by(module: str) -> frozenset[str]:
    """Return the paths of all files that a module needs, its own among them, below `pages/canvas`.

    Raises FileNotFoundError if one of them names a file that does not exist.
    """
    needed, waiting = set[str](), [module]
    while waiting:
        path = waiting.pop()
        if path in needed:
            continue
        if path not in files():
            raise FileNotFoundError(f"The module {module} needs {path}, and there is no such file.")
        needed.add(path)
        if path.endswith(".js"):
            source = files()[path].decode()
            names = [match[2] for match in IMPORTED.finditer(source)] + SHEET.findall(source)
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in names]
    return frozenset(needed)


def component(name: str, html: str = ROOT_HTML) -> Callable[..., Any]:
    """Return a function that draws the Streamlit component of this name, whose script is `<name>/<name>.js`.

    Its data are stamped before they go to the browser.
    """
    loader = LOADER.replace("PATH", address(f"{name}/{name}.js")).replace("FAILED", FAILED)
    mounted = st.components.v2.component(name, html=html, js=loader)

    def draw(*, key: str, data: bytes | Mapping[str, Any] | None = None, **options: Any) -> Any:
        return mounted(key=key, data=None if data is None else stamped(key, data), **options)

    return draw


def base_path() -> str:
    """Return the path of the app, "" or "/…"; `st.App` does not put an app's own routes below it."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def routes() -> list[Route]:
    """Return the route of the files, for `st.App`."""
    return [Route(f"{base_path()}/{address('{path:path}')}", _file)]


async def _file(request: Request) -> Response:
    path = request.path_params["path"]
    content = files().get(path)
    if content is None:
        return PlainTextResponse("There is no such file.", status_code=404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=TYPES.get(Path(path).suffix, "application/json"), headers=headers)
