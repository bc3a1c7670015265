"""A word in several sentences: its vectors, what a head mixed for it, the map, and the pairs with “it”."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.checkpoints.measured import load_measured
from core.device import Placement
from core.text.pronoun_pairs import french_pronoun, pronoun_pairs
from core.text.senses import SENSES, sense_of
from core.topics.self_attention.one_head import head
from core.topics.shared.places import HeadAddress
from core.topics.words_in_context import pronouns
from core.topics.words_in_context.drawn import HeadSources, drawn_from, head_sources, telling_head
from core.topics.words_in_context.maps import context_map
from core.topics.words_in_context.occurrences import (
    alikeness,
    occurrences,
    shared_word,
)
from core.topics.words_in_context.readings import (
    read_mixed_terms,
    read_neighbour_senses,
    read_occurrences,
    read_places,
    read_sources,
)
from core.topics.words_in_context.senses import sense_shares
from core.topics.words_in_context.sentences import ReadSentence, read_sentence
from core.tracing.run import Run, execute, prepare
from core.training.pronouns import measure_pronouns

CPU = Placement("cpu", "float32")
SPRING = ("The flowers bloom in spring.", "It is warm here in spring.", "The spring in this clock is broken.")


def run_on(name: str, text: str) -> Run:
    return pronouns.translator_run(shipped.read(name), CPU, text)


def read(name: str, *texts: str) -> list[ReadSentence]:
    model, tokenizer = shipped.load(name, CPU), shipped.tokenizer(name)
    return [read_sentence(model, tokenizer, replace(run_on(name, text), target=text)) for text in texts]


def test_a_words_vector_is_the_mean_of_its_pieces_in_the_traced_stream() -> None:
    text = "The spring in this clock is broken."
    (sentence,) = read("translator", text)
    model, tokenizer, run = shipped.load("translator", CPU), shipped.tokenizer("translator"), run_on("translator", text)
    inputs = prepare(run, tokenizer)
    seen = execute(model, run, inputs, ["encoder.1.resid_post", "encoder.final", "encoder.embed"])
    place = sentence.words.index("clock")
    first, last = sentence.tokens[place]
    assert last == first + 1 and sentence.several_pieces(place) and sentence.onward
    assert sentence.stages == ("embedding", "+ position", "layer 1", "layer 2", "layer 3", "last norm")
    for stage, key in (
        ("layer 2", "encoder.1.resid_post"),
        ("last norm", "encoder.final"),
        ("embedding", "encoder.embed"),
    ):
        mean = seen[key][0, first : last + 1].mean(0)
        np.testing.assert_allclose(sentence.states[sentence.stages.index(stage), place], mean, atol=1e-5)


def test_in_a_decoder_only_the_words_before_count() -> None:
    one, two, three = read("storyteller", "The light was out.", "The light green leaf.", "A light was out.")
    assert not one.onward and one.words == ("The", "light", "was", "out", ".")
    np.testing.assert_allclose(one.states[:, 1], two.states[:, 1], atol=1e-4)
    assert not np.allclose(one.states[-1, 1], three.states[-1, 1], atol=1e-2)


def test_the_example_was_chosen_for_what_it_shows() -> None:
    found = read("translator", *SPRING)
    places = occurrences(found, shared_word(found))
    alike = alikeness(found, places)
    assert [(at.sentence, at.word) for at in places] == [(0, 4), (1, 5), (2, 1)]
    assert [pair.name for pair in alike.pairs] == ["1 and 2", "1 and 3", "2 and 3"] and alike.same_row
    same, *other = (pair.cosines[-1] for pair in alike.pairs)
    assert same > 0.9 and max(other) < 0.7 and alike.others[-1] < 0.2
    assert alike.most_alike.name == "1 and 2" and alike.least_alike.name == "1 and 3"
    a, b = found[0].states[3, 4], found[2].states[3, 1]
    by_torch = float(torch.cosine_similarity(torch.tensor(a), torch.tensor(b), dim=0))
    assert alike.pairs[1].cosines[3] == pytest.approx(by_torch)


@pytest.mark.parametrize(
    ("texts", "wanted", "word"),
    [
        (("The bank is open.", "A bank lends."), "", "bank"),
        (("It was tired.", "It was wide."), "", "it"),
        (("The bank of the river and the bank.",), "", "bank"),
        (("The bank is open.", "The bank lends."), " The ", "the"),
    ],
)
def test_the_word_is_found_or_chosen(texts: tuple[str, ...], wanted: str, word: str) -> None:
    assert shared_word([plain_sentence(text) for text in texts], wanted) == word


def test_the_special_tokens_around_a_text_are_no_words() -> None:
    around = [replace(plain_sentence("x Old spring ."), words=("[CLS]", "Old", "spring", "</s>")) for _ in range(2)]
    assert shared_word(around) == "old"


@pytest.mark.parametrize(
    ("texts", "wanted", "why"),
    [
        (("A cat.", "The dog."), "", "No word stands in each"),
        (("A cat.", "The dog."), "cat", "“cat” does not stand in sentence 2."),
        (("A cat sleeps.",), "", "no word stands twice"),
        (("A cat sleeps.",), "cat", "no word stands twice"),
    ],
)
def test_a_word_that_is_not_shared_is_refused(texts: tuple[str, ...], wanted: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        shared_word([plain_sentence(text) for text in texts], wanted)


def test_a_second_time_in_one_sentence_comes_after_the_first_in_each() -> None:
    found = occurrences([plain_sentence("a bank a bank a bank"), plain_sentence("the bank")], "bank")
    assert [(at.sentence, at.word, at.name) for at in found] == [(0, 1, "1"), (0, 3, "1b"), (1, 1, "2")]


def test_the_shares_are_those_of_the_traced_mix() -> None:
    model, tokenizer = shipped.load("translator", CPU), shipped.tokenizer("translator")
    run, place = run_on("translator", SPRING[2]), HeadAddress("encoder", 1, 2)
    record = head(model, tokenizer, run, place)
    drawn = drawn_from(record, 1)
    seen = execute(model, run, prepare(run, tokenizer), ["encoder.1.z", "encoder.1.v", "encoder.1.pattern"])
    z, v, weights = seen["encoder.1.z"][0, 2, 1], seen["encoder.1.v"][0, 2], seen["encoder.1.pattern"][0, 2, 1]
    expected = torch.stack([weights[j] * v[j] @ z / (z @ z) for j in range(len(v))])
    np.testing.assert_allclose(drawn.shares, expected, atol=1e-5)
    np.testing.assert_allclose(drawn.sizes, (weights[:, None] * v).norm(dim=1), atol=1e-5)
    assert drawn.shares.sum() == pytest.approx(1, abs=1e-6) and drawn.token == "1:spring"


def test_the_sources_of_every_head_are_the_shares_of_each() -> None:
    model, tokenizer = shipped.load("translator", CPU), shipped.tokenizer("translator")
    run = run_on("translator", SPRING[2])
    found = head_sources(model, tokenizer, run, 1)
    assert found.shares.shape == (3, 4, len(found.pieces)) and found.pieces[1] == "spring"
    for layer, number in ((0, 0), (2, 3)):
        drawn = drawn_from(head(model, tokenizer, run, HeadAddress("encoder", layer, number)), 1)
        np.testing.assert_allclose(found.shares[layer, number], drawn.shares, atol=1e-5)


def test_the_telling_head_draws_from_other_words() -> None:
    pieces = ("The", "fish", "·es", "clock", "spring", ".")
    shares = np.zeros((1, 5, 6))
    for number, (place, share) in enumerate([(5, 0.9), (0, 0.9), (4, 1.0), (1, 0.9), (3, 0.5)]):
        shares[0, number, place] = share  # a mark, "The", the word itself, a piece of a word, and another word
    one, other = HeadSources(shares, pieces), HeadSources(shares * 0.9, pieces)
    assert telling_head([one, other], "spring", frozenset({"the"})) == (0, 4)
    weak = shares.copy()
    weak[0, 3, 1], weak[0, 3, 3] = 0.0, 0.2
    assert telling_head([HeadSources(weak, pieces)], "spring", frozenset({"the"})) == (0, 4), "the larger share"


def test_the_map_is_the_svd_of_directions() -> None:
    found = read("translator", *SPRING)
    drawn = context_map(found, occurrences(found, "spring"), 4)
    assert drawn.stage == "layer 3" and "." not in drawn.words
    assert [word for word, here in zip(drawn.words, drawn.here, strict=True) if here] == ["spring"] * 3
    rows = np.concatenate([each.states[4, : len(each.words) - 1] for each in found]).astype(float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    u, sizes, _ = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    np.testing.assert_allclose(np.abs(drawn.places), np.abs(u[:, :2] * sizes[:2]), atol=1e-6)
    np.testing.assert_allclose(drawn.shares, sizes[:2] ** 2 / (sizes**2).sum(), atol=1e-9)


@pytest.mark.parametrize(
    ("french", "said"),
    [
        ("L'animal n'a pas traversé parce qu'il était fatigué.", "il"),
        ("La clé, parce qu'elle est vieille.", "elle"),
        ("Car c'est trop grand.", "ce"),
        ("Il dit que ça va.", "ce"),
        ("parce que c’était trop", "ce"),
        ("Le fil de la ville.", "another"),
    ],
)
def test_the_pronoun_is_the_last_subject(french: str, said: str) -> None:
    assert french_pronoun(french) == said


def test_the_pairs_differ_in_one_word_and_have_one_it() -> None:
    pairs = pronoun_pairs()
    assert len(pairs) >= 60 and len({pair.name for pair in pairs}) == len(pairs)
    for pair in pairs:
        one, two = (text.rstrip(".").split() for text in pair.texts)
        assert [words for words in zip(one, two, strict=True) if len(set(words)) > 1] == [pair.words]
        assert one.count("it") == 1 and sorted(pair.pronouns) == ["elle", "il"]


def test_the_shipped_pronouns_are_those_of_the_shipped_translator(monkeypatch: pytest.MonkeyPatch) -> None:
    results = pronouns.pair_results(pronoun_pairs(), load_measured("pronouns"))
    some = [0, 9, 14, 41]
    monkeypatch.setattr("core.training.pronouns.pronoun_pairs", lambda: [pronoun_pairs()[i] for i in some])
    found = measure_pronouns(shipped.load("translator", CPU), shipped.tokenizer("translator"))
    assert [tuple(each["french"]) for each in found] == [results[i].french for i in some]
    assert [tuple(each["said"]) for each in found] == [results[i].said for i in some]
    assert all(tuple(map(french_pronoun, each.french)) == each.said for each in results)


def test_pairs_are_counted_and_results_of_others_refused() -> None:
    pair = pronoun_pairs()[0]
    said = [("il", "elle"), ("il", "il"), ("elle", "elle"), ("ce", "ce"), ("elle", "il")]
    results = [pronouns.PairResult(pair, ("", ""), each) for each in said]
    assert pronouns.count_pairs(results) == (5, 1, 2, 3, 1)
    with pytest.raises(ValueError, match="other pairs"):
        pronouns.pair_results(pronoun_pairs()[1:], load_measured("pronouns"))


def test_the_shipped_neighbours_fit_their_own_counts() -> None:
    found = sense_shares(load_measured("senses-translator"))
    assert list(found.sentences) == list(SENSES) and found.totals.sum() >= 3000
    assert all(list(counts) == list(SENSES[word]) for word, counts in found.sentences.items())
    assert all(1 <= count <= 200 for counts in found.sentences.values() for count in counts.values())
    assert (found.right <= found.totals[:, None]).all() and (found.right >= 0).all()
    light = found.sentences["light"]
    assert found.baselines[0] == light["lamp"] / (light["lamp"] + light["not heavy"])
    assert found.shares[:, -1].mean() > found.baselines.mean() > found.shares[:, 0].mean()
    with pytest.raises(ValueError, match="not whole"):
        sense_shares({"words": {"light": {"right": [1, 2]}}})


def test_a_meaning_is_that_of_the_french_word() -> None:
    assert sense_of("light", "Éteins la lumière.") == "lamp" and sense_of("light", "Il est LÉGER.") == "not heavy"
    assert sense_of("light", "la lumière est légère") is None and sense_of("light", "un pain") is None


def plain_sentence(text: str) -> ReadSentence:
    """A sentence whose vectors play no part."""
    words = tuple(re.findall(r"\w+|[^\w\s]", text))
    tokens = tuple((place, place) for place in range(len(words)))
    states = np.zeros((1, len(words), 2))
    return ReadSentence(text, words, tokens, ("layer 1",), states, True, None)


def test_what_is_said_of_the_occurrences_after_all_layers() -> None:
    pairs = [("1 and 2", 0.873), ("1 and 3", 0.492), ("2 and 3", 0.5)]
    assert read_occurrences("spring", pairs, 0.2, True) == [
        "After all layers “spring” is most alike in sentences 1 and 2.",
        "The cosine of “spring” in sentences 1 and 2 is 0.873, in 1 and 3, the least alike, 0.492.",
        "Two different words of these sentences have a cosine of 0.20 on average.",
    ]
    alike = read_occurrences("spring", [(name, 0.5) for name, _ in pairs], None, True)
    assert alike == [
        "After all layers “spring” is equally alike in all sentences.",
        "The cosine of “spring” in any two sentences is 0.500.",
    ]
    assert read_occurrences("it", pairs[:1], None, True) == [
        "The two “it” begin as one vector; after all layers they are two.",
        "After all layers the two “it” have a cosine of 0.873, having begun as one row of the embedding table.",
    ]
    assert read_occurrences("it", pairs[:1], None, False) == [
        "After all layers the vectors of the two “it” differ.",
        "After all layers the two “it” have a cosine of 0.873.",
    ]
    same = read_occurrences("it", [("1 and 2", 1.0)], None, True)
    assert same[0] == "After all layers the vectors of the two “it” still point the same way."


def test_what_is_said_of_the_map() -> None:
    pairs = [("1", "2", 0.87), ("1", "3", 0.49), ("2", "3", 0.5)]
    assert read_places("spring", "layer 7", [0.3, 0.12], pairs, True) == [
        "In the embedding table every “spring” is the same point; after layer 7 that of sentence 3 lies apart from "
        "those of 1 and 2.",
        "Their cosines run from 0.490 to 0.870. The flat map shows 42% of how the words differ.",
    ]
    other = [("1", "2", 0.5), ("1", "2b", 0.4), ("2", "2b", 0.9)]
    assert read_places("it", "layer 1", [0.5], other, False)[0] == (
        "After layer 1 “it” of sentence 1 lies apart from those of 2 and 2b."
    )
    even = [
        ("1", "2", 0.6),
        ("1", "3", 0.5),
        ("2", "3", 0.3),
    ]  # 0.1 above the next, which is 0.2 above the last
    assert read_places("it", "layer 1", [0.5], even, True)[0].endswith("after layer 1 they differ.")
    assert read_places("it", "layer 1", [0.5], pairs[:1], False) == [
        "After layer 1 those of “it” differ.",
        "Their cosine is 0.870. The flat map shows 50% of how the words differ.",
    ]


def test_what_is_said_of_sources() -> None:
    sources = [("1", "“flowers”", 0.47), ("2", "“warm”", 0.53)]
    various = "“spring” draws most from a different token each time: “flowers” and “warm”."
    assert read_sources("spring", sources) == various
    assert read_sources("spring", [sources[0], ("2", *sources[0][1:])]) == (
        "In every sentence “spring” draws most from “flowers”."
    )
    some = read_sources("spring", [*sources, ("3", *sources[0][1:])])
    assert some == "“spring” draws most from “flowers” and “warm”, depending on the sentence."
    assert read_mixed_terms("spring", sources, 3, 2) == (
        "In layer 4 · head 3, “spring” draws most in sentence 1 from “flowers” (47% of the mix); in sentence 2 from "
        "“warm” (53% of the mix)."
    )


def test_what_is_said_of_neighbours_by_sense() -> None:
    stages = ("+ position", "layer 1", "layer 2")
    assert read_neighbour_senses("", 18, [0.69, 0.95, 0.9], stages, 0.76) == (
        "On average the nearest neighbour has the same meaning in 95% of the sentences after layer 1.",
        "Before the layers (+ position) it is 69%; always taking the commoner meaning would give 76%. These are means "
        "over 18 words.",
    )
    assert read_neighbour_senses("", 18, [0.69, 0.89, 0.95], stages, 0.76) == (
        "On average the nearest neighbour has the same meaning in 89% of the sentences, already after layer 1.",
        "Before the layers (+ position) it is 69%, after layer 2, the most, 95%; always taking the commoner meaning "
        "would give 76%. These are means over 18 words.",
    )
    late = read_neighbour_senses("", 18, [0.69, 0.75, 0.95], stages, 0.76)
    assert late[0].endswith("in 95% of the sentences after layer 2."), "layer 1 brings less than half of the gain"
    assert read_neighbour_senses("light", 18, [0.69, 0.5, 0.6], stages, 0.76) == (
        "For “light” the nearest neighbour has the same meaning in 69% of the sentences before any layer.",
        "No layer has more; always taking the commoner meaning would give 76%.",
    )
