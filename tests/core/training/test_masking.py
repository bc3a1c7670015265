"""What is hidden from a masked language model, and how text is put into its rows."""

import numpy as np
import pytest

from core.text.pieces import FIRST_LEARNED
from core.text.special import MASK, PAD, SPECIAL
from core.text.tokenizer import TOKENIZERS, Tokenizer
from core.training.masking import mask_pieces
from core.training.packing import pack_documents

VOCABULARY = 1000


@pytest.fixture
def rows():
    return np.random.default_rng(0).integers(len(SPECIAL), VOCABULARY, (2000, 100))


def test_of_fifteen_in_a_hundred_eight_tenths_are_masked_and_one_tenth_swapped(rows):
    given, gold = mask_pieces(rows, VOCABULARY, np.random.default_rng(1))
    asked = gold != PAD
    assert (asked.sum(1) == 15).all()
    np.testing.assert_allclose(asked.mean(0), 0.15, atol=0.035)  # every place alike
    masked, left = given[asked] == MASK, given[asked] == gold[asked]
    error = np.sqrt(0.25 / asked.sum())  # of a share over so many draws, at the most
    assert abs(masked.mean() - 0.8) < 4 * error
    probability = 0.1 / (VOCABULARY - FIRST_LEARNED)  # that a piece is swapped with itself
    assert abs(left.mean() - 0.1 - probability) < 4 * error
    swapped = given[asked][~masked & ~left]
    assert swapped.min() >= FIRST_LEARNED and swapped.max() < VOCABULARY
    counts = np.bincount(swapped, minlength=VOCABULARY)[FIRST_LEARNED:]
    assert abs(counts / counts.mean() - 1).max() < 5 / np.sqrt(counts.mean())  # evenly drawn


def test_what_is_not_asked_for_stays_and_what_is_asked_for_is_the_text(rows):
    given, gold = mask_pieces(rows, VOCABULARY, np.random.default_rng(1))
    asked = gold != PAD
    assert (gold[asked] == rows[asked]).all() and (given[~asked] == rows[~asked]).all()
    given, gold = mask_pieces(rows, VOCABULARY, np.random.default_rng(1), masked=1.0, swapped=0.0)
    assert (given[gold != PAD] == MASK).all()


def test_special_pieces_are_never_asked_for():
    rng = np.random.default_rng(2)
    rows = np.where(rng.random((500, 20)) < 0.5, rng.integers(0, len(SPECIAL), (500, 20)), 700)
    rows[0] = PAD
    given, gold = mask_pieces(rows, VOCABULARY, rng)
    special = rows < len(SPECIAL)
    assert (gold[special] == PAD).all() and (given[special] == rows[special]).all()
    real = (~special).sum(1)
    wanted = np.where(real > 0, np.maximum(1, np.rint(0.15 * real)), 0)
    assert ((gold != PAD).sum(1) == wanted).all() and wanted[0] == 0


@pytest.mark.parametrize(("length", "wanted"), [(1, 1), (3, 1), (9, 1), (12, 2), (40, 6), (128, 19)])
def test_short_rows_are_asked_for_one_piece_at_least(length, wanted):
    table = np.zeros((3, 128), dtype=np.int64)
    table[:, :length] = 300
    _, gold = mask_pieces(table, VOCABULARY, np.random.default_rng(0))
    assert ((gold != PAD).sum(1) == wanted).all()


def test_a_seed_fixes_what_is_hidden(rows):
    first, again, other = (mask_pieces(rows, VOCABULARY, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert all((one == two).all() for one, two in zip(first, again, strict=True))
    assert (first[1] != other[1]).any()


@pytest.mark.parametrize("name", TOKENIZERS)
def test_no_text_holds_the_piece_that_hides(name):
    text = "<unk> <pad> <s>[MASK]</s> \ufffd é 漢字 \N{GRINNING FACE} \x00\x01 ▁ ⁇ \n\t"
    assert MASK not in Tokenizer.load(name).ids(text)


def test_rows_hold_whole_paragraphs_of_one_document():
    documents: list[list[list[int]]] = [
        [[1, 2], [3, 4, 5], [6]],
        [[7, 8, 9, 10, 11, 12, 13], [14], [15, 16, 17, 18]],
        [[19]],
        [[]],
        [],
    ]
    rows = pack_documents(documents, longest=5)
    assert rows.lengths.tolist() == [5, 1, 5, 3, 4, 1]
    assert rows.ids.tolist() == list(range(1, 20))
    assert rows.table([3, 1]).tolist() == [[12, 13, 14], [6, 0, 0]]


def test_a_paragraph_of_exactly_a_row_leaves_no_empty_row():
    rows = pack_documents([[[1, 2, 3], [4, 5, 6], [7]], [[8, 9, 10, 11, 12, 13]]], longest=3)
    assert rows.lengths.tolist() == [3, 3, 1, 3, 3]
