"""core.topics.tokens: merges, ways to cut, neighbours, one-hot rows, own tokenizers."""

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.device import choose
from core.lessons.glossary import BY_NAME
from core.limits import PASTED_CHARACTERS
from core.text.pieces import FIRST_LEARNED
from core.text.special import UNK
from core.topics.shared.run_from_choices import text_run
from core.topics.tokens import cuts, languages
from core.topics.tokens.merging import merged
from core.topics.tokens.one_hot import one_hot
from core.topics.tokens.own import train_own
from core.topics.tokens.readings import (
    read_before_training,
    read_best_way,
    read_cuts,
    read_languages,
    read_merges,
    read_one_hot,
    read_trained,
)
from core.topics.tokens.ways import DRAWS, doubt, drawn_ways, word_lattice
from core.topics.tokens.words import Looked, word_at
from core.tracing.run import Run
from tests.core.texts import load
from tests.pages.screen import HOSTILE

PROSE = " ".join(term.text for term in BY_NAME.values())
WORDS = sorted({*PROSE.split(), *HOSTILE.split(), "👩‍🚀!", "▁it", "naïve", "antidisestablishmentarianism", "aaaaaaa"})
SENTENCE = "The animal didn't cross the street."


@pytest.mark.parametrize("name", ["bpe-1000", "bpe-8000"])
def test_the_merges_end_where_sentencepiece_ends(name):
    tokenizer = load(name)
    for word in WORDS:
        found = merged(tokenizer, word)
        assert list(found.ids) == tokenizer.ids(word), word
        sizes = [len(state.pieces) for state in found.states]
        assert sizes == list(range(sizes[0], sizes[0] - len(sizes), -1)), word
        assert not found.states[-1].pairs and all(state.pairs for state in found.states[:-1])
        for before, after in pairwise(found.states):
            first, place = before.pairs[0], after.joined
            assert place is not None
            assert after.pieces[place] == before.pieces[place] + before.pieces[place + 1] == first.left + first.right
            assert first.rank == min(pair.rank for pair in before.pairs)


def test_a_unigram_tokenizer_has_no_merges_and_bpe_no_ways():
    with pytest.raises(ValueError, match="merges nothing"):
        merged(load("unigram-1000"), "cat")
    with pytest.raises(ValueError, match="no probabilities"):
        word_lattice(load("bpe-1000"), "cat", 3)


@pytest.mark.parametrize("word", ["cat", "unhappy", "don't", "zé"])
def test_the_best_ways_are_those_of_trying_all(word):
    tokenizer, text = load("unigram-1000"), f"▁{word}"
    unknown = min(tokenizer.scores.values()) - 10
    every = []
    for many in range(len(text)):
        for inner in combinations(range(1, len(text)), many):
            pieces = [text[a:b] for a, b in pairwise((0, *inner, len(text)))]
            if all(piece in tokenizer.scores or len(piece) == 1 for piece in pieces):
                every.append((sum(tokenizer.scores.get(piece, unknown) for piece in pieces), pieces))
    every.sort(reverse=True)
    found = word_lattice(tokenizer, word, 5)
    assert [each.score for each in found.ranked] == pytest.approx([score for score, _ in every[:5]])
    assert [arc.piece.replace("␣", "▁") for arc in found.chosen] == every[0][1]
    assert found.best[-1] == pytest.approx(every[0][0])
    assert found.total[-1] == pytest.approx(math.log(sum(math.exp(score) for score, _ in every)))
    assert [arc.known for arc in found.chosen] == [piece in tokenizer.scores for piece in every[0][1]]
    shares = {tuple(each.pieces): each.share for each in drawn_ways(tokenizer, word, 0.5, 1)}
    powers = math.fsum(math.exp(score / 2) for score, _ in every)
    assert max(shares.values()) == pytest.approx(math.exp(every[0][0] / 2) / powers)


def test_drawn_ways_are_counted():
    found = drawn_ways(load("unigram-8000"), "unbelievably", 0.2, 3)
    assert sum(each.times for each in found) == DRAWS and len(found) > 1
    assert found == drawn_ways(load("unigram-8000"), "unbelievably", 0.2, 3)
    assert found[0].times >= found[-1].times


