"""The parts of a transformer, in the order in which they run: their parameters, multiply-adds and outputs.

Counted from its sizes, without building anything. A multiply-add is one multiplication and one addition of a matrix
product; steps that are not matrix products (softmax, norms, activations, sums, looking up embeddings) count none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from core.analysis.kv_costs import score_operations
from core.analysis.model_sizes import Sizes, config_sizes
from core.model.config import TransformerConfig

KINDS = (
    *(
        "embedding",
        "positions",
        "token types",
        "norm",
        "self-attention",
        "cross-attention",
        "feed-forward",
        "unembedding",
    ),
    *("masked head", "pooler", "class layer"),
)
LETTERS = {"encoder": "S", "decoder": "L"}  # how many tokens the encoder and the decoder read


@dataclass(frozen=True)
class StepCount:
    """One tensor that a part makes.

    name: the name of its site, or "norm".
    parameters: the parameters learned for it.
    multiply_adds: the multiply-adds that make it.
    axes: its shape in letters (S tokens of the encoder, L of the decoder, H heads, G heads of keys and values if they
        are fewer, D, E, Ev, F, V, C classes).
    shape: the same in numbers.

    Neither has an axis for the batch, which is one text.
    """

    name: str
    parameters: int
    multiply_adds: int
    axes: tuple[str, ...]
    shape: tuple[int, ...]

    @property
    def numbers(self) -> int:
        """The number of elements of the tensor."""
        return prod(self.shape)


@dataclass(frozen=True)
class PartCount:
    """One box of the drawing of a model.

    key: its name in the model: encoder.embed, encoder.pos, encoder.0.norm_attn, encoder.0.attn, decoder.2.cross,
        decoder.1.ffn, decoder.final, logits.
    layer: the number of its layer, from 0; None outside the blocks.
    kind: one of `KINDS`.
    steps: the tensors that it makes, in order; the last is its output.
    shared: whether its weights belong to another part, which counts them.
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
    """Return the parts of one pass: source tokens through the encoder, target tokens through the decoder.

    The number for a stack that the model does not have is ignored. Norms that do not exist are left out, and so are
    positions that are not added to the embeddings. The logits are those of every token of the decoder. An encoder alone
    ends with its last block or norm: the parameters that predict hidden words are counted, but are not used in a pass.
    """
    return sized_parts(config_sizes(config), source, target)


def sized_parts(sizes: Sizes, source: int, target: int) -> tuple[PartCount, ...]:
    """Return the parts of one pass, as `model_parts` does, for a model described by its sizes alone."""
    return tuple(_Counting(sizes, source, target).parts())


