"""The cell that the browser opens after a click is drawn as the server draws it, for every matrix of every step."""

from collections.abc import Callable
from itertools import product
from typing import Any

from playwright.sync_api import Page

from core.tracing.run import Run
from pages.attention.self_attention.settings import COL, MATRIX, ROW, STEP
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import address
from pages.shell.parts import drawings_in
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.saved.frames import shown_at
from pages.widgets import Setting, Values
from tests.browser.driver import address as page_address
from tests.browser.driver import drawn
from tests.pages.house import BY_ADDRESS
from tests.pages.sentences import run_for

PAGE = BY_ADDRESS["self-attention"]
VIEW = PAGE.view("six steps")
TEXT = "The cat sat on the mat and the dog sat on the rug"
# The metas of a drawing after these values of its settings.
FOLLOW = """async ([module, meta, shares, all]) => {
  const { withOpened } = await import(new URL(module, document.baseURI));
  const data = { meta, arrays: { shares: { shape: [], values: shares && Float32Array.from(shares) } } };
  return all.map((at) => withOpened(data, (key, now) => (key in at ? at[key] : now)).meta);
}"""


def at_cell(run: Run, step: str, chosen: dict[Setting, Any]) -> dict[str, CanvasDrawing]:
    values = Values({STEP: step} | chosen)
    shown = shown_at(PAGE, VIEW, run, values)[1]
    return {each.key: each for each in drawings_in(shown.pictures) if isinstance(each, CanvasDrawing)}


def test_a_cell_opens_in_the_browser_as_on_the_server(page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    tab = page(page_address(serve("app.py"), "glossary"), width=1440, height=900)
    drawn(tab)
    others = ({"pos": "rotary"}, {"score": "general"}, {"score": "additive"}, {"pos": "alibi"})
    runs = [run_for(PAGE, TEXT), *(make_run(DEFAULTS | chosen, TEXT, TEXT, None) for chosen in others)]
    for run, step in product(runs, STEP.options):
        for key, before in at_cell(run, step, {}).items():
            meta, arrays = before.unpacked()
            cells: list[dict[Setting, Any]] = [
                {MATRIX: name, ROW: row, COL: col}
                for name, each in meta["openCell"]["matrices"].items()
                for row, col in ((0, 0), (1, 2), (3, 1), (len(each["cols"]) - 1, each["width"] - 1))
                if row < len(each["cols"]) and col < each["width"]
            ]
            cells += [{MATRIX: MATRIX.default, ROW: row, COL: None} for row in (0, 4)]
            given = [{setting.key: value for setting, value in cell.items()} for cell in cells]
            shares = arrays["shares"].ravel().tolist() if "shares" in arrays else None
            found = tab.evaluate(FOLLOW, [address("runtime/opened.js"), meta, shares, given])
            assert found == [at_cell(run, step, cell)[key].unpacked()[0] for cell in cells], f"{key} in {step}"
