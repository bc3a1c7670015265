"""core.text.tokenizer, core.text.pieces and core.text.words: exact round trips, true spans, labels that can be seen."""

import math
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.limits import READ_CHARACTERS
from core.text import tokenizer as text
from core.text.special import SPECIAL
from core.text.tokenizer import TOKENIZERS, Tokenizer
from core.text.words import visible, word_starts
from tests.core.texts import load, names, texts


@given(names, texts)
def test_any_text_round_trips(name, typed):
    tokenizer = load(name)
    tokens = tokenizer.encode(typed)
    assert tokenizer.decode(tokens.ids) == tokens.text == typed
    assert list(tokens.ids) == tokenizer.ids(typed)
    assert (tokens.cut, tokens.note) == (0, None)


@given(names, texts)
def test_user_text_never_becomes_a_special_piece(name, typed):
    assert min(load(name).ids(typed)) >= len(SPECIAL)


@given(names, texts, st.integers(1, 20))
def test_spans_cover_the_text_in_order(name, typed, limit):
    tokens = load(name).encode(typed, limit=limit)
    assert typed.startswith(tokens.text)
    end = 0
    for (start, stop), piece in zip(tokens.spans, tokens.pieces, strict=True):
        if piece.startswith("<0x"):
            assert stop == start + 1 and start in (end, end - 1)
        else:
            assert start == end and tokens.text[start:stop] in (piece.replace("▁", " "), piece[1:])
        end = stop
    assert end == len(tokens.text)


@given(names, texts, st.integers(1, 20))
def test_limit_keeps_a_prefix_and_counts_the_rest(name, typed, limit):
    tokenizer = load(name)
    whole, kept = tokenizer.encode(typed), tokenizer.encode(typed, limit=limit)
    assert 1 <= len(kept.ids) <= limit
    assert whole.ids[: len(kept.ids)] == kept.ids
    assert tokenizer.decode(kept.ids) == kept.text
    assert kept.cut == len(whole.ids) - len(kept.ids)
    assert (kept.note is None) == (kept.cut == 0)
    assert limit - len(kept.ids) < 4 or kept.cut == 0


def seen(label: str) -> bool:
    return label != "" and not any(unicodedata.category(c)[0] in "CZ" for c in label)


@given(names, texts, st.integers(1, 50))
def test_labels_can_be_seen(name, typed, limit):
    tokens = load(name).encode(typed, limit=limit)
    assert all(map(seen, tokens.labels + tokens.word_labels))
    assert len(tokens.labels) == len(tokens.ids) == len(tokens.pieces) == len(tokens.words)


@given(names, texts, st.integers(1, 50))
def test_words_are_runs_of_pieces(name, typed, limit):
    tokens = load(name).encode(typed, limit=limit)
    assert tokens.words[0] == 0 and tokens.words[-1] == len(tokens.word_labels) - 1
    assert all(after - before in (0, 1) for before, after in pairwise(tokens.words))
    whole = [tokens.spans[tokens.words.index(word)][0] for word in range(len(tokens.word_labels))]
    assert set(whole) <= set(word_starts(tokens.text)) | {0}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("The cat sat.", ["The", "cat", "sat", "."]),
        ("  I don't -- really!!  ", ["I", "don't", "--", "really", "!!"]),
        ("'hello' it’s", ["'", "hello", "'", "it’s"]),
        ("a\nb\tc", ["a", "↵", "b", "⇥", "c"]),
        ("a\n\u0301b", ["a", "↵", "◌\u0301b"]),
        ("cafe\u0301 नमस्ते", ["cafe\u0301", "नमस्ते"]),
        ("👍🏽👩‍👧 x", ["👍🏽", "👩U+200D👧", "x"]),
        ("שלום, עולם", ["שלום", ",", "עולם"]),
        ("a\u202eb\x00", ["a", "U+202E", "b", "␀"]),
    ],
)
def test_words_by_hand(typed, words):
    assert list(load("unigram-1000").encode(typed).word_labels) == words


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize(
    ("typed", "character", "count"),
    [("x 👩‍👧", "👩", 4), ("ش", "ش", 2), ("ab 你 c", "你", 3), ("e\u0301", "\u0301", 2)],
)
def test_bytes_share_the_span_of_their_character(name, typed, character, count):
    tokens = load(name).encode(typed)
    place = typed.index(character)
    shared = [i for i, span in enumerate(tokens.spans) if span == (place, place + 1) and tokens.pieces[i][0] == "<"]
    assert len(shared) == count
    assert [tokens.labels[i] for i in shared] == [f"0x{byte:02X}" for byte in character.encode()]


