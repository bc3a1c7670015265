"""Scripts and styles of the canvases, read from `runtime/` and the folder of each.

A component of Streamlit gets its JavaScript and CSS as one string each, and they travel with every change of its
data; so indentation, blank lines and whole-line comments are left out.
"""

from functools import cache
from pathlib import Path

HERE = Path(__file__).parents[1]
ROOT_HTML = '<div class="canvas-root"></div>'


@cache
def script(*names: str) -> str:
    """The module of one component: what all share, then each `<name>.js`; the last has `export default`."""
    return _join("runtime/shared.js", "runtime/surface.js", *(f"{name}.js" for name in names))


@cache
def style(*names: str) -> str:
    """The style sheet of one component: what all share, then each `<name>.css`."""
    return _join("runtime/shared.css", *(f"{name}.css" for name in names))


def _join(*files: str) -> str:
    lines = [line.strip() for file in files for line in (HERE / file).read_text(encoding="utf-8").splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))
