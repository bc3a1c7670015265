"""Sentences about a written text: what the stages removed, and why nothing follows."""

from core.readings.generation import read_end, read_removed


def test_what_was_removed_is_counted_from_stage_to_stage() -> None:
    stages = ("logits", "temperature", "top-k", "top-p")
    assert read_removed(stages, (8000, 8000, 40, 27)) == (
        "Top-k removed 7,960 of 8,000 tokens, top-p removed 13 of 40 tokens."
    )
    assert read_removed(stages, (8000,) * 4) == "No stage removed a token."


def test_a_text_ends_by_its_own_word_or_where_the_context_is_full() -> None:
    assert read_end(True, 12) == "The model has written </s>: its text is over."
    assert read_end(False, 1024) == "The text fills the 1,024 tokens that the model can read, so nothing follows."
