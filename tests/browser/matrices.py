"""The demo of matrices: its numbers, where its cells are and what colour they have."""

import numpy as np
from playwright.sync_api import Locator, Page, Position

from pages.canvas.runtime import modules
from tests.browser.driver import CELL_RECT

TOKENS, WIDTH = 8, 4
PIXEL = """(element, [x, y]) => {
  const canvas = element.querySelector('canvas.base');
  const ratio = canvas.width / parseFloat(canvas.style.width);
  return [...canvas.getContext('2d').getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].slice(0, 3);
}"""
LOOKUP = """async (element, [home, name, values]) => {
  const [colours, { readTheme }] = await Promise.all(["colours.js", "theme.js"].map((file) => import(home + file)));
  const theme = readTheme(element.closest('.canvas-root'));
  return values.map((value) => colours.rgbOf(colours[name](theme, value)));
}"""


def expected() -> dict[str, np.ndarray]:
    """The demo's numbers, made again."""
    rng = np.random.default_rng(0)
    query, keys = rng.standard_normal((2, TOKENS, WIDTH)).astype(np.float32)
    scores = query @ keys.T / np.sqrt(WIDTH)
    masked = np.where(np.tri(TOKENS, dtype=bool), scores, -np.inf)
    weights = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return {"q": query, "k": keys.T, "s": scores, "masked": masked, "a": weights / weights.sum(-1, keepdims=True)}


def stage(tab: Page, key: str, place: int = 0) -> Locator:
    return tab.locator(f".st-key-{key} .stage").nth(place)


def middle(target: Locator, row: int, col: int) -> Position:
    x, y, w, h = target.evaluate(CELL_RECT, [row, col])
    return {"x": x + w / 2, "y": y + h / 2}


def colours(target: Locator, shape: tuple[int, ...]) -> np.ndarray:
    """(R, C, 3): each cell near its corner, clear of its number and of the lines between cells."""
    boxes = [target.evaluate(CELL_RECT, list(cell)) for cell in np.ndindex(shape)]
    return np.array([target.evaluate(PIXEL, [x + 4, y + 5]) for x, y, _, _ in boxes]).reshape(*shape, 3)


def lookup(target: Locator, name: str, values: np.ndarray) -> np.ndarray:
    home = f"/{modules.address('runtime/')}"
    return np.array(target.evaluate(LOOKUP, [home, name, values.ravel().tolist()])).reshape(*values.shape, 3)
