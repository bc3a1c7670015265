"""What terms are in a model: counted in the tensors of its own run."""

import math
from typing import Any

import pytest

from core.lessons.glossary import BY_NAME
from core.model.config import POSITIONS, TransformerConfig
from core.model.masks import CausalMask, Mask
from core.model.transformer import build
from core.text.tokenizer import Tokenizer
from core.topics.glossary.live import in_model
from core.tracing.run import Run, execute, prepare
from core.tracing.trace import Trace

TOKENIZER = Tokenizer.load("unigram-1000")
CAUSAL = (CausalMask(),)
SITES = ("pattern", "q", "k", "v", "ffn_hidden", "resid_post")
TEXT = "the cat sat on the mat"


def made(
    architecture: str, mask: tuple[Mask, ...] = CAUSAL, **more: Any
) -> tuple[dict[str, str], Trace, TransformerConfig]:
    """The sentences, and the tensors of the same run."""
    config = TransformerConfig(architecture, TOKENIZER.vocab_size, d_model=24, heads=3, layers=2, **more)
    run, model = Run(TEXT, config, target="a cat", masks=mask), build(config)
    record = [*SITES, *["logits"] * (architecture != "encoder")]
    seen = execute(model, run, prepare(run, TOKENIZER), record)
    return in_model(model, TOKENIZER, run), seen, config


@pytest.mark.parametrize("architecture", ["encoder", "decoder", "encoder-decoder"])
def test_the_sizes_are_those_of_the_tensors(architecture: str) -> None:
    said, seen, config = made(architecture, d_k=4, d_v=6)
    last = config.stacks[-1]
    _, heads, queries, keys = seen[f"{last}.0.pattern"].shape
    assert said["tensor"].startswith(f"one layer's attention weights have the shape ({heads}, {queries}, {keys})")
    assert said["pattern"].startswith(f"{queries} × {keys}")
    assert said["query"].startswith(f"{seen[f'{last}.0.q'].shape[-1]} numbers")
    assert said["value"].startswith(f"{seen[f'{last}.0.v'].shape[-1]} numbers")
    assert f"= {seen[f'{last}.0.ffn_hidden'].shape[-1]} " in said["feed-forward layer"]
    assert said["d_model"] == f"D = {seen[f'{last}.0.resid_post'].shape[-1]}."
    if "decoder" in config.stacks:
        assert said["logit"].startswith(f"{seen['logits'].shape[-1]:,} ")
        kept = sum(seen[f"decoder.{layer}.{site}"][0, :, 0].numel() for layer in (0, 1) for site in "kv")
        assert said["KV cache"].startswith(f"{kept:,} numbers")
    assert said["scaling"] == f"each score is divided by √4 = {math.sqrt(4):.4g}."


def test_the_pairs_that_may_be_seen_are_those_with_a_weight() -> None:
    for architecture, mask in (("encoder", ()), ("decoder", CAUSAL), ("encoder-decoder", CAUSAL)):
        said, seen, config = made(architecture, mask)
        pattern = seen[f"{config.stacks[-1]}.0.pattern"][0, 0]
        assert said["mask"].startswith(f"{int((pattern > 0).sum()):,} of {pattern.numel():,} pairs")


def test_every_sentence_belongs_to_a_term() -> None:
    for score in ("additive", "general"):
        assert made("decoder", score=score)[0].keys() <= BY_NAME.keys()
    for positions in POSITIONS:
        said, _, _ = made("encoder", positions=positions)
        assert said.keys() <= BY_NAME.keys()
        assert [name for name in said if said[name] == "yes, it has these."] == [
            name for name in said if positions in name.casefold() and positions != "none"
        ]
    assert made("encoder", score="additive")[0]["additive score"] == "this is its score."
    assert "scaling" not in made("encoder", score="additive")[0]
