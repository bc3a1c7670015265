"""Sentences and formulas about scores and their scaling, on cases worked by hand."""

from types import SimpleNamespace

from core.topics.scaling.readings import (
    read_bands,
    read_drawn,
    read_own_softmax,
    read_scoring,
    write_entropy,
    write_scoring,
    write_variance,
    write_weights,
)

RAW = SimpleNamespace(largest=1.0, entropy=0.25, gradient=0.0)
SCALED = SimpleNamespace(largest=0.5, entropy=1.5, gradient=0.125)


def test_a_head_whose_queries_may_attend_to_nothing_says_nothing() -> None:
    assert read_own_softmax(4, "entropy", None, None) == read_own_softmax(4, "entropy", RAW, None) == []
    said = "In this head (d_k = 1,024) the mean {} without scaling, and {} with it."
    for field, words in (
        ("largest", ("of each query's largest weight is 100%", "50%")),
        ("entropy", ("entropy in bits is 0.250", "1.50")),
        ("gradient", ("norm is 0", "0.125")),
    ):
        assert read_own_softmax(1024, field, RAW, SCALED) == [said.format(*words)]


def test_what_a_score_function_has_to_learn() -> None:
    assert read_scoring("dot", False, 0, 8, 3) == "Parameters a head: **0**. Nothing to learn. Luong et al. 2015."
    own = read_scoring("general", True, 64, 8, 3)
    assert own == "Parameters a head: **64** = d_k² = 8². **The model's own score.** Luong et al. 2015."
    said = read_scoring("additive", False, 136, 8, 3)
    assert "**136** = 2 d_k² + d_k = 2 · 8² + 8. W, U and v are random, from seed 3." in said
    assert write_scoring("scaled dot", 8) == r"q^\top k \div \sqrt{8}" and write_scoring("dot", 8) == r"q^\top k"


def test_how_a_chart_is_read() -> None:
    assert read_bands("of all.", marked=False).endswith("to the 95% quantile of all.")
    assert read_bands("of all.", marked=True).endswith("of all. Diamonds: this head.")
    assert read_drawn(7) == "20 × 7 queries"


def test_formulas_hold_the_sizes() -> None:
    assert write_variance(16).endswith(r"d_k = 16\text{ in this head}")
    assert write_weights(5, 2).endswith(r"j = 1 \dots 5 \qquad \sqrt{d_k} = \sqrt{2} = 1.414")
    assert r"\le \log_2 8 = 3 \qquad" in write_entropy(8) and r"\log_2 1 = 0" in write_entropy(1)