@pytest.mark.parametrize("text", [SENTENCE, HOSTILE, "a", "cat and dog " * 200])
def test_counts_are_those_of_the_text(text):
    looked = Looked(text_run(text))
    letters, data = cuts.plain_cuts(looked)
    assert (letters.total, data.total) == (len(text), len(text.encode()))
    assert data.per_word == tuple(len(text[a:b].encode()) for a, b in looked.spans)
    found = cuts.cut(looked, load("bpe-4000"))
    assert found.total == len(load("bpe-4000").ids(text)) and len(found.ids) == min(512, found.total)
    assert found.mean == pytest.approx(found.total / len(text.split()))
    assert len(found.per_word) == len(text.split())


def test_a_lone_mark_of_a_space_counts_with_the_word_behind_it():
    looked = Looked(text_run("UNDER_SCORE x"))
    found = cuts.cut(looked, load("bpe-1000"))
    assert (found.per_word, found.total, None in found.owners) == ((12, 2), 14, False)


def test_the_word_that_shows_most_is_found():
    looked, tokenizer = Looked(text_run("the cat unbelievably sat")), load("bpe-1000")
    assert word_at(looked, None, len) == word_at(looked, 99, len) == (2, "unbelievably")
    assert word_at(looked, 1, len) == (1, "cat") and word_at(looked, None, lambda word: -len(word))[0] == 0
    assert doubt(load("unigram-1000"), "unbelievably") > doubt(load("unigram-1000"), "the")
    found = cuts.cut(looked, tokenizer)
    assert cuts.hardest(found) == 2
    assert cuts.longest_whole(replace(found, per_word=(1, 1, 4, 2)), [3, 3, 12, 3]) == 0
    assert cuts.longest_whole(replace(found, per_word=(1, 1, 4, 2)), [3, 4, 12, 3]) == 1
    assert cuts.longest_whole(replace(found, per_word=(2, 3, 4, 2)), [3, 3, 12, 3]) is None


@pytest.mark.parametrize("word", ["the", "cats", "unlike"])
def test_all_ways_to_cut_a_word_are_counted(word):
    """A longer list of best ways holds each way once."""
    tokenizer = load("unigram-1000")
    found = word_lattice(tokenizer, word, 500)
    assert len(found.ranked) == found.ways < 500
    assert len({way.tokens.pieces for way in found.ranked}) == found.ways


@pytest.mark.parametrize("name", ["bpe-1000", "unigram-1000"])
def test_a_piece_has_its_score_or_the_merge_that_made_it(name):
    tokenizer = load(name)
    for i in range(FIRST_LEARNED, tokenizer.vocab_size, 7):
        (piece,), found = tokenizer.pieces([i]), cuts.entry(tokenizer, i)
        if tokenizer.kind == "unigram":
            assert found.score == tokenizer._processor.GetScore(i) and found.rank is None
        elif len(piece) > 1:
            joined = "".join(part.removeprefix("·") for part in found.parts).replace("␣", "")
            assert found.rank == i - FIRST_LEARNED + 1 == 1 - tokenizer._processor.GetScore(i)
            assert not found.parts or (len(found.parts) == 2 and joined == piece.replace("▁", ""))
    assert cuts.entry(tokenizer, UNK).rank is cuts.entry(tokenizer, UNK).score is None
    assert [each.id for each in cuts.entries(tokenizer, 999)] == [996, 997, 998, 999]


def test_a_one_hot_vector_selects_its_row():
    name = "storyteller-small"
    card = shipped.read(name)
    run = Run(SENTENCE, card.config, source=card.source, format=card.format)
    model = shipped.load(name, choose())
    found = one_hot(model, shipped.tokenizer(name), run, 2)
    table = model.state_dict()["embed.weight"].double()
    assert found.vector.sum() == 1 and found.vector[found.ids[2]] == 1
    assert found.same and torch.equal(table[found.ids[2]], torch.from_numpy(found.row).double())
    assert np.array_equal(found.product, (found.vector.astype(np.float64) @ table.numpy()).astype(np.float32))
    assert np.array_equal(found.table[found.window.index(found.ids[2])], found.row)
    assert found.multiplications == table.numel()
    assert one_hot(model, shipped.tokenizer(name), run, 511).place == len(found.ids) - 1


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_an_own_tokenizer_round_trips_and_its_merges_are_exact(kind, capfd):
    own = train_own(PROSE, kind, 500)
    tokenizer = own.tokenizer
    assert (tokenizer.kind, tokenizer.vocab_size, own.characters) == (kind, 500, len(PROSE))
    assert all(tokenizer.decode(tokenizer.ids(text)) == text for text in (SENTENCE, HOSTILE))
    if kind == "bpe":
        assert all(list(merged(tokenizer, word).ids) == tokenizer.ids(word) for word in WORDS)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "size", "sentence"),
    [
        ("", 400, "Paste some text"),
        ("a b c", 400, "at most 365 pieces"),
        ("".join(map(chr, range(0x4E00, 0x5E00))), 400, "4,4.. pieces are the least"),
        ("\ud800 and so on", 400, "surrogate"),
        ("x" * (PASTED_CHARACTERS + 1), 400, "at most 50,000 characters"),
        ("\x00 ▁ ▅", 400, "paste more or other text"),
    ],
)
def test_what_cannot_be_trained_on_is_said(text, size, sentence):
    with pytest.raises(ValueError, match=sentence):
        train_own(text, "bpe", size)


