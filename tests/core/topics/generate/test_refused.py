"""Who writes no text."""

import pytest

from tests.core.topics.generate.test_generation import fresh, texts


def test_an_encoder_writes_nothing():
    model, tokenizer, run = fresh("encoder")
    with pytest.raises(ValueError, match="An encoder writes nothing"):
        texts.step(model, tokenizer, run, (1,))
