"""A real sentence model, all-MiniLM-L6-v2: the ids and states of transformers, and five pages that open on it.

`make minilm` brings it and runs these tests; without it they are skipped, for the suite needs no network.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from core.checkpoints.real import places
from core.checkpoints.real.places import PLACE_VARIABLE, place_named
from core.device import Placement
from core.model.transformer import Transformer
from core.text.hub import HubTokenizer
from core.tracing.trace import trace
from pages.widgets import Values
from tests.core.checkpoints.real.drawn import transformers
from tests.core.texts import HOSTILE
from tests.pages.house import PAGES
from tests.pages.screens import opened_run, screen

NAME = "all-MiniLM-L6-v2"
PLACE = place_named(os.environ.get(PLACE_VARIABLE)) or Path("nowhere")
TEXTS = ("The spring in this clock is broken.", "Flowers bloom in spring; don't you NAÏVELY ask?", *HOSTILE)
SEEN_ON = ("tokens", "words-in-context", "heads", "self-attention", "block")
VIEWS: list[Any] = [
    pytest.param(page, page.view(each.name), id=f"{page.address} {each.name}")
    for page in PAGES
    if page.address in SEEN_ON
    for each in page.views
]
if not (PLACE / NAME).is_dir():
    pytest.skip("make minilm brings the model and runs these tests", allow_module_level=True)


@cache
def ours() -> tuple[Transformer, HubTokenizer]:
    return places.load(NAME, Placement("cpu", "float32"), PLACE), places.open_model(NAME, PLACE)[1]


def test_ids_are_those_of_transformers() -> None:
    known = transformers.AutoTokenizer.from_pretrained(PLACE / NAME)
    for text in TEXTS:
        assert ours()[1].ids(text) == known(text, split_special_tokens=True)["input_ids"], text


@torch.inference_mode()
def test_every_layer_has_the_states_and_patterns_of_transformers() -> None:
    theirs = transformers.AutoModel.from_pretrained(PLACE / NAME, attn_implementation="eager").eval()
    model, tokenizer = ours()
    for text in TEXTS[:2]:
        ids = torch.tensor([tokenizer.ids(text)])
        seen = trace(model, ids, None, record=["pattern", "resid_pre", "resid_post", "final"])
        known = theirs(ids, output_hidden_states=True, output_attentions=True)
        pairs = [(seen["encoder.0.resid_pre"], known.hidden_states[0]), (seen["encoder.final"], known[0])]
        pairs += [(seen[f"encoder.{layer}.resid_post"], known.hidden_states[layer + 1]) for layer in range(6)]
        pairs += [(seen[f"encoder.{layer}.pattern"], known.attentions[layer]) for layer in range(6)]
        assert max(float((a - b).abs().max()) for a, b in pairs) < 1e-5


@pytest.mark.parametrize(("page", "view"), VIEWS)
def test_a_view_opens_on_it(page: Any, view: Any) -> None:
    found, _ = screen(page, view, opened_run(page, model=f"real:{NAME}"), Values())
    assert found