class _Counting:
    """The sizes of a model by name and by letter, from which its parts are counted."""

    def __init__(self, sizes: Sizes, source: int, target: int) -> None:
        self.sizes = sizes
        self.grouped = "H" if sizes.kv_heads == sizes.heads else "G"
        self.numbers = {"S": source, "L": target, "H": sizes.heads, "G": sizes.kv_heads, "D": sizes.d_model}
        self.numbers |= {"E": sizes.key_width, "Ev": sizes.value_width, "F": sizes.hidden, "V": sizes.vocab_size}
        self.numbers["C"] = sizes.classes

    def parts(self) -> Iterator[PartCount]:
        sizes = self.sizes
        for stack in sizes.stacks:
            yield from self._start(stack)
            for layer in range(sizes.depth(stack)):
                yield from self._block(stack, layer)
            if sizes.final_norm:
                yield self._norm(f"{stack}.final", stack)
        if "decoder" in sizes.stacks:
            table = sizes.vocab_size * sizes.d_model
            learned = (not sizes.tied) * table + sizes.output_bias * sizes.vocab_size
            logits = self._step("logits", ("L", "V"), learned, self.numbers["L"] * table)
            yield PartCount("logits", "decoder", None, "unembedding", (logits,), sizes.tied)
        elif sizes.masked_head or sizes.output_bias:
            yield self._masked_head()
        for name, outputs, axis in (("pooler", sizes.d_model * sizes.pooler, "D"), ("class layer", sizes.classes, "C")):
            if outputs:  # of one vector a text
                step = self._step(name, (axis,), (sizes.d_model + 1) * outputs, sizes.d_model * outputs)
                yield PartCount(name, sizes.stacks[-1], None, name, (step,))

    def _masked_head(self) -> PartCount:
        """Return an encoder's head that predicts hidden words.

        A layer with its norm, a table of its own if the embeddings are not used, and a bias.
        """
        sizes, learned = self.sizes, self.sizes.output_bias * self.sizes.vocab_size
        if sizes.masked_head:
            learned += (sizes.d_model + 1) * sizes.d_model + self._norm_rows() * sizes.d_model
            learned += (not sizes.tied) * sizes.vocab_size * sizes.d_model
        return PartCount(
            "masked_head", "encoder", None, "masked head", (self._step("masked_head", ("S", "D"), learned),)
        )

    def _start(self, stack: str) -> Iterator[PartCount]:
        """Yield the embeddings and the parts added to them; both stacks share their tables."""
        sizes, first, rows = self.sizes, stack == self.sizes.stacks[0], (LETTERS[stack], "D")
        tables = [("embed", "embedding", sizes.vocab_size)]
        tables += [("pos", "positions", sizes.table)] * sizes.added
        tables += [("types", "token types", sizes.token_types)] * bool(sizes.token_types)
        for name, kind, count in tables:
            step = self._step(name, rows, count * sizes.d_model * first)
            yield PartCount(f"{stack}.{name}", stack, None, kind, (step,), bool(count) and not first)
        if sizes.embedding_norm:
            yield self._norm(f"{stack}.norm_embed", stack, shared=not first)

    def _block(self, stack: str, layer: int) -> Iterator[PartCount]:
        parts = [self._attention(stack, layer, LETTERS[stack])]
        if stack == "decoder" and "encoder" in self.sizes.stacks:
            parts.append(self._attention(stack, layer, LETTERS["encoder"]))
        parts += [self._feed_forward(stack, layer)] * bool(self.sizes.hidden)
        for part in parts:
            block, _, name = part.key.rpartition(".")
            norm = self._norm(f"{block}.norm_{name}", stack, layer)
            yield from {"pre": (norm, part), "post": (part, norm), "none": (part,)}[self.sizes.norm_position]

    def _attention(self, stack: str, layer: int, keys: str) -> PartCount:
        """Return self-attention, or cross-attention if the keys are those of the encoder's text."""
        sizes, queries = self.sizes, LETTERS[stack]
        asking, met = self.numbers[queries], sizes.keys(self.numbers[keys])
        query_outputs, mixed = sizes.heads * sizes.key_width, sizes.heads * sizes.value_width
        name, kind = ("attn", "self-attention") if keys == queries else ("cross", "cross-attention")
        scored, gains = score_operations(sizes, asking, met), sizes.qk_norm * sizes.key_width
        key_outputs, value_outputs = sizes.kv_heads * sizes.key_width, sizes.kv_heads * sizes.value_width
        bias = sizes.qkv_bias
        table = sizes.buckets * sizes.heads if layer == 0 and name == "attn" else 0  # one for all layers of the stack
        learned = _score_parameters(sizes) + table + sizes.sink_logits * sizes.heads
        steps = (
            self._projection("q", ("H", queries, "E"), sizes.d_model, query_outputs, bias, gains),
            self._projection("k", (self.grouped, keys, "E"), sizes.d_model, key_outputs, bias, gains),
            self._projection("v", (self.grouped, keys, "Ev"), sizes.d_model, value_outputs, bias),
            self._step("scores", ("H", queries, keys), learned, scored),
            self._step("z", ("H", queries, "Ev"), 0, asking * met * mixed),
            self._projection("attn_out", (queries, "D"), mixed, sizes.d_model, sizes.out_bias),
        )
        return PartCount(f"{stack}.{layer}.{name}", stack, layer, kind, steps)

    def _feed_forward(self, stack: str, layer: int) -> PartCount:
        sizes, rows, bias = self.sizes, LETTERS[stack], self.sizes.ffn_bias
        steps = (
            self._projection("ffn_hidden", (rows, "F"), sizes.d_model, sizes.hidden * (1 + sizes.gated), bias),
            self._projection("ffn_out", (rows, "D"), sizes.hidden, sizes.d_model, bias),
        )
        return PartCount(f"{stack}.{layer}.ffn", stack, layer, "feed-forward", steps)

    def _norm(self, key: str, stack: str, layer: int | None = None, shared: bool = False) -> PartCount:
        learned = 0 if shared else self._norm_rows() * self.sizes.d_model
        return PartCount(key, stack, layer, "norm", (self._step("norm", (LETTERS[stack], "D"), learned),), shared)

    def _norm_rows(self) -> int:
        """Return 2 for gain and bias, or 1 for the gain alone."""
        return 2 if self.sizes.norm == "layernorm" and self.sizes.norm_bias else 1

    def _projection(
        self, name: str, axes: tuple[str, ...], inputs: int, outputs: int, bias: bool, gains: int = 0
    ) -> StepCount:
        """Return a matrix, perhaps with a bias, applied to every token.

        gains: the parameters of a norm after it.
        """
        parameters = (inputs + bias) * outputs + gains
        return self._step(name, axes, parameters, self.numbers[axes[-2]] * inputs * outputs)

    def _step(self, name: str, axes: tuple[str, ...], parameters: int, multiply_adds: int = 0) -> StepCount:
        return StepCount(name, parameters, multiply_adds, axes, tuple(self.numbers[axis] for axis in axes))


def _score_parameters(sizes: Sizes) -> int:
    """Return the parameters of a score function for all heads: W of "general"; W, U and v of "additive"."""
    width = sizes.key_width
    return sizes.heads * {"general": width**2, "additive": 2 * width**2 + width}.get(sizes.score, 0)
