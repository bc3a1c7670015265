"""Masks against pictures drawn by hand: rows are queries, columns keys, # may be attended to."""

import re
from pathlib import Path

import pytest
import torch

from core.model import masks
from core.model.attention import apply_mask, masked_softmax
from core.model.masks import MaskSpec


def picture(mask: torch.Tensor) -> str:
    return " ".join("".join("#" if cell else "." for cell in row) for row in mask.tolist())


PICTURES = [
    (masks.causal(4, 4), "#... ##.. ###. ####"),
    (masks.sliding_window(4, 4, 1), "##.. ###. .### ..##"),
    (masks.sliding_window(4, 4, 0), "#... .#.. ..#. ...#"),
    (masks.prefix(4, 4, 2), "##.. ##.. ###. ####"),
    (masks.prefix(4, 4, 0), "#... ##.. ###. ####"),
    (masks.block(4, 4, 2), "##.. ##.. ..## ..##"),
    (masks.block(4, 4, 3), "###. ###. ###. ...#"),
    (masks.custom(4, 4, [(0, 3), (2, 0)]), "###. #### .### ####"),
    (masks.causal(2, 4), "###. ####"),
    (masks.sliding_window(2, 4, 1), ".### ..##"),
    (masks.block(2, 4, 2), "..## ..##"),
    (masks.prefix(2, 4, 4), "#### ####"),
]


@pytest.mark.parametrize(("mask", "drawn"), PICTURES)
def test_each_mask_is_its_picture(mask, drawn):
    assert mask.dtype == torch.bool
    assert picture(mask) == drawn


def test_padding_hides_each_texts_own_tail():
    mask = masks.padding([4, 2, 0], 4)
    assert mask.shape == (3, 1, 1, 4)
    assert picture(mask[:, 0, 0]) == "#### ##.. ...."


def test_true_means_may_attend():
    mask = masks.causal(2, 2)
    pattern = masked_softmax(apply_mask(torch.zeros(1, 1, 2, 2), mask), mask)
    assert pattern[0, 0].tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_masks_are_joined_by_and():
    joined = masks.combine(masks.causal(4, 4), None, masks.sliding_window(4, 4, 1))
    assert joined is not None
    assert picture(joined) == "#... ##.. .##. ..##"
    assert masks.combine(None, None) is None and masks.combine() is None


def test_a_spec_builds_what_its_kinds_say():
    spec = MaskSpec(("causal", "padding", "custom"), blocked=((3, 0),))
    mask = spec.build(4, 4, [3])
    assert mask is not None and mask.shape == (1, 1, 4, 4)
    assert picture(mask[0, 0]) == "#... ##.. ###. .##."
    assert MaskSpec().build(4, 4) is None
    assert MaskSpec(("padding",)).build(4, 4) is None


@pytest.mark.parametrize(
    ("kind", "drawn"),
    [("sliding_window", "##.. ###. .### ..##"), ("prefix", "##.. ##.. ###. ####"), ("block", "###. ###. ###. ...#")],
)
def test_each_number_of_a_spec_goes_to_its_own_mask(kind, drawn):
    mask = MaskSpec((kind,), window=1, prefix=2, block=3).build(4, 4)
    assert mask is not None and picture(mask) == drawn


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (lambda: MaskSpec(("diagonal",)), "mask 'diagonal' is not one of causal, padding"),
        (lambda: masks.sliding_window(4, 4, -1), "not -1"),
        (lambda: masks.prefix(4, 4, -2), "not -2"),
        (lambda: masks.block(4, 4, 0), "at least 1 token, not 0"),
        (lambda: masks.custom(4, 5, [(4, 0)]), r"cell \(4, 0\) lies outside a mask of 4 queries and 5 keys"),
        (lambda: masks.custom(4, 5, [(0, -1)]), r"cell \(0, -1\) lies outside"),
    ],
)
def test_a_mistake_is_a_sentence_with_the_numbers_in_it(mistake, sentence):
    with pytest.raises(ValueError, match=sentence):
        mistake()


def test_hidden_keys_and_keys_that_are_tokens_by_hand():
    assert picture(masks.hidden_keys(4, (1, 3))[0, 0]) == "#.#."
    assert masks.hidden_keys(4, ()).all() and masks.hidden_keys(4, ()).shape == (1, 1, 1, 4)
    real = torch.tensor([[True, True, False], [True, False, False]])
    assert masks.key_padding_mask(real).equal(masks.padding((2, 1), 3))


@pytest.mark.parametrize("kinds", [(), ("padding",), ("causal", "block")])
def test_an_explicit_mask_is_there_even_when_nothing_is_masked(kinds):
    spec = MaskSpec(kinds)
    built = spec.build(3, 5)
    expected = torch.ones(3, 5, dtype=torch.bool) if built is None else built
    assert spec.explicit(3, 5).equal(expected)


def test_a_mask_that_lets_one_query_see_a_later_key_looks_ahead():
    mask = masks.causal(4, 4)
    assert not masks.attends_ahead(mask) and not masks.attends_ahead(mask & masks.padding((3,), 4))
    mask[1, 2] = True
    assert masks.attends_ahead(mask)


def test_masks_are_made_in_one_file():
    made = re.compile(r"(?<!np)\.tri[lu]\(|torch\.(ones|full)\([^)]*torch\.bool")
    core = Path(masks.__file__).parents[1]
    assert {path.name for path in core.rglob("*.py") if made.search(path.read_text())} == {"masks.py"}
