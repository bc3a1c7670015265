"""One choice of a token as its pictures show it, and the sentences about what was written."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.sampling import STAGES, Sampling, draw, stages
from core.readings.generation import read_along, read_choice, read_lens, read_newest_row, read_samples
from core.topics.generate.choice import choice, draw_segments
from core.topics.generate.drawn import shared_start
from core.topics.generate.records import GenerationStep, Sample, StageRecord


def made(logits: torch.Tensor, sampling: Sampling, number: float = 0.5, forced: int | None = None) -> GenerationStep:
    """A step over these logits (V,), without a model."""
    found = stages(logits, torch.zeros(len(logits), dtype=torch.bool), sampling)
    own, after = found[0].double().softmax(-1), found[-1].double().softmax(-1)
    chosen = draw(after, number) if forced is None else forced
    order = np.lexsort((-own.numpy(), -after.numpy()))[:50].tolist()
    records = (StageRecord(name, s.numpy(), int(s.isfinite().sum())) for name, s in zip(STAGES, found, strict=True))
    return GenerationStep(
        chosen=chosen,
        piece=f"p{chosen}",
        probability=float(after[chosen]),
        own=float(own[chosen]),
        draw=None if forced is not None else number,
        forced=forced is not None,
        entropy=1.0,
        surprisal=float(-own[chosen].log2()),
        ended=False,
        number=0,
        ids=(1,),
        pieces=("a",),
        stages=tuple(records),
        likely=tuple((i, f"p{i}") for i in order),
    )


def test_a_choice_by_hand() -> None:
    step = made(torch.tensor([1.0, 4.0, 2.0, 3.0]), Sampling(top_k=2), 0.1)
    found = choice(step, Sampling(top_k=2), count=3)
    assert found.stages == ("logits", "temperature", "top-k", "top-p")
    assert found.ids == (1, 3, 2) and found.ranks == (1, 2, 3) and found.chosen == 0
    assert found.left == (4, 4, 2, 2) and found.logits.tolist() == [4, 3, 2]
    assert found.kept.tolist() == [[True] * 3, [True] * 3, [True, True, False], [True, True, False]]
    share = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(found.probabilities[-1], [share, 1 - share, 0], rtol=1e-5)
    np.testing.assert_allclose(found.others, [np.exp(1) / np.exp([1, 2, 3, 4]).sum()] * 2 + [0, 0], atol=1e-6)


def test_a_token_that_is_not_among_the_likeliest_is_shown_with_its_rank() -> None:
    step = made(-torch.arange(60.0), Sampling(), forced=57)
    found = choice(step, Sampling(), count=5)
    assert found.ids == (0, 1, 2, 3, 57) and found.ranks == (1, 2, 3, 4, 58) and found.chosen == 4
    assert draw_segments(step, 5)[-2].piece == "p57" and draw_segments(step, 5)[-2].chosen


def test_penalty_and_min_p_are_shown_where_they_act() -> None:
    sampling = Sampling(repetition_penalty=1.5, min_p=0.1)
    assert choice(made(torch.arange(9.0), sampling), sampling).stages == STAGES


@settings(max_examples=40)
@given(
    st.integers(1, 70),
    st.floats(0.2, 5),
    st.integers(0, 30),
    st.floats(0.05, 1),
    st.floats(0, 0.999),
    st.integers(0, 99),
    st.integers(1, 30),
)
def test_the_number_falls_on_the_chosen_part(
    size: int, temperature: float, k: int, p: float, number: float, seed: int, count: int
) -> None:
    sampling = Sampling(temperature, k, p)
    step = made(3 * torch.randn(size, generator=torch.Generator().manual_seed(seed)), sampling, number)
    found = draw_segments(step, count)
    assert found[0].start == 0 and found[-1].end == pytest.approx(1)
    assert all(before.end == after.start for before, after in pairwise(found))
    (chosen,) = [part for part in found if part.chosen]
    assert chosen.start - 1e-6 <= number <= chosen.end + 1e-6
    assert chosen.end - chosen.start == pytest.approx(step.probability, abs=1e-6)
    shown = choice(step, sampling, count)
    assert shown.ids[shown.chosen] == step.chosen and len(set(shown.ids)) == len(shown.ids)
    np.testing.assert_allclose(shown.probabilities.sum(1) + shown.others, 1, atol=1e-5)
    np.testing.assert_array_equal(shown.kept.sum(1) <= shown.left, True)


def test_samples_part_at_the_first_token_that_differs() -> None:
    texts = [Sample("", ids, (), 0.0, False) for ids in ((1, 2, 3), (1, 2, 4), (1, 2))]
    assert shared_start(texts) == 2 and shared_start(texts[:1]) == 3
    assert shared_start([*texts, Sample("", (9,), (), 0.0, False)]) == 0


def test_sentences_about_a_choice() -> None:
    assert read_choice("a", 0.1, 0.4, 0.25, False) == (
        "A random draw picked “a”, which had a chance of 40%.",
        "The model gave “a” a chance of 10%; temperature, top-k and top-p raised it to 40%, and the random draw (0.25) "
        "hit it.",
    )
    assert "lowered it to 4%" in read_choice("a", 0.1, 0.04, 0.25, False)[1]
    assert "left it at 10%" in read_choice("a", 0.1, 0.1, 0.25, False)[1]
    assert read_choice("a", 0.1, 0.4, None, True) == (
        "The model gave “a” a chance of 10%; it was written in the model's place.",
    )
    assert read_choice("a", 0.1, 1.0, None, False) == (
        "The model gave “a” a chance of 10% and took it.",
        "At temperature 0 nothing is drawn: the likeliest after the filters is taken.",
    )


def test_sentences_about_a_text() -> None:
    headline, said = read_along(["a", "b"], [1.0, 3.0], [2.0, 4.0], 1)
    assert headline == "“b” surprised the model most: it had a chance of 12%."  # 2 to the power of −3
    assert said == (
        "Before “b” the model was as unsure as among 16 equally likely tokens: the entropy was 4.00 bits. On average a "
        "token surprised the model by 2.00 bits, “b” by 3.00."
    )
    assert read_along([".", "b"], [3.0, 1.0], [2.0, 2.0], 1)[0] == (
        "“b” surprised the model most of all words: it had a chance of 50%."
    )
    assert read_along(["a"], [1.0], [2.0], 0) == [
        "The model gave “a” a chance of 50%.",
        "Before “a” the model was as unsure as among 4 equally likely tokens: the entropy was 2.00 bits. It surprised "
        "the model by 1.00 bits.",
    ]
    assert read_samples(["ab", "ac"], 1, [2.0, 1.0]) == (
        "By chance alone, one beginning goes on in two different ways.",
        "The first token is the same in every text. Text 1 surprised the model least, by 1.00 bits a token.",
    )
    assert read_samples(["abc", "abd"], 2, [2.0, 1.0])[1].startswith("The first 2 tokens are the same in every text.")
    assert "two different ways" in read_samples(["ab", "cb", "ab"], 0, [1.0, 2.0, 1.0])[0], "two are the same"
    assert read_samples(["ab", "cb"], 0, [1.0, 1.0]) == (
        "By chance alone, one beginning goes on in two different ways.",
        "Not every text begins with the same token. Texts 0 and 1 surprised the model least, by 1.00 bits a token.",
    )
    assert read_samples(["ab", "ab"], 2, [1.0, 1.0]) == (
        "All 2 texts are the same.",
        "They have 1.00 bits of surprise a token.",
    )
    assert read_samples(["ab"], 0, [1.0]) == (
        "There is only one text.",
        "It surprised the model by 1.00 bits a token.",
    )


@pytest.mark.parametrize(
    ("best", "words"),
    [
        ("aaa", "even before the first layer, and after every one"),
        ("bba", "only after the last layer"),
        ("baa", "from layer 1 of 2 on"),
        ("aba", "only after the last layer"),
    ],
)
def test_the_lens_says_from_where_on_the_guess_stands(best: str, words: str) -> None:
    headline, said = read_lens(list(best), [0.1, 0.2, 0.5], "x", ["0:t"])
    assert headline == f"After “t” the model’s best guess is “a” {words}."
    assert said == "At the end the chance of “a” is 50%, but “x” was written."
    written = "At the end the chance of “a” is 50%, and it was written."
    assert read_lens(list(best), [0.1, 0.2, 0.5], "a", ["0:t"]) == (headline, written)


def test_the_mask_s_sentence_counts_what_it_hides() -> None:
    labels = ["0:a", "1:b", "2:c", "3:d"]
    assert read_newest_row(np.tri(4, dtype=bool), 0.25, labels, 1) == (
        "“b” cannot look at the 2 tokens after it.",
        "The newest token, “d”, adds a row. Its row sees 4 of 4 tokens and gives 25% to itself; the mask hides 6 of 16 "
        "pairs, so the rows above it stayed as they were.",
    )
    assert read_newest_row(np.tri(4, dtype=bool), 0.25, labels, 2)[0] == "“c” cannot look at the token after it."
    assert read_newest_row(np.tri(1, dtype=bool), 1.0, ["0:a"], 0) == (
        "“a” is the first token, so there is only one row.",
        "Its row sees 1 of 1 token and gives 100% to itself.",
    )
