"""The page Tokens: its views, called by themselves, and training through the app."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.checkpoints import shipped
from core.lessons.glossary import glossary_text
from core.text.hub import THE_MODELS
from core.text.tokenizer import TOKENIZERS
from core.topics.tokens.own import train_own
from core.topics.tokens.readings import read_standing
from core.topics.tokens.words import Looked
from core.tracing.run import Run
from pages.canvas import TokenButtons
from pages.widgets import Chart, Columns, Listing, Part, Values
from pages.words.tokens import settings as asked
from pages.words.tokens.page import PAGE
from tests.core.texts import load
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, pictures, said

FILE = "pages/words/tokens/page.py"
SENTENCE = "The unbelievably tired animal, too."


def looked(text: str, name: str = "storyteller-small") -> Looked:
    found = shipped.read(name)
    return Looked(Run(text, found.config, source=found.source, format=found.format))


def lines(parts: Any) -> dict[str, TokenButtons]:
    """The lines of tokens among some parts, by their keys."""
    found: list[Part] = [each for part in parts if isinstance(part, Columns) for col in part.columns for each in col]
    return {part.key: part for part in (*parts, *found) if isinstance(part, TokenButtons)}


def test_every_tokenizer_has_its_line_and_a_click_opens_a_piece() -> None:
    shown = PAGE.view("all tokenizers").show(looked(SENTENCE), Values())
    rows = lines(shown.pictures)
    for name in ("unigram-8000", "bpe-1000"):
        row, tokens = rows[f"tokens-row-{name}"], load(name).encode(SENTENCE)
        assert [each.under for each in row.tokens] == [f"{i:,}" for i in tokens.ids]
        assert [each.piece for each in row.tokens] == list(tokens.labels)
    assert rows["tokens-row-unigram-8000"].tokens[0].note == "id 297, log-probability −5.63"
    row, name = rows["tokens-row-bpe-1000"], "bpe-1000"
    assert row.tokens[0].note == "id 345, merge number 86"
    assert row.selected is None and row.sets is not None
    assert row.sets(3) == {asked.PIECES_OF.key: name, asked.TOKEN.key: 3}
    shown = PAGE.view("all tokenizers").show(looked(SENTENCE), Values({asked.PIECES_OF: name, asked.TOKEN: 3}))
    around, i = lines(shown.pictures)["tokens-neighbours"], load(name).encode(SENTENCE).ids[3]
    assert [each.under for each in around.tokens] == [f"{each:,}" for each in range(i - 3, i + 4)]
    assert lines(shown.pictures)["tokens-row-bpe-1000"].selected == 3 and "unbelievably" in shown.said[0]


@pytest.mark.parametrize("name", ["characters", "bytes", "unigram-1000", "bpe-8000"])
def test_it_opens_at_the_first_piece_of_the_word_that_falls_into_most(name: str) -> None:
    text = "a zyx cat unbelievably sat"
    shown = PAGE.view("all tokenizers").show(looked(text), Values({asked.PIECES_OF: name}))
    row = lines(shown.pictures)[f"tokens-row-{name}"]
    ends = [end for _, end in load(name).encode(text).spans] if "-" in name else range(1, len(text) + 1)
    assert row.selected == next(place for place, end in enumerate(ends) if end > text.index("u"))


@pytest.mark.parametrize("step", [0, 2, 64])
def test_merges_are_drawn_up_to_the_step(step: int) -> None:
    values = Values({asked.STEP: step, asked.WORD: 1})
    shown = PAGE.view("how BPE got there").show(looked(SENTENCE), values)
    (chart,) = (part for part in shown.pictures if isinstance(part, Chart))
    drawn = chart.data[chart.data.kind != "later"]
    assert drawn.row.max() == min(step, chart.data.row.max())
    last = drawn[drawn.row == drawn.row.max()]
    assert "".join(last.piece) == "␣unbelievably" and list(last.start[1:]) == list(last.end[:-1])
    if step == 64:
        pieces = load("bpe-1000").encode("unbelievably").pieces
        assert list(last.piece) == [piece.replace("▁", "␣") for piece in pieces]
        assert isinstance(shown.table, Listing) and shown.table.frame().empty


def test_the_lattice_lights_the_pieces_of_the_tokenizer() -> None:
    shown = PAGE.view("how unigram chose").show(looked(SENTENCE), Values({asked.WORD: 1}))
    (chart,) = (part for part in shown.pictures if isinstance(part, Chart))
    lit = chart.data[chart.data.kind == "lit"].sort_values("start")
    expected = [piece.replace("▁", "␣") for piece in load("unigram-1000").encode("unbelievably").pieces]
    assert list(lit.piece) == expected
    for _, row in chart.data[chart.data.kind != "letter"].groupby("row"):
        ends = row.sort_values("start")
        assert (ends.start.to_numpy()[1:] >= ends.end.to_numpy()[:-1]).all()


@pytest.mark.parametrize("text", [HOSTILE, "a", "y" * 600, "▁ ▁▁"])
@pytest.mark.parametrize("kind", [None, "unigram", "bpe"])
def test_every_view_stands_on_any_text(text: str, kind: str | None) -> None:
    here = looked(text)
    here = Looked(here.run, train_own(glossary_text(), kind, 500) if kind else None)
    own = {asked.PIECES_OF: "yours", asked.BPE: "yours", asked.UNIGRAM: "yours"}
    for view in PAGE.views:
        values = Values(own)
        for each in view.controls(here, values):
            if "options" in each.options and values[each.setting] not in each.options["options"]:
                values[each.setting] = each.setting.default
        assert view.show(here, values).pictures


def test_before_a_training_it_says_what_the_text_costs() -> None:
    said = PAGE.view("train your own").show(looked(PAGE.text), Values()).said
    count = len(load(TOKENIZERS[0]).encode(PAGE.text))
    assert said[0] == f"A tokenizer that learned from books cuts your text above into {count} pieces."
    assert said[1].startswith(f"That is {TOKENIZERS[0]}. ")
    assert read_standing("unigram", 0.52, 1373, 700, 600).startswith("700 of 1,373 possible pieces are left, about 600")
    assert read_standing("bpe", 2, 0, 1200, 3626) == "1,200 of 3,626 merges are made, 2.0 s"
    assert read_standing("bpe", 0.1, 0, 0, None) == "Reading the text, 0.1 s"


def test_the_text_of_the_page_is_cut_most_unlike() -> None:
    shown = PAGE.view("all tokenizers").show(looked(PAGE.text), Values())
    found = [len(load(name).encode("misunderstanding")) for name in TOKENIZERS]
    assert (min(found), max(found)) == (2, 7) and shown.said[1].startswith("“proportions.” is 3 tokens")
    assert shown.said[0] == "“international” stays whole, but “proportions.” is cut into 3 pieces."
    first = next(iter(lines(shown.pictures).values()))
    assert first.large and first.key == "tokens-row-unigram-8000"


def train(at: AppTest) -> None:
    at.button(key="tokens-train").click().run()
    while at.button(key="tokens-train").label == "Stop":
        at.run()


def test_what_is_trained_is_used_on_the_page_and_a_refusal_is_a_sentence(open_page: Open) -> None:
    at = open_page(FILE, model="storyteller-small", tokens_view="train your own", tokens_size="4000", t=SENTENCE)
    train(at)
    assert not at.exception and "at most" in at.error[0].value and not pictures(at, "tokens-with-yours")
    at.session_state["tokens-size"] = 500
    at.run()
    train(at)
    assert not at.exception and not at.error and pictures(at, "tokens-with-yours")
    assert "500 pieces of unigram" in said(at)
    at.session_state["tokens-view"] = "all tokenizers"
    at.run()
    (row,) = pictures(at, "tokens-row-yours")
    own = train_own(glossary_text(), "unigram", 500).tokenizer
    assert [each["piece"] for each in row["tokens"]] == list(own.encode(SENTENCE).labels)


def test_the_tokenizer_of_the_present_model_is_in_the_list(open_page: Open) -> None:
    own = open_page(FILE, model="translator")
    assert THE_MODELS in own.selectbox(key=asked.PIECES_OF.key).options
    assert "the model’s \\(Translator" in said(own), "it stands beside the shipped ones, with the model's name"
    shipped_one = open_page(FILE, model="storyteller")
    assert THE_MODELS not in shipped_one.selectbox(key=asked.PIECES_OF.key).options
    assert "unigram\\-8000 \\(Storyteller" in said(shipped_one), "it is one of the shipped ones, which says so"
