"""The classifier: the mean of the encoder's outputs over real tokens, and a linear layer."""

import pytest
import torch

from core.model.classifier import ClassifierConfig, build
from core.model.config import TransformerConfig
from core.model.dropout import dropout
from core.tracing.taps import RecordingTap

ENCODER = TransformerConfig("encoder", vocab_size=11, d_model=8, heads=2, layers=1)


def test_it_is_a_linear_layer_on_the_mean():
    model, ids = build(ClassifierConfig(ENCODER, ("a", "b", "c"))), torch.tensor([[4, 5, 6]])
    mean = model.encoder(ids).mean(1)
    torch.testing.assert_close(model(ids), mean @ model.head.weight.T + model.head.bias)


def test_padding_changes_nothing():
    model, ids = build(ClassifierConfig(ENCODER)), torch.tensor([[4, 5, 6, 0, 0], [4, 5, 6, 7, 8]])
    logits = model(ids, ids != 0)
    torch.testing.assert_close(logits[:1], model(ids[:1, :3]))
    torch.testing.assert_close(logits[1:], model(ids[1:]))


def test_a_tap_sees_its_attention():
    tap = RecordingTap(["pattern"])
    build(ClassifierConfig(ENCODER))(torch.tensor([[4, 5, 6]]), tap=tap)
    assert [value.shape for value in tap.seen.values()] == [(1, 2, 3, 3)]


@pytest.mark.parametrize(("start", "deviation"), [("normal", 64**-0.5), ("xavier", (2 / (1000 + 64)) ** 0.5)])
def test_its_config_says_how_its_embeddings_start(start, deviation):
    encoder = TransformerConfig("encoder", vocab_size=1000, d_model=64, layers=1, positions="learned", max_length=1000)
    model = build(ClassifierConfig(encoder, embedding_init=start))
    for table in (model.encoder.embed, model.encoder.positions):
        assert table.weight.std().item() == pytest.approx(deviation, rel=0.02)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"encoder": TransformerConfig("decoder")}, "not with architecture 'decoder'"),
        ({"encoder": ENCODER, "labels": ("one",)}, "two different labels or more, not one"),
        ({"encoder": ENCODER, "labels": ("a", "a")}, "not a, a"),
        ({"encoder": ENCODER, "embedding_init": "zeros"}, "embedding_init 'zeros' is not one of normal, xavier"),
    ],
)
def test_a_config_that_cannot_be_built_is_refused(values, words):
    with pytest.raises(ValueError, match=words):
        ClassifierConfig(**values)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_dropout_keeps_the_mean_and_drops_the_share(dtype):
    torch.manual_seed(3)
    dropped = dropout(torch.ones(301, 997, dtype=dtype), 0.3).float()
    gone = 77 / 256  # the nearest multiple
    assert float((dropped == 0).float().mean()) == pytest.approx(gone, abs=0.004)
    assert float(dropped.mean()) == pytest.approx(1.0, abs=0.01)
    assert len(dropped.unique()) == 2
    columns = (dropped == 0).float()
    assert columns.mean(0).std() < 0.04 and columns.mean(1).std() < 0.03  # no row or column is special


def test_no_dropout_is_the_identity():
    x = torch.ones(3)
    assert dropout(x, 0.0) is x
    assert float(dropout(torch.ones(4096), 0.9999).max()) in (0.0, 256.0)
