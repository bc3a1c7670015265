"""The model of a run as a whole: its parts, and the memory that it takes to read, train and write texts."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.costs import BYTES
from core.analysis.kv_costs import cache_bytes, total, weight_bytes, with_cache, without_cache
from core.analysis.model_sizes import config_sizes
from core.model.transformer import parameter_count
from core.topics.architecture.analysis.parts import PartCount, model_parts
from core.topics.architecture.analysis.training_costs import FLOAT, kept_bytes
from core.topics.architecture.counts import PartTotals, kind_name
from core.topics.architecture.memory import TrainingMemory, WritingMemory
from core.topics.shared.labels import NamedColumns
from core.tracing.run import Run, TokenRow, text_limit


@dataclass(frozen=True, eq=False)
class WholeModel:
    """The model of a run.

    rows: the tokens that each stack reads, by the stack's name.
    counts: the sizes and costs of the model's parts, for one pass over these tokens.
    """

    run: Run
    rows: Mapping[str, TokenRow]
    counts: PartTotals

    @property
    def parts(self) -> tuple[PartCount, ...]:
        """The parts, in the order in which they run."""
        return self.counts.parts

    @property
    def parameters(self) -> int:
        return self.counts.parameters

    @property
    def module_parameters(self) -> int:
        """The number of parameters that PyTorch counts in the module, built without weights for this purpose."""
        return parameter_count(self.run.config)

    @property
    def multiply_adds(self) -> int:
        """The multiply-adds of one pass over the texts."""
        return self.counts.multiply_adds

    @property
    def source(self) -> int:
        """The number of tokens that the encoder reads; 0 if the model has no encoder."""
        return len(self.rows.get("encoder", ()))

    @property
    def target(self) -> int:
        """The number of tokens that the decoder reads; 0 if the model has no decoder."""
        return len(self.rows.get("decoder", ()))

    @property
    def table(self) -> NamedColumns:
        """A table with a row for each part: its kind, shape, parameters, bytes and multiply-adds.

        Bytes are those of the run's number format.
        """
        width = BYTES[self.run.placement.dtype]
        return {
            "part": [part.key for part in self.parts],
            "kind": [kind_name(part) for part in self.parts],
            "output": [" × ".join(part.axes) for part in self.parts],
            "shape": [" × ".join(f"{size:,}" for size in part.shape) for part in self.parts],
            "parameters": [part.parameters for part in self.parts],
            "bytes of weights": [part.parameters * width for part in self.parts],
            "multiply-adds": [part.multiply_adds for part in self.parts],
            "bytes of tensors made": [sum(step.numbers for step in part.steps) * width for part in self.parts],
        }

    def training(self, batch: int) -> TrainingMemory:
        """Return the memory for training with Adam, in float32, on a batch of `batch` texts as long as the run's."""
        kept = kept_bytes(config_sizes(self.run.config), self.source, self.target, batch)
        weights = {part.key: FLOAT * part.parameters for part in self.parts}
        by_kind = self.counts.by_kind(weights), self.counts.by_kind(kept)
        return TrainingMemory(batch, tuple(by_kind[0]), tuple(by_kind[0].values()), tuple(by_kind[1].values()))

    def writing(self, batch: int) -> WritingMemory:
        """Return the memory of a decoder that writes `batch` texts at once, and the work for one more token.

        The memory is that of the weights and of the cached keys and values, at the present length of the texts and at
        the greatest length that the model can read.
        """
        config, dtype = self.run.config, self.run.placement.dtype
        lengths = tuple(dict.fromkeys((self.target, text_limit(config))))
        kept = tuple(cache_bytes(config, length, self.source, batch, dtype) for length in lengths)
        token = cache_bytes(config, 1, 0, batch, dtype)
        work = tuple(total(config, way(self.target, self.source)) for way in (with_cache, without_cache))
        keys = config.key_width / (config.key_width + config.value_width)
        return WritingMemory(batch, lengths, kept, keys, token, weight_bytes(config, dtype), work)


def whole_model(run: Run, rows: Mapping[str, TokenRow]) -> WholeModel:
    """Return a run's model with its parts counted for the tokens that its stacks read."""
    source, target = (len(rows.get(stack, ())) for stack in ("encoder", "decoder"))
    return WholeModel(run, rows, PartTotals(model_parts(run.config, source, target)))