def test_blank_characters_are_spelt_out():
    assert visible("a\ufe0f\u2800\u3164\U000e0100\u2028\xad") == "aU+FE0FU+2800U+3164U+E0100U+2028U+00AD"
    assert visible("\u0301e") == "◌\u0301e"
    assert visible("a b\x7f\t") == "a b␡⇥"


def test_a_word_has_the_same_pieces_wherever_a_line_begins():
    tokens = load("unigram-8000").encode("the cat\nthe cat")
    assert tokens.pieces == ("▁the", "▁cat", "<0x0A>", "▁the", "▁cat")
    assert tokens.labels == ("the", "cat", "↵", "the", "cat")
    assert tokens.spans == ((0, 3), (3, 7), (7, 8), (8, 11), (11, 15))


def test_labels_mark_a_piece_that_goes_on_with_a_word():
    tokens = load("unigram-1000").encode("unbelievable!")
    assert tokens.labels[0] == "un" and tokens.labels[-1] == "!"
    assert all(label.startswith("·") for label in tokens.labels[1:-1])
    assert load("unigram-1000").labels([0, tokens.ids[1]]) == ("(pad)", tokens.labels[1])


@pytest.mark.parametrize("typed", ["", " ", "\n\t \u2003"])
def test_empty_text_says_what_to_do(typed):
    with pytest.raises(ValueError, match="Type at least one word"):
        load("bpe-1000").encode(typed)


def test_half_a_surrogate_pair_is_refused_with_its_place():
    with pytest.raises(ValueError, match=r"Character 3 is half of a surrogate pair \(U\+D83D\)"):
        load("bpe-1000").encode("ab\ud83d")


def test_notes_tell_true_numbers():
    tokenizer = load("unigram-8000")
    assert tokenizer.encode("the " * 9 + "the", limit=4).note == "Only the first 4 of 10 tokens are used."
    many = "the " * (READ_CHARACTERS // 4)
    assert tokenizer.encode(many + "the", limit=512).note == "Only the first 512 of more than 50,001 tokens are used."
    assert tokenizer.encode(many + "the").note == "Only the first 200,000 of 200,003 characters are used."


def test_wrong_arguments_are_named():
    tokenizer = load("bpe-1000")
    for call, words in [
        (lambda: Tokenizer.load("bpe-2000"), "unigram-8000, unigram-4000"),
        (lambda: tokenizer.encode("a", limit=0), "limit of 0 tokens"),
        (lambda: tokenizer.decode([5, 1000]), "Token id 1000 is outside 0 to 999"),
        (lambda: tokenizer.pieces([-1]), "Token id -1"),
        (lambda: tokenizer.nbest("a", 2), "BPE has no probabilities"),
        (lambda: tokenizer.sample("a", 1.5, 0), "alpha 1.5 is outside 0 to 1"),
        (lambda: load("unigram-1000").sample("a", math.nan, 0), "alpha nan"),
        (lambda: tokenizer.sample("a" * 1001, 0.5, 0), "1,000 characters; this text has 1,001"),
        (lambda: tokenizer.sample("a" * 1000, 0.5, 0, 21), "1 to 20 ways to cut 1,000 characters"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


def test_damaged_files_are_refused(tmp_path):
    whole = (text.TOKENIZERS_FOLDER / "bpe-1000.model").read_bytes()
    other = (text.TOKENIZERS_FOLDER / "bpe-4000.model").read_bytes()
    for damaged in (None, b"", b"not a model", whole[: len(whole) // 2], other):
        if damaged is not None:
            (tmp_path / "bpe-1000.model").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"bpe-1000\.model is (missing or )?damaged"):
            Tokenizer.load("bpe-1000", tmp_path)


def test_decoding_leaves_out_special_pieces_and_mends_broken_bytes():
    tokenizer = load("unigram-8000")
    ids = tokenizer.encode("the cat").ids
    assert tokenizer.decode([SPECIAL.index("<s>"), *ids, 3, 0, 0]) == "the cat"
    assert tokenizer.decode([*ids, 1]) == "the cat\ufffd"
    assert tokenizer.decode(tokenizer.encode("the 👩").ids[:-1]) == "the \ufffd"


def test_threads_share_a_tokenizer():
    tokenizer = load("unigram-4000")
    typed = [f"sentence number {i} is here 👩" for i in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokenizer.encode, typed)) == [tokenizer.encode(each) for each in typed]


def test_a_long_name_that_no_tokenizer_has_is_cut():
    with pytest.raises(ValueError, match="There is no tokenizer") as refusal:
        Tokenizer.load("unigram" * 99)
    assert len(str(refusal.value)) < 200
