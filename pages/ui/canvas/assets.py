"""Scripts and styles of the canvases, read from the files beside this one.

A component of Streamlit gets its JavaScript and CSS as one string each, and they travel with every change of its
data; so indentation, blank lines and whole-line comments are left out.
"""

from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT_HTML = '<div class="canvas-root"></div>'


@cache
def script(*names: str) -> str:
    """The module of one component: shared.js and surface.js, then each `<name>.js`; the last has `export default`."""
    return _join("shared.js", "surface.js", *(f"{name}.js" for name in names))


@cache
def style(*names: str) -> str:
    """The style sheet of one component: shared.css, then each `<name>.css`."""
    return _join("shared.css", *(f"{name}.css" for name in names))


def _join(*files: str) -> str:
    lines = [line.strip() for file in files for line in (HERE / file).read_text(encoding="utf-8").splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))
