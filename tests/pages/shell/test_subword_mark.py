"""The mark of a piece that goes on with a word is explained once, where a page draws one."""

from typing import Any

import numpy as np
import pytest

from pages.canvas import Matrices, Panel, Token, TokenButtons, TokenChips
from pages.shell.subword_mark import first_subword
from pages.widgets import Cards, Columns, Markdown
from tests.pages.conftest import Open

PANEL = Panel("p", "t", np.eye(2), ("0:did", "1:·n"), ("0:did", "1:it"))
CHIPS = TokenChips(["did", "·n"], [5, 6], [0, 0], ["didn"], key="chips", name="tokens")
BUTTONS = TokenButtons([Token("did"), Token("·n")], key="buttons", name="tokens")


@pytest.mark.parametrize(
    "part", [Matrices([PANEL], key="m", name="m"), Columns([[CHIPS]]), Cards([[Markdown("n is"), BUTTONS]], key="c")]
)
def test_a_piece_is_found_in_whatever_draws_it(part: Any) -> None:
    assert first_subword([Markdown("A sentence."), part]) == "·n"
    assert first_subword([Markdown("A sentence: 1·n"), TokenButtons([Token("·")], key="b", name="·x")]) == ""


@pytest.mark.parametrize(("text", "times"), [("He didn't.", 1), ("He did.", 0)])
@pytest.mark.parametrize("file", ["attention/heads", "transformer/generate", "start/journey"])
def test_it_is_explained_once(file: str, text: str, times: int, open_page: Open) -> None:
    at = open_page(f"pages/{file}/page.py", t=text, **{"generate_tokens": "0"} if "generate" in file else {})
    assert not at.error
    assert sum("continues the word before it" in each.value for each in at.caption) == times
