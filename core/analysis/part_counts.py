"""A transformer part by part, in the order in which the parts run: what each learns, what it costs, what it hands on.

Counted from the config, without building anything. A multiply-add is one multiplication and one addition of a matrix
product; what is no matrix product (softmax, norms, activations, sums, looking up embeddings) counts none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from core.analysis.kv_costs import score_operations
from core.model.config import TransformerConfig

KINDS = ("embedding", "positions", "norm", "self-attention", "cross-attention", "feed-forward", "unembedding")
LETTERS = {"encoder": "S", "decoder": "L"}  # how many tokens the encoder and the decoder read


@dataclass(frozen=True)
class StepCount:
    """One tensor that a part makes.

    name: of its site, or "norm"; parameters: that are learned for it; multiply_adds: that make it. axes: its shape in
    letters (S tokens of the encoder, L of the decoder, H, D, E, Ev, F, V); shape: the same in numbers. Neither has an
    axis for the batch, which is one text.
    """

    name: str
    parameters: int
    multiply_adds: int
    axes: tuple[str, ...]
    shape: tuple[int, ...]

    @property
    def numbers(self) -> int:
        """How many numbers the tensor holds."""
        return prod(self.shape)


@dataclass(frozen=True)
class PartCount:
    """One box of the drawing of a model.

    key: its name in the model: encoder.embed, encoder.pos, encoder.0.norm_attn, encoder.0.attn, decoder.2.cross,
    decoder.1.ffn, decoder.final, logits. layer: from 0; None outside the blocks. kind: one of `KINDS`. steps: what it
    makes, in order; the last is its output. shared: its weights are those of another part, where they are counted.
    """

    key: str
    stack: str
    layer: int | None
    kind: str
    steps: tuple[StepCount, ...]
    shared: bool = False

    @property
    def parameters(self) -> int:
        return sum(step.parameters for step in self.steps)

    @property
    def multiply_adds(self) -> int:
        return sum(step.multiply_adds for step in self.steps)

    @property
    def axes(self) -> tuple[str, ...]:
        """The shape of its output in letters: ("L", "D")."""
        return self.steps[-1].axes

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its output in numbers: (7, 320)."""
        return self.steps[-1].shape


def model_parts(config: TransformerConfig, source: int, target: int) -> tuple[PartCount, ...]:
    """The parts of one pass: source tokens through the encoder, target tokens through the decoder.

    The number for a stack that the model does not have plays no part. A norm that is not there is left out, and so are
    positions that are not added to the embeddings. The logits are those of every token of the decoder; an encoder
    alone ends with its last block or norm.
    """
    return tuple(_Counting(config, {"S": source, "L": target}).parts())


class _Counting:
    """The config with its sizes by letter."""

    def __init__(self, config: TransformerConfig, lengths: dict[str, int]) -> None:
        self.config = config
        self.norm = config.d_model * (2 if config.norm == "layernorm" else 1)
        self.sizes = lengths | {
            "H": config.heads,
            "D": config.d_model,
            "E": config.key_width,
            "Ev": config.value_width,
            "F": config.hidden_width,
            "V": config.vocab_size,
        }

    def parts(self) -> Iterator[PartCount]:
        for stack in self.config.stacks:
            yield from self._start(stack)
            for layer in range(self.config.layers):
                yield from self._block(stack, layer)
            if self.config.ends_with_norm:
                yield self._norm(f"{stack}.final", stack)
        if "decoder" in self.config.stacks:
            yield self._logits()

    def _start(self, stack: str) -> Iterator[PartCount]:
        config, shared = self.config, stack != self.config.stacks[0]
        rows = (LETTERS[stack], "D")
        table = 0 if shared else config.vocab_size * config.d_model
        yield PartCount(f"{stack}.embed", stack, None, "embedding", (self._step("embed", rows, table),), shared)
        if config.positions in ("binary", "sinusoidal", "learned"):
            learned = config.positions == "learned"
            table = config.max_length * config.d_model if learned and not shared else 0
            step = self._step("pos", rows, table)
            yield PartCount(f"{stack}.pos", stack, None, "positions", (step,), shared and learned)

    def _block(self, stack: str, layer: int) -> Iterator[PartCount]:
        parts = [self._attention(stack, layer, LETTERS[stack])]
        if stack == "decoder" and "encoder" in self.config.stacks:
            parts.append(self._attention(stack, layer, LETTERS["encoder"]))
        parts.append(self._feed_forward(stack, layer))
        for part in parts:
            place, _, name = part.key.rpartition(".")
            norm = self._norm(f"{place}.norm_{name}", stack, layer)
            yield from {"pre": (norm, part), "post": (part, norm), "none": (part,)}[self.config.norm_position]

    def _attention(self, stack: str, layer: int, keys: str) -> PartCount:
        """Self-attention, or cross-attention where the keys are those of the encoder's text."""
        queries, config, sizes = LETTERS[stack], self.config, self.sizes
        wide, values = config.heads * config.key_width, config.heads * config.value_width
        steps = (
            self._projection("q", ("H", queries, "E"), config.d_model, wide),
            self._projection("k", ("H", keys, "E"), config.d_model, wide),
            self._projection("v", ("H", keys, "Ev"), config.d_model, values),
            self._step(
                "scores",
                ("H", queries, keys),
                _score_parameters(config),
                score_operations(config, sizes[queries], sizes[keys]),
            ),
            self._step("z", ("H", queries, "Ev"), 0, sizes[queries] * sizes[keys] * values),
            self._projection("attn_out", (queries, "D"), values, config.d_model),
        )
        crosses = keys != queries
        name, kind = ("cross", "cross-attention") if crosses else ("attn", "self-attention")
        return PartCount(f"{stack}.{layer}.{name}", stack, layer, kind, steps)

    def _feed_forward(self, stack: str, layer: int) -> PartCount:
        rows, width, hidden = LETTERS[stack], self.config.d_model, self.config.hidden_width
        gated = 2 if self.config.activation == "swiglu" else 1
        steps = (
            self._projection("ffn_hidden", (rows, "F"), width, gated * hidden),
            self._projection("ffn_out", (rows, "D"), hidden, width),
        )
        return PartCount(f"{stack}.{layer}.ffn", stack, layer, "feed-forward", steps)

    def _norm(self, key: str, stack: str, layer: int | None = None) -> PartCount:
        return PartCount(key, stack, layer, "norm", (self._step("norm", (LETTERS[stack], "D"), self.norm),))

    def _logits(self) -> PartCount:
        config, table = self.config, self.config.vocab_size * self.config.d_model
        step = self._step("logits", ("L", "V"), 0 if config.tied else table, self.sizes["L"] * table)
        return PartCount("logits", "decoder", None, "unembedding", (step,), config.tied)

    def _projection(self, name: str, axes: tuple[str, ...], inputs: int, outputs: int) -> StepCount:
        """A matrix and its bias, applied to every token."""
        tokens = self.sizes[axes[-2]]
        return self._step(name, axes, (inputs + 1) * outputs, tokens * inputs * outputs)

    def _step(self, name: str, axes: tuple[str, ...], parameters: int, multiply_adds: int = 0) -> StepCount:
        return StepCount(name, parameters, multiply_adds, axes, tuple(self.sizes[axis] for axis in axes))


def _score_parameters(config: TransformerConfig) -> int:
    """What a score function learns for all heads: W of "general"; W, U and v of "additive"."""
    width = config.key_width
    return config.heads * {"general": width**2, "additive": 2 * width**2 + width}.get(config.score, 0)
