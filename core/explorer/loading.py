"""Models and inputs: made, and refused when they cannot be."""

from core.analysis.costs import memory_estimate, memory_limit
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.run import Inputs, Run, prepare
from core.tokens import AnyTokenizer


def load(config: TransformerConfig, placement: Placement) -> Transformer:
    """A freshly initialised model. It serves every caller at once: nothing is ever stored on it."""
    return build(config, placement.device, placement.torch_dtype).requires_grad_(False)


def check(run: Run, tokenizer: AnyTokenizer) -> Inputs:
    """The run's tokens and masks; ValueError when its text cannot be used or it would not fit in memory."""
    inputs = prepare(run, tokenizer)
    lengths = [len(row) for row in inputs.rows.values()]
    estimate = memory_estimate(run.config, max(lengths), ("pattern",), dtype=run.placement.dtype)
    if estimate.total > (limit := memory_limit()):
        raise ValueError(
            f"This run would need {estimate.sentence()}, and {limit / 2**20:,.0f} MiB may be used here. "
            "Take fewer layers, a smaller d_model or a shorter text."
        )
    return inputs
