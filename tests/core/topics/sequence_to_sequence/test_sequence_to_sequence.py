"""Three translators: passages, changed words and the additive attention, against PyTorch and cases worked by hand."""

from functools import cache

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.device import choose
from core.model.recurrent import AdditiveAttention, Recurrent, RecurrentConfig, build
from core.text.special import BOS
from core.text.tokenizer import Tokenizer
from core.topics.sequence_to_sequence.additive import additive_cell, cell_terms
from core.topics.sequence_to_sequence.changed_words import changed_sources, directions, moved, word_names
from core.topics.sequence_to_sequence.gates import gates_of
from core.topics.sequence_to_sequence.lengths import buckets, short_pieces
from core.topics.sequence_to_sequence.readings import (
    explain_cell,
    read_directions,
    read_fixed_size,
    read_left,
    read_lengths,
    read_retention,
    read_score_cell,
    read_states,
)
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, Passage
from core.topics.sequence_to_sequence.timing import PassTime, measure_pass, passes_in_reach
from core.topics.sequence_to_sequence.translations import (
    looking_only_at,
    recurrent_passage,
    source_row,
    transformer_passage,
)
from core.tracing.run import Run
from core.training.translation import translate

TEXT = "The unbelievable cat sleeps on the red chair."
TOKENIZER = shipped.tokenizer("translator")
ROW = source_row(TEXT, TOKENIZER)


@cache
def model(kind: str) -> Recurrent:
    return build(RecurrentConfig(kind, 8000, 8, 6, seed=3)).requires_grad_(False)


@cache
def trained(name: str) -> tuple[Recurrent, Passage]:
    found = shipped.load_recurrent(name)
    return found, recurrent_passage(found, TOKENIZER, ROW)


def test_all_three_translators_read_the_same_pieces() -> None:
    files = {(shipped.MODELS_FOLDER / name / "unigram-8000.model").read_bytes() for name in (BOTTLENECK, ADDITIVE)}
    assert files == {(shipped.MODELS_FOLDER / "translator" / "unigram-8000.model").read_bytes()}


@pytest.mark.parametrize("name", [BOTTLENECK, ADDITIVE])
def test_a_passage_is_what_a_beam_of_one_writes_and_holds_what_one_pass_gives(name: str) -> None:
    network, found = trained(name)
    assert isinstance(TOKENIZER, Tokenizer)
    assert [found.text] == translate(network, TOKENIZER, [TEXT], width=1, alpha=0.0) and found.ended
    source, target = torch.tensor([ROW.ids]), torch.tensor([[BOS, *found.ids[:-1]]])
    logits, weights = network(source, target, torch.ones_like(source, dtype=torch.bool))
    np.testing.assert_allclose(found.probabilities, logits[0].softmax(-1).max(-1).values, atol=1e-5)
    assert (weights is None) == (found.weights is None)
    if weights is not None and found.weights is not None:
        np.testing.assert_allclose(found.weights, weights[0], atol=1e-5)


def test_the_transformer_translates_too_and_its_rows_sum_to_1() -> None:
    network = shipped.load("translator", choose())
    found = transformer_passage(network, TOKENIZER, Run(TEXT, network.config), ROW)
    assert isinstance(TOKENIZER, Tokenizer)
    assert [found.text] == translate(network, TOKENIZER, [TEXT], width=1, alpha=0.0)
    assert found.weights is not None and found.weights.shape == (len(found.ids), len(ROW))
    np.testing.assert_allclose(found.weights.sum(1), 1, atol=1e-5)


def test_forced_weights_stand_in_the_row_and_change_what_comes_after() -> None:
    network, free = trained(ADDITIVE)
    forced = recurrent_passage(network, TOKENIZER, ROW, looking_only_at((1, 0), len(ROW)))
    assert forced.weights is not None and free.weights is not None
    assert forced.weights[1].tolist() == [1.0] + [0.0] * (len(ROW) - 1)
    np.testing.assert_array_equal(forced.weights[0], free.weights[0])
    assert not np.allclose(forced.states["decoder.state"][1], free.states["decoder.state"][1])
    with pytest.raises(ValueError, match="source token 99"):
        looking_only_at((1, 99), len(ROW))


