"""The memory that a run of a recurrent translator needs, added up before it is made."""

from functools import lru_cache

from core.analysis.costs import BYTES, MemoryEstimate
from core.model.fast.skip_init import skip_init
from core.model.recurrent import Recurrent, RecurrentConfig


def recurrent_estimate(config: RecurrentConfig, texts: int, read: int, written: int = 0) -> MemoryEstimate:
    """Return the peak memory of a run over `texts` texts padded to `read` tokens, with targets of `written` tokens.

    Its weights are float32. Recorded: the gates, candidates and states of every step of the decoder. Working memory:
    the larger of two, the encoder's inputs and states, or the states and contexts of the decoder, each once by itself,
    once stacked and once joined with the embeddings.
    """
    width, units, memory = config.d_model, config.units, config.memory_width
    two = config.kind == "attention"
    reading = read * (2 * width + 6 * units if two else width + 5 * units)
    kept = read * (memory + units if two else memory)
    writing = written * (4 * width + 2 * units + (3 if two else 2) * memory + (read if two else 0))
    working = texts * max(reading, kept + writing)
    number = BYTES["float32"]
    return MemoryEstimate(number * _parameters(config), number * 4 * texts * written * units, number * working)


@lru_cache(maxsize=16)
def _parameters(config: RecurrentConfig) -> int:
    with skip_init():
        return sum(parameter.numel() for parameter in Recurrent(config).parameters())
