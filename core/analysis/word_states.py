"""Reading a text with a model, word by word: each word's vector before, between and after the layers."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.analysis.word_contexts import pool_words
from core.model.masks import causal
from core.model.transformer import Transformer
from core.tracing.run import Inputs, Run, execute
from core.tracing.sites import SITES

EMBEDDING, POSITION, OUTPUT = "embedding", "+ position", "last norm"


@dataclass(frozen=True, eq=False)
class ReadSentence:
    """A text as a model reads it, word by word.

    words: its words, without the special tokens that the model puts around them.
    tokens: the first and the last token of each word.
    stages: the names of the S stages.
    states (S, W, D): each word's vector, the mean over its pieces, or its last piece's vector in a model in which no
        token sees later ones.
    onward: whether tokens see later ones, so that the vectors are means.
    note: a note on text that was cut off, None if nothing was.
    """

    text: str
    words: tuple[str, ...]
    tokens: tuple[tuple[int, int], ...]
    stages: tuple[str, ...]
    states: np.ndarray
    onward: bool
    note: str | None

    def several_pieces(self, word: int) -> bool:
        first, last = self.tokens[word]
        return last > first


def layer_name(layer: int) -> str:
    """Return the name of the stage after a layer, counted from 0."""
    return f"layer {layer + 1}"


def trace_words(model: Transformer, run: Run, inputs: Inputs) -> ReadSentence:
    """Run the text through the first stack of the run's model, and return the states of its words."""
    stack = run.config.stacks[0]
    row, layers = inputs.rows[stack], range(run.config.depth(stack))
    keys = {EMBEDDING: f"{stack}.embed"}
    if SITES["pos"].needs(run.config):
        keys[POSITION] = f"{stack}.0.resid_pre"
    keys |= {layer_name(layer): f"{stack}.{layer}.resid_post" for layer in layers}
    if run.config.ends_with_norm:
        keys[OUTPUT] = f"{stack}.final"
    recorded = execute(model, run, inputs, [*keys.values()])
    mask = getattr(inputs.masks, stack)
    onward = stack == "encoder" if mask is None else _sees_ahead(mask)
    states = pool_words(_stacked([recorded[key] for key in keys.values()]), row.words, not onward)
    ends = [(row.words.index(word), len(row) - 1 - row.words[::-1].index(word)) for word in range(states.shape[1])]
    own_words = slice(int(run.format.begin), states.shape[1] - run.format.end - run.pads)
    return ReadSentence(
        run.text,
        row.word_labels[own_words],
        tuple(ends[own_words]),
        tuple(keys),
        states[:, own_words],
        onward,
        row.note,
    )


def _sees_ahead(mask: Tensor) -> bool:
    """Return whether any query may attend to a key that comes after it."""
    queries, keys = mask.shape[-2:]
    return bool((mask & ~causal(queries, keys, mask.device)).any())


def _stacked(tensors: list[Tensor]) -> np.ndarray:
    """Stack tensors (1, …) without the batch axis."""
    return torch.stack([tensor[0] for tensor in tensors]).float().cpu().numpy()