def test_additive_attention_by_hand_and_one_state_changes_all_weights() -> None:
    attend = AdditiveAttention(1, 1, 2)
    with torch.no_grad():
        attend.w.weight.copy_(torch.tensor([[1.0], [0.5]]))
        attend.u.weight.copy_(torch.tensor([[2.0], [-1.0]]))
        attend.u.bias.copy_(torch.tensor([0.0, 0.25]))
        attend.v.weight.copy_(torch.tensor([[3.0, -2.0]]))

    def weights(second: float) -> list[float]:
        memory = torch.tensor([[[0.1], [second]]])
        mask = torch.ones(1, 2, dtype=torch.bool)
        found: list[float] = attend(torch.tensor([[0.5]]), memory, attend.u(memory), mask)[1][0].tolist()
        return found

    def score(h: float) -> float:
        return float(3 * np.tanh(0.5 + 2 * h) - 2 * np.tanh(0.25 - h + 0.25))

    first, second = np.exp(score(0.1)), np.exp(score(-0.4))
    assert weights(-0.4) == pytest.approx([first / (first + second), second / (first + second)], abs=1e-6)
    assert weights(0.7)[0] != pytest.approx(weights(-0.4)[0], abs=0.1)


def test_the_terms_of_a_cell_add_up_to_its_score() -> None:
    network, found = trained(ADDITIVE)
    for row, column in ((0, 2), (3, 1)):
        cell = additive_cell(network, found, row, column)
        assert float(cell.v @ np.tanh(cell.query + cell.key)) == pytest.approx(float(cell.scores[column]), abs=1e-4)
        score, weight = cell_terms(cell, column)
        assert score.total == pytest.approx(float(cell.scores[column]), abs=1e-4)
        assert explain_cell(score, weight, row, column).count("the model's value") == 2
    with pytest.raises(ValueError, match="cell"):
        additive_cell(network, found, 0, 99)


def test_each_word_is_replaced_once_with_all_its_pieces() -> None:
    assert ROW.pieces.count("·able") or len(word_names(ROW)) < len(ROW) - 1  # a word of several pieces is among them
    whole, *others = changed_sources(ROW, (7, 7))
    assert whole == ROW.ids and len(others) == len(word_names(ROW))
    assert others[0] == (7, 7, *ROW.ids[1:]) and all(other[-1] == ROW.ids[-1] for other in others)


def test_a_changed_word_moves_the_vector_as_two_separate_runs_do() -> None:
    network = model("bottleneck")
    found = moved(network, ROW, (5, 6), (9, 8, 2))
    for word, ids in enumerate(changed_sources(ROW, (5, 6))[1:]):
        rows = [torch.tensor([each]) for each in (ROW.ids, ids)]
        pair = [network.encode(row, torch.ones_like(row, dtype=torch.bool)) for row in rows]
        before, after = (each.last[0] for each in pair)
        assert found.vector[word] == pytest.approx(float((after - before).norm() / before.norm()), rel=1e-4)
    assert found.decoder.shape == (len(found.words), 3)


@pytest.mark.parametrize("other", [(7, 9, 11), ()])
def test_a_word_reaches_what_is_read_after_it_and_nothing_before(other: tuple[int, ...]) -> None:
    found = directions(model("attention"), ROW, other)
    count = len(found.words)
    for changed in range(count):
        assert np.allclose(found.forwards[changed, :changed], 0, atol=1e-6)
        assert np.allclose(found.backwards[changed, changed + 1 :], 0, atol=1e-6)
        assert (found.forwards[changed, changed + 1 :] > 1e-6).all()
        assert (found.backwards[changed, :changed] > 1e-6).all()
        assert np.isneginf(found.forwards[changed, changed]) == (not other)


def test_gates_of_a_backward_scan_keep_what_was_read_from_the_right() -> None:
    _, found = trained(ADDITIVE)
    back = gates_of(found, "backwards")
    candidate = found.states["backwards.candidate"]
    assert back.last == 0 and not back.kept[~back.read].any()
    z = found.states["backwards.update"].astype(np.float64)
    first = sum((1 - z[t]) * candidate[t] * z[:t].prod(0) for t in range(len(z)))
    np.testing.assert_allclose(first, found.states["backwards.state"][0], atol=1e-4)
    np.testing.assert_allclose(back.kept[0, 2], ((1 - z[2]) * z[:2].prod(0)).mean(), atol=1e-6)


def test_a_sentence_is_cut_at_commas_and_before_joining_words() -> None:
    text = "We bought fresh bread, cheese and milk for you because the old shop was closed."
    assert short_pieces(text) == (
        "We bought fresh bread, cheese",
        "and milk for you",
        "because the old shop was closed.",
    )
    assert short_pieces("Go!") == ("Go!",)


def test_buckets_are_those_of_the_cards_and_know_no_interval_that_is_not_there() -> None:
    cards = shipped.cards()
    found = buckets(cards)
    first = cards[BOTTLENECK].scores["bleu_by_source_words"]["1-5"]
    assert (found[0].bleu, found[0].sentences) == (first["bleu"], first["sentences"])
    assert found[0].low == first.get("low") and len({each.model for each in found}) == 3
    assert buckets(cards, "no such score") == []


