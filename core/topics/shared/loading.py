"""Making models, cutting them short or lengthening them, estimating their costs, and refusing runs that do not fit."""

from dataclasses import replace
from functools import lru_cache

from core.analysis.costs import MemoryEstimate, PeakMemory, peak_estimate
from core.device import Placement
from core.memory import MIB, memory_limit
from core.model.config import TransformerConfig
from core.model.fast.optimize import optimize
from core.model.fast.skip_init import skip_init
from core.model.tap import Check
from core.model.transformer import Transformer, build, parameter_count
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import HeadAddress
from core.tracing.run import Inputs, Run, prepare

# The kinds of views, by what they hold at their peak. `python -m tests.benchmarks.memory` measures the factors.
HOLDS = PeakMemory()  # the weights of one attention
SEVERAL_ATTENTIONS = PeakMemory(one=11)
EVERY_ATTENTION = PeakMemory(every=2)
ALL_LOGITS = PeakMemory(logits=7)


def fresh_model(config: TransformerConfig, placement: Placement, check: Check | None = None) -> Transformer:
    """Return a freshly initialised model on the fast path.

    All callers may share it, because nothing is ever stored on it.

    check: called before each parameter is drawn; it may cancel by raising an exception.
    """
    return optimize(build(config, placement.device, placement.torch_dtype, check).requires_grad_(False))


def estimate(
    config: TransformerConfig, length: int, dtype: str, holds: PeakMemory = HOLDS, made_elsewhere: bool = False
) -> MemoryEstimate:
    """Return the peak memory of showing a run over `length` tokens.

    made_elsewhere: whether the weights were, and are kept in the number format in which they are read.
    """
    return peak_estimate(config, length, holds, dtype, as_read=made_elsewhere)


def refusal(needed: MemoryEstimate, max_bytes: int) -> str:
    """Return the message that a run needs too much memory, with the numbers.

    max_bytes: the number of bytes that the run may take.
    """
    sizes = (needed.parameters, needed.recorded, needed.working, needed.total, max(0, max_bytes))
    weights, recorded, working, total, available = (f"{size / MIB:,.0f}" for size in sizes)
    return (
        f"This run would need weights {weights} + recorded tensors {recorded} + working room {working} = {total} MiB, "
        f"and {available} MiB may be used here. Take a smaller model or a shorter text."
    )


@lru_cache(maxsize=256)
def estimate_seconds(config: TransformerConfig, length: int, passes: float) -> float:
    """Estimate the seconds that one processor needs for `passes` forward passes of such a model over `length` tokens.

    Two terms, at rates measured on one core: bytes of weights times tokens, and cells of attention weights.
    """
    cells = sum(config.depth(stack) for stack in config.stacks) * config.heads * length**2
    return passes * (5.6e-12 * 4 * parameter_count(config) * length + 3.4e-9 * cells)


def making_seconds(config: TransformerConfig) -> float:
    """Estimate the seconds needed to draw the weights of such a model, at a rate measured on one core."""
    return 1.2e-8 * parameter_count(config)


def check(run: Run, tokenizer: AnyTokenizer) -> Inputs:
    """Return the run's tokens and masks.

    Raises ValueError if its text cannot be used or the run would not fit in memory.
    """
    inputs = prepare(run, tokenizer)
    lengths = [len(row) for row in inputs.rows.values()]
    needed = estimate(run.config, max(lengths), run.placement.dtype, made_elsewhere=run.is_made_elsewhere)
    if needed.total > (limit := memory_limit()):
        raise ValueError(refusal(needed, limit))
    return inputs


def resized(model: Transformer, max_length: int | None = None, layers: int | None = None) -> Transformer:
    """Return a model with the same weights, not copied, that takes longer texts or has only the first layers."""
    config = replace(model.config, max_length=max_length or model.config.max_length)
    return with_config(model, config.first_layers(layers or config.max_layers))


def with_config(model: Transformer, config: TransformerConfig) -> Transformer:
    """Return a model of this config with the same weights, not copied, except those that it has no place for."""
    with skip_init():
        new_model = Transformer(config)
    missing, _ = new_model.load_state_dict(model.state_dict(), strict=False, assign=True)
    assert not missing
    return optimize(new_model.requires_grad_(False).eval()).cancelled_by(model.check)


def layers_below(run: Run, place: HeadAddress) -> int:
    """Return the number of layers that a run needs to reach this place; later layers cannot change it.

    All layers are needed by a run with edits, and by any place that has read the encoder's output: cross-attention, and
    every decoder layer after the first in a model with two stacks.
    """
    several = place.stack == "decoder" and run.config.has_two_stacks
    needs_all = bool(run.edits) or (several and (place.cross or place.layer > 0))
    return run.config.max_layers if needs_all else place.layer + 1


def up_to(model: Transformer, run: Run, place: HeadAddress) -> tuple[Transformer, Run]:
    """Return a model and a run that stop after the layer of this place, or the originals if all layers are needed."""
    layers = layers_below(run, place)
    if layers >= run.config.max_layers:
        return model, run
    short = resized(model, layers=layers)
    return short, replace(run, config=short.config)
