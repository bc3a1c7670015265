"""Sentences about translations, written out for numbers that are known."""

import numpy as np

from core.topics.translate.readings import (
    name_attention,
    name_intervention,
    name_mean,
    name_scored,
    read_beam,
    read_changes,
    read_cut_after,
    read_least_expected,
    read_surprisals,
    read_translations,
    read_writing,
    write_beam_score,
    write_cross_query,
    write_greedy_surprisal,
    write_rule,
    write_surprisals,
)


def test_whose_weights_they_are() -> None:
    assert name_mean(1, 2, "this head") == "Layer 2, head 3"
    assert name_mean(1, 2, "layer") == "Layer 2, mean of its heads"
    assert name_mean(1, 2, "all") == "Mean of all layers and heads"
    assert name_attention("encoder") == "Self-attention of the encoder"


def test_who_asks_while_a_token_is_written() -> None:
    said = read_writing("sur", np.array([0.75, 0.25]), ["0:(start)", "1:dort"], ["0:on", "1:."])
    asks = "It asks with the last token read: “dort” gives 75% to “on” and 25% to “.”."
    assert said == ["To write “sur”, the model looks mostly at “on”.", asks]
    said = read_writing(".", np.array([0.3, 0.7]), ["0:(start)", "1:dort"], ["0:on", "1:."])
    assert said[0] == "To write “.”, the model looks most, among the words, at “on”."


def test_what_is_forced() -> None:
    looking = "head 3 of layer 2 looking only at “cat” when token 4 is written"
    assert name_intervention("attention", "cat", 4, 1, 2, "this head") == looking
    assert name_intervention("hide a word", "cat", 4, 1, 2, "all") == "“cat” hidden from all"
    assert name_intervention("silence heads", "", 0, 1, 2, "layer") == "all heads of layer 2 silent in cross-attention"


def test_what_an_intervention_did() -> None:
    assert read_changes(0, 9, "this", None) == ("Every token stays the same.", "With this, no token is new.")
    assert read_changes(1, 9, "this", ("balle", "livre")) == (
        "Where it wrote “balle”, the model now writes “livre”.",
        "With this, 1 of 9 tokens is new.",
    )
    assert read_changes(0, 3, "this", ("a", "(end)"))[1] == "With this, 0 of 3 tokens are new."


def test_a_text_that_was_given() -> None:
    said = (
        "To the model this translation is less likely than its own: on average 2.00 bits of surprise a token, and 0 in "
        "its own."
    )
    assert read_surprisals([1.0, 3.0], []) == said
    assert "likelier than its own" in read_surprisals([1.0], [2.0]) and "as likely as" in read_surprisals([1.0], [1.0])
    best = (
        "The most surprising word was “a”, though nothing else was likelier.",
        "The model gave “a” a chance of 50%.",
    )
    assert read_least_expected("a", 0.5, 1, "a", 0.5) == best
    other = (
        "The most surprising word was “a”: the model expected “b”.",
        "The model gave “a” a chance of 10%, and “b” one of 80%.",
    )
    assert read_least_expected("a", 0.1, 2, "b", 0.8) == other


def test_a_beam() -> None:
    one = read_beam(["kept", "dropped", "finished", "dropped"], [("a", -0.5, 0)])
    assert one == ["“a” wins.", "Its score is −0.500. Of 4 continuations considered, 2 were dropped."]
    headline, scores = read_beam([], [("a", -0.5, 0), ("b", -1.25, 0)])
    assert headline == "“a” wins over “b” by its score."
    assert scores.startswith("Its score is −0.500, that of the second −1.25.")
    assert read_beam([], [("a", -0.5, 7)])[0] == "“a”, cut after 7 tokens, wins."


def test_ways_that_found_the_likeliest_text() -> None:
    same = read_translations([("beam of 2", "a", 1.5), ("sample 0, T = 1", "a", 1.5)], None)
    found = "the likeliest was found by beam of 2 and sample 0; it has 1.50 bits of surprise."
    assert same == ("All two ways write the same text.", f"Two methods wrote one text; {found}")
    ways = [("beam of 2", "a", 1.5), ("greedy", "b", 2.5), ("sample 0, T = 1", "a", 1.5)]
    other = read_translations(ways, ("greedy", "a", "b"))
    assert other == (
        "Greedy writes “b” where the likeliest text has “a”.",
        f"Three methods wrote two different texts; {found}",
    )
    assert read_translations(ways, ("greedy", "", "b"))[0] == "Greedy writes “b”, which the likeliest text has not."
    assert read_translations(ways, ("greedy", "a", ""))[0] == "Greedy leaves out “a” of the likeliest text."


def test_a_given_token_is_read_out_with_its_rank() -> None:
    assert name_scored(0.1234, 2, "b") == "chance 12.3%, rank 2, the model would say b"
    assert read_cut_after(23) == "The translation is cut after 23 tokens."


def test_formulas_of_a_step_and_of_what_is_forced() -> None:
    one, several = (write_cross_query("s", heads, 7, 16, 3) for heads in ("this head", "layer"))
    assert one.startswith(r"\underset{1 \times 7}{a} = \mathrm{softmax}\Big(s\Big) \qquad K \text{ from the source}")
    assert r"= \underset{\text{heads}}{\mathrm{mean}}\;\mathrm{softmax}" in several
    assert one.endswith(r"d_k = 16 \qquad \text{tokens read} = 3")
    assert write_rule("attention", 1, 8) == r"A_{1,8} = 1 \qquad A_{1,j} = 0 \text{ for } j \ne 8"
    hidden = r"S_{i,8} = -\infty \text{ for every } i \qquad A = \mathrm{softmax}(S)"
    assert write_rule("hide a word", 1, 8) == hidden
    assert write_rule("silence heads", 1, 8) == r"z = A V \qquad z \leftarrow 0 \text{ in every silent head}"


def test_formulas_of_whole_texts() -> None:
    given = write_surprisals([1.0, 2.5], [1.0])
    assert given.endswith(r"= -3.50\qquad \log_2 p(\text{model's}) = -1.00")
    assert write_beam_score(-1.5, 4, 0.6, -1.176).endswith(r"= \frac{-1.500}{((5 + 4)/6)^{0.6}} = -1.176")
    assert write_greedy_surprisal(2.5, 4).endswith(r"\text{greedy} = 2.500\ \text{bits over } 4 \text{ tokens}")
