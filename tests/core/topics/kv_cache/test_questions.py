"""core.topics.kv_cache.questions: the answer is the one that two plain runs give."""

import pytest
import torch

from core.topics.kv_cache import questions
from core.tracing.run import prepare
from core.tracing.taps import RecordingTap
from tests.core.topics.questions import asked


@pytest.mark.parametrize("text", ["Once upon a time there was a little", "My grandmother baked a cake."])
def test_only_the_newest_token_needs_keys_and_values(text: str) -> None:
    model, tokenizer, run = asked("storyteller", text)
    truth = questions.recomputed_tokens(model, tokenizer, run)
    assert truth.answer == 1 and truth.facts["kept"] == truth.facts["tokens"] - 1
    assert truth.facts["tokens"] == len(prepare(run, tokenizer).rows["decoder"]) + 4
    assert truth.facts["numbers"] == 2 * 6 * 320
    assert float(truth.facts["masked"]) < 1e-3


def test_a_text_in_which_nothing_new_can_be_seen_is_refused() -> None:
    with pytest.raises(ValueError, match="This question needs a text with different words"):
        questions.recomputed_tokens(*asked("storyteller", "Hi"))


def test_values_of_earlier_tokens_stay_as_they_were() -> None:
    model, tokenizer, run = asked("storyteller", "Once upon a time there was a little")
    ids = torch.tensor([prepare(run, tokenizer).rows["decoder"].ids])
    values = []
    for part in (ids[:, :-1], ids):
        tap = RecordingTap(["decoder.5.v"])
        with torch.inference_mode():
            model(None, part, tap=tap)
        values.append(tap.seen["decoder.5.v"])
    assert torch.allclose(values[0], values[1][:, :, :-1], atol=1e-3)