def test_a_measurement_goes_through_the_lengths_and_keeps_to_its_time() -> None:
    models = {"one": model("bottleneck"), "two": model("attention")}
    found: list[PassTime] = []
    for title, length, part in passes_in_reach(tuple(models), 5.0, found, (2, 4)):
        found.append(measure_pass(title, models[title], length, part))
    assert [(each.title, each.length) for each in found] == [("one", 2), ("two", 2), ("one", 4), ("two", 4)]
    assert all(0 < each.low <= each.median <= each.high < 1000 * each.spent for each in found)
    assert [each.waiting for each in found] == [4, 4, 8, 8]
    assert not list(passes_in_reach(tuple(models), 5.0, found, (2, 4))), "all of it has been measured"
    rest = [(title, length) for title, length, _ in passes_in_reach(tuple(models), 5.0, found[:1], (2,))]
    assert rest == [("two", 2)]


def test_a_length_that_would_take_too_long_is_left_out() -> None:
    done = [PassTime(title, 2, 4, 10.0, 10.0, 10.0, 1, 0.01) for title in ("one", "two")]

    def begun(seconds: float) -> bool:
        return next(passes_in_reach(("one", "two"), seconds, done, (2, 100)), None) is not None

    assert begun(2.03) and not begun(2.01), "two runs of each take 2 × 50 × 20 ms, and 20 ms are spent"


def test_a_model_has_its_part_of_what_is_left() -> None:
    done = [PassTime("one", 2, 4, 1.0, 1.0, 1.0, 1, 1.0)]
    assert next(passes_in_reach(("one", "two"), 4.0, done, (2, 4)))[2] == pytest.approx(1.0)


def test_headlines_say_one_thing_and_the_numbers_come_after_it() -> None:
    assert read_states(("A", "B"), (1200, 64)) == (
        "“B” gives its decoder the fewest numbers about this sentence.",
        "Numbers about this sentence that the decoder is given: A 1,200, B 64.",
    )
    assert read_score_cell(["0:a"], 0, ["0:b"], 0, 2.0, 0.25) == (
        "To write “a”, the GRU gives 25% of its attention to “b”.",
        "The decoder’s state scores “b” with 2.00.",
    )
    assert read_retention(["0:a", "1:b"], np.array([0.25, 0.5])) == (
        "The largest part of the last state, 50%, was written at “b”.",
        "The smallest part, 25%, was written at “a”.",
    )
    assert read_retention(["0:a", "1:b"], np.full(2, 0.5)) == (
        "As much of the last state was written at every word: 50%.",
    )
    assert read_lengths([[0.75, 0.5, 0.25], [0.4, 0.3]], ("1-5", "21-30")) == (
        "The longer the sentence, the smaller the part of attention’s score that one vector reaches.",
        "One vector reaches 75% of the score with attention at 1-5 words, 25% at 21-30.",
    )
    assert read_lengths([[0.75, 0.25], [0.3, 0.3]], ("1-5", "21-30"))[0] == (
        "Longer sentences do not always leave one vector a smaller part of attention’s score."
    )
    assert read_fixed_size(608, np.array([0.3, 0.5])) == (
        "Every word moves the one vector: its 608 numbers must hold the whole sentence."
    )
    assert read_fixed_size(608, np.array([0.3, 0.0])) == (
        "However long the sentence is, it must fit in the same 608 numbers."
    )
    for cosine, how in ((0.055, "hardly"), (-0.2, "hardly"), (0.3, "somewhat"), (0.6, "still")):
        number = {0.055: "0.055", -0.2: "−0.20", 0.3: "0.30", 0.6: "0.60"}[cosine]
        assert read_left("“A”", cosine) == (
            f"With every word the state changes: the last one {how} resembles that after “A” (cosine {number})."
        )


def test_states_that_move_on_the_wrong_side_of_a_change_are_not_kept_back() -> None:
    words, moved = ("a", "b", "c"), np.array([0.0, 0.5, 0.25])
    headline, said = read_directions(words, 1, moved, moved[[2, 1, 0]])
    assert headline == ("When “b” changes, the forward half changes only from it on, the backward half only up to it.")
    assert said == (
        "When “b” changes, the forward half after it moves by up to 25% of its length, the backward half before it "
        "moves by up to 25% of its length."
    )
    rounded = moved + np.array([5e-9, 0, 0])
    assert read_directions(words, 1, rounded, rounded[[2, 1, 0]])[0] == headline
    headline, said = read_directions(words, 1, moved[[2, 1, 0]], moved[[2, 1, 0]])
    assert headline == "When “b” changes, the forward half before it or the backward half after it changes too."
    assert said == "They move by 25% of their length at most."
    assert read_directions(("a",), 0, moved[1:2], moved[1:2]) == [
        "When “a” changes, the forward half changes only from it on, the backward half only up to it."
    ], "there is no word before or after it"
