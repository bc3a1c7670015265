"""What an encoder guesses in place of each [MASK], against the model called by hand."""

import numpy as np
import torch

from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import build
from core.text.masked import MaskTokenizer
from core.text.special import MASK
from core.text.tokenizer import Tokenizer
from core.topics.journey.guesses import MAX_HIDDEN_TOKENS, SHOWN_GUESSES, guesses
from core.tracing.run import Run

CONFIG = TransformerConfig(d_model=16, heads=2, layers=2, positions="learned", vocab_size=1000, scale_embeddings=False)
TOKENIZER = MaskTokenizer.of(Tokenizer.load("unigram-1000"))


def run_of(text: str) -> Run:
    return Run(text, CONFIG, placement=Placement("cpu", "float32"))


def test_each_hidden_token_gets_the_likeliest_pieces_of_its_own_row() -> None:
    model, run = build(CONFIG), run_of("the [MASK] saw a [MASK].")
    found = guesses(model, TOKENIZER, run)
    ids = TOKENIZER.encode(run.text).ids
    probabilities = (model(torch.tensor([ids]))[0] @ model.embed.weight.T).softmax(-1).detach().numpy()
    places = [place for place, piece in enumerate(ids) if piece == MASK]
    assert [each.label for each in found] == [f"{place}:[MASK]" for place in places]
    for each, place in zip(found, places, strict=True):
        best = np.argsort(-probabilities[place])[:SHOWN_GUESSES]
        assert [piece for piece, _ in each.pieces] == list(TOKENIZER.labels(best.tolist()))
        np.testing.assert_allclose(
            [probability for _, probability in each.pieces], probabilities[place][best], rtol=1e-4
        )


def test_nothing_hidden_nothing_guessed_and_not_more_than_can_be_shown() -> None:
    model = build(CONFIG)
    assert guesses(model, TOKENIZER, run_of("the cat saw a dog.")) == ()
    assert len(guesses(model, TOKENIZER, run_of("[MASK] " * (MAX_HIDDEN_TOKENS + 3)))) == MAX_HIDDEN_TOKENS
