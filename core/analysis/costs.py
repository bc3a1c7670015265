"""The memory that a run needs, added up before it is made."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod

from core.model.config import TransformerConfig
from core.model.transformer import parameter_count
from core.tracing.sites import axis_sizes, keys_of
from core.tracing.taps import RecordingTap

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
MANY_PIECES = 16_384  # for a larger vocabulary, random weights are drawn only for the pieces of the text


@dataclass(frozen=True)
class MemoryEstimate:
    """The bytes that a run needs in one memory, part by part.

    device: the device whose memory it is; "cpu" for the machine's own.
    halves: whether it would be half as much in a number format of two bytes.
    on_gpu: what the run needs in a GPU's memory as well; None if its model is in the machine's own.
    """

    parameters: int
    recorded: int
    working: int
    device: str = "cpu"
    halves: bool = False
    on_gpu: "MemoryEstimate | None" = None

    @property
    def total(self) -> int:
        return self.parameters + self.recorded + self.working

    @property
    def in_both(self) -> int:
        """The bytes in the machine's memory and in the GPU's together."""
        return self.total + (self.on_gpu.total if self.on_gpu else 0)

    @property
    def model(self) -> int:
        """The bytes that the model takes in the memory that it is in, with what reading it takes there."""
        return (self.on_gpu or self).parameters

    @property
    def beside_model(self) -> "MemoryEstimate":
        """What the run needs once its model is loaded."""
        return replace(self, parameters=0, on_gpu=self.on_gpu and self.on_gpu.beside_model)


@dataclass(frozen=True)
class PeakMemory:
    """The tensors that a view holds at its peak beside one model.

    every: number of tensors of the size of a pattern for each attention of the model.
    one: the same for the one attention that is shown.
    logits: number of tensors of the size of a decoder's logits.
    texts: number of texts written at once in addition to the run's own, with their keys and values kept.
    written: the most tokens that each of them may have after the run's own text.
    random_heads: number of heads to compare with in a second model of these sizes, which has random weights and just
        enough layers for them.
    batch: number of tokens read at once, in texts of at most `longest`, one of them the run's own; 0 if that is read by
        itself.
    longest: the most tokens of a text in the batch.
    patterns: number of tensors of the size of the batch's weights in one layer.
    slopes: whether gradients go back through the batch, which makes every layer keep its tensors.
    """

    every: float = 0
    one: float = 4
    logits: float = 1
    texts: int = 0
    written: int = 0
    random_heads: int = 0
    batch: int = 0
    longest: int = 0
    patterns: int = 3
    slopes: bool = False


def peak_estimate(
    config: TransformerConfig, length: int, holds: PeakMemory, dtype: str = "float32", as_read: bool = False
) -> MemoryEstimate:
    """Return the peak memory of a view over `length` tokens.

    holds: the tensors held beside the model.
    as_read: see `memory_estimate`.
    """
    length = min(length, holds.longest) if holds.batch else length
    patterns = memory_estimate(config, length, ("pattern",), dtype=dtype, as_read=as_read)
    layer_patterns = BYTES[dtype] * config.heads * length**2
    logits = (holds.logits - 1) * length * config.vocab_size * BYTES[dtype] if "decoder" in config.stacks else 0
    recorded = int(holds.every * patterns.recorded + holds.one * layer_patterns + logits)
    beside = holds.texts * (length + holds.written) * _kept(config) + _batched(config, holds)
    working = patterns.working + beside * BYTES[dtype] + _random_model(config, holds.random_heads, length, dtype)
    return MemoryEstimate(patterns.parameters, recorded, working)


def memory_estimate(
    config: TransformerConfig,
    length: int,
    record: Iterable[str],
    dtype: str = "float32",
    as_read: bool = False,
) -> MemoryEstimate:
    """Return the memory of one run over `length` tokens, in each stack of an encoder-decoder.

    record: the sites or keys that the run records, or ALL.
    as_read: whether the weights are converted to the number format one by one, as those of models made elsewhere are;
    while any other model is made, all its weights are in float32 once.

    The working memory is that of the widest step, which is one layer's attention (scores, their mask and the pattern),
    its feed-forward layer or the logits.
    """
    width = BYTES[dtype]
    parameters = parameter_count(config)
    recorded = _recorded(config, length, record)
    logits = length * config.vocab_size if "decoder" in config.stacks else 0
    step = max(3 * config.heads * length**2, length * config.hidden_width, logits) + 4 * length * config.d_model
    weights = parameters * (width if as_read or width == 4 else width + 4)
    return MemoryEstimate(weights, recorded * width, step * width)


def _random_model(config: TransformerConfig, heads: int, length: int, dtype: str) -> int:
    """Return the bytes of the weights of a model with `heads` random heads; 0 for no heads.

    length: tokens of the text that it reads.
    """
    if not heads:
        return 0
    pieces = config.vocab_size if config.vocab_size <= MANY_PIECES else length
    short = replace(config.first_layers(-(-heads // config.heads)), vocab_size=pieces)
    return memory_estimate(short, 1, (), dtype=dtype).parameters


def _batched(config: TransformerConfig, holds: PeakMemory) -> int:
    """Return how many numbers a batch holds in one layer, or in all layers if gradients go back through it."""
    weights = holds.patterns * config.heads * holds.longest
    layer = 2 * config.hidden_width + 7 * config.d_model
    return holds.batch * (weights + layer * (config.max_layers if holds.slopes else 1))


def _kept(config: TransformerConfig) -> int:
    """Return how many numbers the keys and values of one token have in all layers of the decoder."""
    return config.depth("decoder") * config.n_kv_heads * (config.key_width + config.value_width)


def _recorded(config: TransformerConfig, length: int, record: Iterable[str]) -> int:
    """Return how many numbers the recorded sites hold."""
    records = RecordingTap(record).records
    sizes, total = axis_sizes(config, length, length), 0
    for key, site in keys_of(config):
        if records(key):
            total += prod(sizes[axis] for axis in site.axes)
    return total
