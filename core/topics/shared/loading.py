"""Making models, cutting them short or lengthening them, estimating their costs, and refusing runs that do not fit."""

from dataclasses import replace
from functools import lru_cache

from core.analysis.costs import BYTES, MemoryEstimate, PeakMemory, peak_estimate
from core.device import MEMORIES, Placement, formats, memory_of
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
    config: TransformerConfig,
    length: int,
    placement: Placement,
    holds: PeakMemory = HOLDS,
    made_elsewhere: bool = False,
    largest_tensor: int = 0,
) -> MemoryEstimate:
    """Return the peak memory of showing a run over `length` tokens.

    On a GPU the machine's own memory holds what is shown, and the weights while they are made: all of them in float32,
    or one tensor of the files at a time for a model made elsewhere. The GPU then has that tensor beside the weights.

    made_elsewhere: whether the weights were, and are kept in the number format in which they are read.
    largest_tensor: the bytes of the largest tensor in the files of such a model.
    """
    device, dtype = placement.device, placement.dtype
    as_read = made_elsewhere or device != "cpu"
    in_one = replace(
        peak_estimate(config, length, holds, dtype, as_read), device=device, halves=as_read and dtype == "float32"
    )
    if device == "cpu":
        return in_one
    made = largest_tensor if made_elsewhere else parameter_count(config) * BYTES["float32"]
    on_gpu = replace(in_one, parameters=in_one.parameters + largest_tensor)
    return MemoryEstimate(made, in_one.recorded, 0, on_gpu=on_gpu)


def why_too_large(needed: MemoryEstimate, max_bytes: int, emptied: bool = False) -> str:
    """Return why a run does not fit in memory, with the numbers; "" if it fits.

    max_bytes: the bytes of this machine's memory that the run may take.
    emptied: whether the tensors on its GPU now, such as other models, can go to make room.
    """
    if (gpu := needed.on_gpu) and gpu.total > (free := memory_of(gpu.device, emptied)):
        return refusal(gpu, free)
    return refusal(needed, max_bytes) if needed.total > max_bytes else ""


def refusal(needed: MemoryEstimate, max_bytes: int) -> str:
    """Return the message that a run needs too much of one memory, with the numbers.

    max_bytes: the number of bytes of that memory that the run may take.
    """
    text = needed.recorded + needed.working
    sizes = (needed.parameters, text, needed.recorded, needed.working, needed.total, max(0, max_bytes))
    model, text_mib, recorded, working, total, available = (f"{size / MIB:,.0f}" for size in sizes)
    return (
        f"This run would need {model} MiB of {MEMORIES[needed.device]} for the model and {text_mib} MiB for this text "
        f"(recorded tensors {recorded} + working room {working}), {total} MiB in all, and {available} MiB may be used. "
        f"{_what_to_do(needed, max_bytes)}"
    )


def _what_to_do(needed: MemoryEstimate, max_bytes: int) -> str:
    """Return what makes a run smaller: another number format if that is enough, else another model or text."""
    if needed.halves and needed.total <= 2 * max_bytes:
        return f"Choose the number format {formats(needed.device)[1]} in the sidebar."
    return "Take a smaller model or a shorter text." if needed.parameters <= max_bytes else "Take a smaller model."


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
    needed = estimate(run.config, max(lengths), run.placement, made_elsewhere=run.is_made_elsewhere)
    if reason := why_too_large(needed, memory_limit(), emptied=True):
        raise ValueError(reason)
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
