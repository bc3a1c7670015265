"""The log of the calls behind a view, and the Python that is written from it."""

import threading
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st

from core.checkpoints import shipped
from core.decoding.sampling import Sampling
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.masks import CausalMask, PaddingMask, SlidingWindowMask
from core.registry import parse_source
from core.text.special import TextFormat
from core.topics.masks.painting import PaintedMask
from core.topics.positions import encodings
from core.topics.positions.encodings import Encoding
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head, force_row
from core.tracing.run import Run
from pages.compute.as_python import Piece, write_python
from pages.compute.calls import core_call, helper, logged, noted, record_calls
from pages.compute.expressions import CallLog, Calls
from pages.compute.one_head import head
from tests.pages.screen import HOSTILE

CONFIG = TransformerConfig("decoder", d_model=16, heads=2, layers=2, positions="rotary")


QUOTES = HOSTILE + "\\ \"double\" 'single'\n\t"
RUNS = [
    Run("the cat", CONFIG),
    Run(
        HOSTILE + "\\ \"double\" 'single'\n\t",
        CONFIG,
        pads=2,
        masks=(PaddingMask(), PaintedMask((CausalMask(), SlidingWindowMask(3)), "A")),
    ),
    Run("a", CONFIG, edits=(ablate_head(CONFIG, 1, 0), force_row(CONFIG, 0, 1, 0, (0.25, 0.75)))),
    Run("a", CONFIG, placement=Placement("cpu", "bfloat16", "as you chose")),
    run_of_model("translator", "a", "un"),
]


@pytest.mark.parametrize("run", RUNS, ids=range(len(RUNS)))
def test_a_record_is_written_as_python_that_makes_it_again(run: Run) -> None:
    for value in (
        run,
        HeadAddress("decoder", 1, 1),
        Sampling(0.5, seed=3),
        float("inf"),
        {"a": [1, (2,)]},
        frozenset("a"),
    ):
        piece = Piece()
        piece.add(f"found = {piece.value(Calls([]).expression(value))}")
        namespace: dict[str, Any] = {}
        exec(piece.text, namespace)
        assert namespace["found"] == value


@pytest.mark.parametrize(("address", "lines"), [("real:gpt2", 1), ("storyteller", 0), ("", 0)])
def test_the_python_of_a_model_made_elsewhere_says_how_it_is_found(address: str, lines: int) -> None:
    source = parse_source(address) if address else None
    piece, run = Piece(), Run("a", CONFIG, source=source, format=TextFormat())
    piece.add(f"found = {piece.value(Calls([]).expression(run))}")
    assert piece.text.startswith("# ATTENTION_EXPLORER_MODELS in the environment has to name the folder") == bool(lines)
    assert piece.text.count("#") == lines


def test_the_log_is_the_same_when_the_numbers_were_kept() -> None:
    st.cache_data.clear()
    run = replace(RUNS[0], text="the log of a head")
    texts = []
    for _ in range(2):
        with record_calls() as log:
            head(run, HeadAddress("decoder", 1, 1))
        texts.append(write_python(log))
    assert texts[0] == texts[1] and "one_head.head(model, tokenizer, run, HeadAddress(" in texts[0]


def test_a_log_belongs_to_its_own_thread() -> None:
    logs: list[CallLog] = []

    def visit() -> None:
        with record_calls() as log:
            core_call(encodings.encode, Encoding("sinusoidal", 4, 4, 10.0))
        logs.append(log)

    with record_calls() as mine:
        threads = [threading.Thread(target=visit) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert not mine and [len(log) for log in logs] == [1, 1, 1]
    core_call(encodings.encode, Encoding("sinusoidal", 4, 4, 10.0))
    assert not mine, "outside nothing is noted"


def test_what_one_call_returned_is_what_another_takes() -> None:
    encoding = Encoding("sinusoidal", 4, 4, 10.0)
    with record_calls() as log:
        found = noted([1.5], encodings.encode, encoding)
        noted("later", encodings.waves, found, (0,))
    assert "encodings.waves(encode, (0,))" in write_python(log)


def test_what_nothing_can_be_written_for_is_left_out() -> None:
    with record_calls() as log:
        noted(1, encodings.encode, object())
        noted(2, lambda: 2)
    assert write_python(log) == ""


def test_calls_that_differ_in_one_argument_are_written_together() -> None:
    with record_calls() as log:
        for length in (4, 5, 6):
            noted(length, encodings.encode, Encoding("sinusoidal", length, 4, 10.0))
    text = write_python(log)
    assert text.count("encodings.encode(") == 1 and "for each in (" in text


def test_a_cache_hands_out_the_value_alone() -> None:
    calls: list[int] = []

    @logged(st.cache_data(show_spinner=False))
    def double(value: int) -> int:
        calls.append(value)
        return 2 * value

    assert (double(3), double(3), calls) == (6, 6, [3])


@pytest.mark.parametrize("name", ["translator", "toy-copy"])
def test_a_run_is_opened_with_its_own_model_and_tokenizer(name: str) -> None:
    run = run_of_model(name, "abc", "abc")
    model, tokenizer = open_run(run)
    assert model.config == shipped.read(name).config == run.config
    assert tokenizer.vocab_size == shipped.tokenizer(name).vocab_size


def test_fresh_weights_are_opened_with_the_tokenizer_that_the_run_names() -> None:
    model, tokenizer = open_run(replace(RUNS[0], tokenizer="bpe-1000"))
    assert model.config == CONFIG and tokenizer.vocab_size == 1000


def test_a_helper_is_written_before_the_first_call_that_uses_it() -> None:
    with record_calls() as log:
        unused, used = [1.5], [2.5]
        helper(unused, encodings.encode, Encoding("sinusoidal", 4, 4, 10.0))
        helper(used, encodings.encode, Encoding("binary", 4, 4, 10.0))
        noted("later", encodings.waves, used, (0,))
    text = write_python(log)
    assert "sinusoidal" not in text and text.index("encode = ") < text.index("encodings.waves(encode, (0,))")
    assert text.count("print(") == 1


def test_a_call_on_the_result_of_the_same_function_is_not_written_into_one_list_with_it() -> None:
    with record_calls() as log:
        first = noted([1.5], encodings.waves, (0,), (1,))
        noted([2.5], encodings.waves, first, (1,))
    assert "waves_2 = encodings.waves(waves, (1,))" in write_python(log)


def test_long_code_is_broken_between_items_and_never_inside_a_string() -> None:
    text = "a, (b] for {c" * 9
    piece = Piece()
    piece.add(f"found = [dict(first={text!r}, second=({text!r}, 2)), *[each for each in ({text!r}, {text!r})]]")
    namespace: dict[str, Any] = {}
    exec(piece.text, namespace)
    assert namespace["found"] == [{"first": text, "second": (text, 2)}, text, text]
    assert max(len(line) for line in piece.text.splitlines()) < 2 * len(text) and len(piece.text.splitlines()) > 6


def test_the_argument_of_a_cached_function_is_written_as_the_call_that_returned_it() -> None:
    @logged(st.cache_data(show_spinner=False))
    def waved(table: list[float]) -> str:
        return noted("later", encodings.waves, table, (0,))

    for _ in range(2):
        with record_calls() as log:
            waved(noted([1.5], encodings.encode, Encoding("sinusoidal", 4, 4, 10.0)))
        assert "encodings.waves(encode, (0,))" in write_python(log)
    with record_calls() as log:
        waved([1.5])
    assert "encodings.waves([1.5], (0,))" in write_python(log)
