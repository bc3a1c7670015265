"""What counts as a broken word, and as a loop."""

import torch

from core.checkpoints import shipped
from core.decoding.greedy import continuation
from core.decoding.sampling import GREEDY
from core.device import Placement
from core.training.samples import OPENINGS, TOKENS, broken_words, known_words, loops, write_tokens

KNOWN = known_words(["The old king didn't sleep.", "a half-open door"])


def test_a_word_that_no_text_has_is_broken_but_not_one_that_may_be_cut() -> None:
    assert broken_words("The kingle didn't sleep by a half-open do", KNOWN) == ["kingle", "by"]
    assert broken_words("OLD king.", KNOWN) == [] and broken_words("", KNOWN) == []


def test_a_loop_says_four_words_twice() -> None:
    assert loops("the cat sat on the mat, and the cat sat on the bed")
    assert not loops("the cat sat on a mat, and the cat sat there")


def test_at_temperature_0_it_writes_the_likeliest_text() -> None:
    name = "storyteller-small"
    model, ids = shipped.load(name, Placement("cpu", "float32")), shipped.tokenizer(name).encode(OPENINGS[0]).ids
    likeliest = continuation(model, torch.tensor([ids]), TOKENS)[0].tolist()
    assert write_tokens(model, ids, GREEDY, 0) == likeliest
