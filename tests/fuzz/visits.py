"""One visit of a page, driven by hypothesis: an address, then changes one after the other, and what must hold."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any

from hypothesis import note
from hypothesis import strategies as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1.element_tree import Widget
from streamlit.util import calc_hash

from pages.shell.page import Page
from pages.widgets import error_boundary
from tests.fuzz.drawn import FIELDS, MARKED, SENT, TYPED, addresses, outside, whole_numbers
from tests.pages.conftest import unopened
from tests.pages.house import PAGES, path_of
from tests.pages.screen import said

ROOT = Path(__file__).parents[2]
FOLDED = re.compile(r"\$\$ID-[0-9a-f]+-(.+)$")
NO_NUMBER = re.compile(r"\bnan\b|\bNone\b|\binf\b|Traceback")
PATIENCE = 250  # seconds for one change, on a busy machine
UNSEEN = ("-history", "-terms", "-open-drawer", "-ticker", "-save")  # drawings that show nothing
DRAWN = ("vega_lite_chart", "dataframe", "table", "latex", "info", "error", "grid_container", "column")
Draw = Callable[[st.SearchStrategy[Any]], Any]


class Visit:
    """A visit of one page. mistakes: the errors shown on it that no sentence of ours names."""

    def __init__(self, page: Page, draw: Draw) -> None:
        self.page, self.draw = page, draw
        self.at = unopened()
        self.at.default_timeout = PATIENCE
        self.mistakes: list[str] = []

    def open(self) -> None:
        """Come by a link."""
        self._address()
        self.at._page_hash = calc_hash(self.page.address)
        self.at.run()
        self.check()

    def change(self) -> None:
        """One thing that a visitor does."""
        kinds = (*[self._turn] * 8, self._address, self._fold, self._draw_on, self._draw_on, self._leave)
        self.draw(st.sampled_from(kinds))()
        self.at.run()
        self.check()
        if self.at.session_state["visit"].page != self.page.address:
            self.at.switch_page(path_of(self.page)).run()
            self.check()

    def _address(self) -> None:
        """Write into the address."""
        for key, values in self.draw(addresses(self.page.all_settings)).items():
            note(f"address: {key[:60]!r} = {[value[:60] for value in values]!r}")
            self.at.query_params[key] = values

    def _turn(self) -> None:
        """Use a widget."""
        found = [each for each in self.at if isinstance(each, Widget) and not getattr(each.proto, "disabled", False)]
        widget = found[self.draw(st.sampled_from(range(len(found))))]  # hypothesis cannot print a widget
        value = self.draw(widget_values(widget))
        note(f"{widget.type} {widget.key} = {str(value)[:100]!r}")
        widget.set_value(value)

    def _fold(self) -> None:
        """Open or shut what unfolds."""
        keys = sorted({key for each in self.at if (key := folded_key(each))})
        key, value = self.draw(st.sampled_from(keys)), self.draw(st.booleans())
        note(f"fold {key} = {value}")
        self.at.session_state[key] = value

    def _draw_on(self) -> None:
        """Send what the script of a drawing would send, or what it never would."""
        found = self.at.get("bidi_component")
        state = {self.draw(st.sampled_from(FIELDS)): self.draw(SENT)}
        drawing = self.draw(st.sampled_from(found)).proto
        note(f"drawing {drawing.id} = {str(state)[:200]}")
        states = self.at._tree.get_widget_states()
        states.widgets.append(WidgetState(id=drawing.id, json_value=json.dumps(state)))
        self.at._run(states)
        self.check()

    def _leave(self) -> None:
        """Go to another page; the visit comes back from there."""
        other = self.draw(st.sampled_from(PAGES))
        note(f"to {other.address}")
        self.at.switch_page(path_of(other))

    def check(self) -> None:
        """No exception, no error that is not ours, something drawn, no number that is none, no tag of a visitor's."""
        at = self.at
        assert not at.exception, at.exception[0].message + "".join(at.exception[0].stack_trace)
        assert not self.mistakes, self.mistakes
        for error in at.error:
            words = error.value.replace("\\", "")
            assert words.rstrip().endswith("."), f"no sentence of ours: {words}"
        drawings = [each for each in at.get("bidi_component") if not each.proto.id.endswith(UNSEEN)]
        assert at.title and (drawings or any(map(at.get, DRAWN))), "nothing is drawn"
        for each in [*at.get("html"), *at.markdown, *at.caption]:
            words = getattr(each.proto, "body", "")
            assert not (getattr(each.proto, "allow_html", False) or each.type == "html") or MARKED not in words
        assert not (found := NO_NUMBER.search(said(at))), said(at)[max(0, found.start() - 80) : found.end() + 40]


def widget_values(widget: Any) -> st.SearchStrategy[Any]:
    """What a browser can send of a widget; of a number also what is outside its bounds."""
    options = getattr(widget, "options", ())
    match widget.type:
        case "text_input" | "text_area":
            return TYPED
        case "number_input":
            low, high = widget.min, widget.max
            within = whole_numbers(widget.key, int(low), int(high)) if widget.step >= 1 else st.floats(low, high)
            empty = [] if widget.proto.HasField("default") else [st.none()]
            return st.one_of(within, within, within, outside(low, high), *empty)
        case "slider":
            return st.integers(int(widget.min), int(widget.max))
        case "select_slider" | "selectbox":
            return st.sampled_from(options)
        case "button_group" if widget._is_single_select:
            return st.sampled_from(options)
        case "button_group" | "multiselect":
            return st.lists(st.sampled_from(options), unique=True) if options else st.just([])
        case _:
            return st.just(True) if widget.type in ("button", "download_button") else st.booleans()


def folded_key(block: Any) -> str:
    """The key of something that unfolds; "" for anything else."""
    found = FOLDED.search(block.proto.id) if block.type in ("expander", "popover") else None
    return found[1] if found else ""


@contextmanager
def telling(mistakes: list[str]) -> Iterator[None]:
    """The boundary round a view; a ValueError that no line of ours raises is noted, for it is no visitor's mistake."""
    with error_boundary():
        try:
            yield
        except ValueError as mistake:
            last = extract_tb(mistake.__traceback__)[-1]
            if not Path(last.filename).is_relative_to(ROOT) or not (last.line or "").startswith("raise"):
                mistakes.append(f"{mistake!r} at {last.filename}:{last.lineno}")
            raise