def test_costs_are_counted_by_language():
    found = languages.language_costs([load("unigram-1000")])
    row = found.languages.index("Hindi")
    text = languages.SENTENCES["Hindi"]
    assert found.counts[row].tolist() == [len(load("unigram-1000").ids(text)), len(text), len(text.encode())]
    assert (found.ratios[0] == 1).all()


def test_what_is_said_of_cuts_and_merges():
    pieces = [("unigram-8000", 3), ("bpe-1000", 7)]
    assert read_cuts(("cats", 3), "dog", pieces, [10, 23], 55) == (
        "“dog” stays whole, but “cats” is cut into 3 pieces.",
        "“cats” is 3 tokens for unigram-8000 and 7 for bpe-1000. "
        "Learned pieces cut the text, 55 characters long, into 10 to 23 tokens.",
    )
    assert read_cuts(("cats", 3), "", pieces, [10, 23], 55)[0] == "“cats” is cut into 3 pieces."
    assert read_cuts(("a", 1), "a", [("one", 1), ("two", 1)], [1, 1], 1) == (
        "“a” stays whole, as one piece.",
        "“a” is 1 token for every tokenizer. Learned pieces cut the text, 1 character long, into 1 token.",
    )
    assert read_merges("cats", 1, 3, 4, 5) == (
        "After 1 merge, “cats” is in 4 pieces.",
        "Of 3 merges 1 is done; it has 5 characters, its space among them.",
    )
    assert read_merges("cats", 3, 3, 2, 5)[0] == "After all its merges, “cats” is in 2 pieces."
    assert read_merges("at", 1, 1, 1, 2)[0] == "After its one merge, “at” is in 1 piece."
    none = "No two neighbours in “at” make a piece of this tokenizer: nothing is merged."
    assert read_merges("at", 0, 0, 2, 2) == (none,)


def test_what_is_said_of_the_likeliest_way():
    assert read_best_way("cats", ["␣cat", "s"], -12.3456, 0.6, 0.18, 30) == (
        "Of 30 ways to cut “cats”, the tokenizer takes the likeliest.",
        "␣cat s has 60% of the probability, the next best way 18%, and all others the rest.",
        "The log-probability of the likeliest is −12.35.",
    )
    assert "Of more than a million ways" in read_best_way("cats", ["cats"], -1.0, 0.6, 0.18, 1_000_001)[0]
    one = read_best_way("a", ["␣a"], -3.0, 1.0, None, 1)
    assert one == ("“a” can be cut in one way only: ␣a.", "The log-probability of this way is −3.000.")


def test_what_is_said_of_training_of_rows_and_of_languages():
    assert read_before_training("unigram-8000", 10)[0] == (
        "A tokenizer that learned from books cuts your text above into 10 pieces."
    )
    assert read_trained("bpe", 500, 9000, 1.234, 10, 1) == (
        "Your tokenizer cuts your text above into 1 piece, and one that learned from books into 10.",
        "Yours learned 500 pieces of bpe from 9,000 characters in 1.2 seconds; the other one is unigram-8000.",
    )
    assert read_one_hot("was", 325, 8000, 256, True) == (
        "“was” has the id 325, so the model reads row 325 of its table.",
        "Its one-hot vector times the table gives the same row, to the bit: 8,000 · 256 = 2,048,000 multiplications, "
        "where reading takes none.",
    )
    assert "gives other numbers than that row: " in read_one_hot("was", 325, 8000, 256, False)[1]
    assert read_languages("English", "Hindi", 10.0, "unigram-8000", 0.742) == (
        "The same sentence costs 10 times as many tokens in Hindi as in English.",
        "That is with unigram-8000, though the sentence has 74% as many characters in Hindi.",
    )
    assert read_languages("English", "English", 1.0, "yours", 1.0) == (
        "The sentence costs no more tokens in any other language than in English.",
        "That is with yours.",
    )
