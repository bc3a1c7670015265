"""Score functions against loops that score one query and one key at a time."""

import pytest
import torch

from core.model import scores
from core.model.config import SCORES
from core.model.scores import make_score
from tests.core import oracles
from tests.core.oracles import close, fill

HEADS, WIDTH = 2, 3


def query_and_keys(rng: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(2, HEADS, 4, WIDTH, generator=rng), torch.randn(2, HEADS, 5, WIDTH, generator=rng)


@pytest.mark.parametrize("name", SCORES)
def test_a_score_is_its_papers_formula(name, rng, device):
    score = fill(make_score(name, HEADS, WIDTH)).to(device)
    q, k = query_and_keys(rng)
    expected = oracles.score_matrix(name, q, k, list(score.parameters()))
    close(score.raw(q.to(device), k.to(device)) * score.scale, expected)


def test_scores_by_hand():
    q, k = torch.tensor([[[[1.0, 2.0, 3.0, 4.0]]]]), torch.tensor([[[[1.0, 0.0, -1.0, 0.5]]]])
    assert make_score("dot", 1, 4).raw(q, k).item() == 0.0
    k = torch.ones_like(q)
    scaled = make_score("scaled_dot", 1, 4)
    assert (scaled.raw(q, k) * scaled.scale).item() == 5.0  # 10 / √4


@pytest.mark.parametrize("chunk", [1, 4 * 2 * HEADS * 5 * WIDTH * 3])
def test_additive_scores_do_not_depend_on_the_chunks(chunk, rng, monkeypatch):
    score = fill(make_score("additive", HEADS, WIDTH))
    q, k = query_and_keys(rng)
    whole = score.raw(q, k)
    monkeypatch.setattr(scores, "CHUNK_BYTES", chunk)
    close(score.raw(q, k), whole, 1e-6)


@pytest.mark.parametrize("name", SCORES)
def test_as_dot_gives_the_query_whose_dot_product_is_the_score(name, rng):
    score = fill(make_score(name, HEADS, WIDTH))
    q, k = query_and_keys(rng)
    query = score.as_dot(q)
    assert (query is None) == (name == "additive")
    if query is not None:
        close(query @ k.transpose(-2, -1), score.raw(q, k))
