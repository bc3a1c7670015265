"""Which controls `ui_latency` works on each page, how, and the picture that they change."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle

from playwright.sync_api import Page

from tests.browser.driver import open_box, pill, widget

PICTURES = {
    "journey": ".st-key-journey-cards",
    "self-attention": ".st-key-step-picture",
    "heads": ".st-key-heads-matrix, .st-key-heads-lines",
    "masks": ".st-key-mask-effect",
    "scaling": ".st-key-scaling-scores",
    "block": ".st-key-block-norm-lines, .st-key-block-norm-numbers",
    "depth": ".st-key-depth-signal",
    "architecture": ".st-key-architecture-drawing",
    "sequence-to-sequence": ".st-key-sequence-to-sequence-kept",
    "layer-costs": ".st-key-layer-costs-fields",
    "sentiment": ".st-key-sentiment-words",
}
SIZED: dict[str, object] = {"d": 60}  # which chooses random weights
RANDOM: dict[str, object] = SIZED | {
    "model": "random weights",
    "kind": "decoder",
}  # for pages that open with a trained model
OPENED: dict[str, dict[str, object]] = {  # what a page is opened with, besides the sentence
    "self-attention": SIZED | {"self-attention-step": "5 softmax"},
    "block": RANDOM | {"block-view": "norm"},
    "depth": RANDOM | {"depth-view": "signal and gradient"},
    "architecture": RANDOM | {"architecture-step": 6},
    "sequence-to-sequence": {"sequence-to-sequence-view": "gates"},
    "layer-costs": {"layer-costs-view": "path length"},
    "sentiment": {"model": "sentiment"},
}
EVERY = ("layer", "head", "heads slider", "d_model", "typing")
WORKED: dict[str, tuple[str, ...]] = {  # of those, what a page has, where it has not all
    "block": ("layer", "d_model", "typing"),
    "depth": (),
    "architecture": ("layer", "head", "d_model", "typing"),
    "sequence-to-sequence": (),
    "layer-costs": (),
    "sentiment": (),
}

Change = Callable[[], object]


def pills(tab: Page, key: str, *labels: str) -> Iterator[tuple[str, Change]]:
    """Clicks on these pills in turn, but on none that is chosen already, which would change nothing."""
    for label in cycle(labels):
        if not (found := pill(tab, key, label)).is_checked():
            yield "click", found.click


def arrows(tab: Page, key: str) -> Iterator[tuple[str, Change]]:
    """A slider moved by a key, one to the right and back."""
    knob = widget(tab, key).get_by_role("slider")
    for arrow in cycle(("ArrowRight", "ArrowLeft")):
        yield "keydown", partial(knob.press, arrow)


def entries(tab: Page, key: str, *values: int) -> Iterator[tuple[str, Change]]:
    """Numbers written into a box; the clock starts at Enter."""
    box = open_box(tab, key)
    for value in cycle(values):
        box.fill(str(value))
        yield "keydown", partial(box.press, "Enter")


def rises(tab: Page, key: str) -> Iterator[tuple[str, Change]]:
    """A slider moved to the right, each time to where it has not been."""
    knob = widget(tab, key).get_by_role("slider")
    while True:
        yield "keydown", partial(knob.press, "ArrowRight")


def grows(tab: Page, key: str) -> Iterator[tuple[str, Change]]:
    """One letter more at the end of the text, which so is one that nobody has had before."""
    box = widget(tab, key).locator("input")
    while True:
        box.press("End")
        yield "input", partial(box.press, "s")


def letters(tab: Page, key: str) -> Iterator[tuple[str, Change]]:
    """A letter typed at the end of the text, and taken away again."""
    box = widget(tab, key).locator("input")
    for letter in cycle(("s", "Backspace")):
        box.press("End")
        yield "input", partial(box.press, letter)


def controls(tab: Page, name: str) -> dict[str, Iterator[tuple[str, Change]]]:
    """What is worked on a page, by the control's name."""
    own = {
        "self-attention": {"step": pills(tab, "self-attention-step", "5 softmax", "6 mix", "1 project", "2 score")},
        "heads": {"view": pills(tab, "heads_view", "all heads", "lines")},
        "block": {"norm of": pills(tab, "block_norm", "attention", "feed-forward")},
        "depth": {"layers": rises(tab, "depth_layers")},
        "sequence-to-sequence": {"typing": grows(tab, "t")},
        "layer-costs": {"length": rises(tab, "layer_costs_length")},
        "sentiment": {"typing": grows(tab, "t")},
    }.get(name, {})
    every = {
        "layer": pills(tab, "layer", "1", "2", "3"),
        "head": pills(tab, "head", "1", "2", "3", "4"),
        "heads slider": arrows(tab, "h"),
        "d_model": entries(tab, "d", 40, 120, 60),
        "typing": letters(tab, "t"),
    }
    return {each: every[each] for each in WORKED.get(name, EVERY)} | own
