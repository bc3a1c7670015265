"""Sentences, names and formulas of a written text: what the stages removed, what is cut, and why nothing follows."""

import pytest

from core.readings.generation import (
    name_head,
    name_probability,
    name_sample,
    name_stages,
    name_written,
    read_end,
    read_last_rows,
    read_removed,
    read_stretch,
    read_unusable,
    write_bits,
    write_causal_mask,
    write_newest_query,
    write_tempered_softmax,
)


def test_what_was_removed_is_counted_from_stage_to_stage() -> None:
    stages = ("logits", "temperature", "top-k", "top-p")
    assert read_removed(stages, (8000, 8000, 40, 27)) == (
        "Top-k removed 7,960 of 8,000 tokens, top-p removed 13 of 40 tokens."
    )
    assert read_removed(stages, (8000,) * 4) == "No filter removed a token."


def test_a_text_ends_by_its_own_word_or_where_the_context_is_full() -> None:
    assert read_end(True, 12) == "The model has written (end): its text is over."
    assert read_end(False, 1024) == "The text fills the 1,024 tokens that the model can read, so nothing follows."


def test_what_a_picture_leaves_out_is_said_and_nothing_where_it_shows_all() -> None:
    assert read_stretch(20, 40, 60) == "These are tokens 20 to 59 of 60; click one above to move on."
    assert read_last_rows(16, 30) == (
        "These are the last 16 of 30 tokens; click an earlier token above to see those before."
    )
    assert read_stretch(0, 5, 5) is None and read_last_rows(5, 5) is None


def test_unusable_branches_are_named_as_far_as_there_is_room() -> None:
    assert read_unusable([], 200, 8000, 400) is None
    assert read_unusable(["x" * 30], 200, 8000, 400) == (
        "Branches are written place:id, with places below 200 and this model's ids below 8,000, in at most 400 "
        f"characters. Left out: “{'x' * 20}”."
    )
    said = read_unusable(["a", "b", "c", "d"], 200, 8000, 400)
    assert said is not None and said.endswith("Left out: “a”, “b”, “c” and more.")


def test_tokens_heads_and_samples_have_their_names() -> None:
    assert (name_probability(0.5), name_probability(1e-7)) == ("chance 50.0%", "chance 1.00·10⁻⁵%")
    assert name_written(3, 0.25, 2.0, False) == "written 3, chance 25.0%, surprisal 2.00 bits"
    assert name_written(3, 0.25, 2.0, True) == "written 3, written in the model's place, surprisal 2.00 bits"
    assert name_sample(2, 1.5, True) == "Text 2: 1.50 bits a token, the likeliest"
    assert name_sample(0, 1.5, False) == "Text 0: 1.50 bits a token" and name_head(0, 2) == "Layer 1, head 3"


@pytest.mark.parametrize(("k", "p", "heads"), [(0, 1.0, ["off", "off"]), (40, 0.95, ["k = 40", "p = 0.95"])])
def test_a_stage_that_is_off_says_so(k: int, p: float, heads: list[str]) -> None:
    sampling = {"temperature": 0.8, "top_k": k, "top_p": p, "min_p": 0.0, "repetition_penalty": 1.0}
    found = name_stages(("logits", "temperature", "top-k", "top-p"), (8000, 8000, 40, 40), sampling)
    assert [heading[0][0] for heading in found] == ["logits", "chances", "temperature", "top-k", "top-p"]
    assert [heading[1][0] for heading in found][2:] == ["T = 0.8", *heads]
    assert [heading[2][0] for heading in found][2:] == ["8,000 left", "40 left (−7,960)", "40 left"]


def test_formulas_bear_the_numbers_of_the_step() -> None:
    assert write_tempered_softmax(0.0, 1.0, 9, True) == ""
    for penalised, which in ((False, "chosen"), (True, "chosen, after the penalty")):
        said = rf"T = 0.5 \qquad z_{{\text{{{which}}}}} = 1.250 \qquad V = 8,000"
        assert said in write_tempered_softmax(0.5, 1.25, 8000, penalised)
    assert write_bits(0.25, 2.0).endswith(r"-\log_2 0.2500 = 2.000")
    assert write_newest_query("s", 16, 7).endswith(r"d_k = 16 \qquad q: 1 \times 16 \qquad K: 7 \times 16")
    assert write_causal_mask(7).startswith(r"\underset{7 \times 7}{M} \qquad")
