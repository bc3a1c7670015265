"""Masks against pictures drawn by hand: rows are queries, columns keys, # may be attended to."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from core.model import masks
from core.model.attention import apply_mask, masked_softmax
from core.model.masks import (
    MASKS,
    BlockMask,
    CausalMask,
    Mask,
    PaddingMask,
    PrefixMask,
    SlidingWindowMask,
    build_mask,
    explicit_mask,
)


def picture(mask: torch.Tensor) -> str:
    return " ".join("".join("#" if cell else "." for cell in row) for row in mask.tolist())


PICTURES = [
    (masks.causal(4, 4), "#... ##.. ###. ####"),
    (SlidingWindowMask(1).build(4, 4), "##.. ###. .### ..##"),
    (SlidingWindowMask(0).build(4, 4), "#... .#.. ..#. ...#"),
    (PrefixMask(2).build(4, 4), "##.. ##.. ###. ####"),
    (PrefixMask(0).build(4, 4), "#... ##.. ###. ####"),
    (BlockMask(2).build(4, 4), "##.. ##.. ..## ..##"),
    (BlockMask(3).build(4, 4), "###. ###. ###. ...#"),
    (masks.causal(2, 4), "###. ####"),
    (SlidingWindowMask(1).build(2, 4), ".### ..##"),
    (BlockMask(2).build(2, 4), "..## ..##"),
    (PrefixMask(4).build(2, 4), "#### ####"),
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
    joined = masks.combine(masks.causal(4, 4), None, SlidingWindowMask(1).build(4, 4))
    assert joined is not None
    assert picture(joined) == "#... ##.. .##. ..##"
    assert masks.combine(None, None) is None and masks.combine() is None


@dataclass(frozen=True)
class NotItself(Mask):
    """A mask that the library does not have."""

    offset: int = 0

    def build(self, queries, keys, lengths=None):
        return (torch.arange(keys) - torch.arange(queries)[:, None]) != self.offset


def test_masks_of_a_run_act_together_and_one_may_be_of_a_class_of_ones_own():
    mask = build_mask((CausalMask(), PaddingMask(), NotItself(-3)), 4, 4, [3])
    assert mask is not None and mask.shape == (1, 1, 4, 4)
    assert picture(mask[0, 0]) == "#... ##.. ###. .##."
    assert build_mask((), 4, 4) is None and build_mask((PaddingMask(),), 4, 4) is None


def test_a_mask_is_a_key_and_valid_python_and_its_label_is_made_from_its_class_and_sizes():
    assert NotItself(2) == eval(repr(NotItself(2))) and len({NotItself(2), NotItself(2), NotItself()}) == 2
    assert [each.name() for each in MASKS] == ["causal", "padding", "sliding window", "prefix", "block"]
    assert (SlidingWindowMask(7).label, CausalMask().label, NotItself(-1).label) == (
        "sliding window 7",
        "causal",
        "not itself -1",
    )


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (lambda: SlidingWindowMask(-1), "sliding window: window must be at least 0, not -1"),
        (lambda: PrefixMask(-2), "prefix: prefix must be at least 0, not -2"),
        (lambda: BlockMask(0), "block: block must be at least 1, not 0"),
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


@pytest.mark.parametrize("several", [(), (PaddingMask(),), (CausalMask(), BlockMask(2))])
def test_an_explicit_mask_is_there_even_when_nothing_is_masked(several):
    built = build_mask(several, 3, 5)
    expected = torch.ones(3, 5, dtype=torch.bool) if built is None else built
    assert explicit_mask(several, 3, 5).equal(expected)


def test_a_mask_that_lets_one_query_see_a_later_key_looks_ahead():
    mask = masks.causal(4, 4)
    assert not masks.attends_ahead(mask) and not masks.attends_ahead(mask & masks.padding((3,), 4))
    mask[1, 2] = True
    assert masks.attends_ahead(mask)


def test_masks_are_made_in_one_file():
    made = re.compile(r"(?<!np)\.tri[lu]\(|torch\.(ones|full)\([^)]*torch\.bool")
    core = Path(masks.__file__).parents[1]
    assert {path.name for path in core.rglob("*.py") if made.search(path.read_text())} == {"masks.py"}
