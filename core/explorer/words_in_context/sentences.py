"""A sentence as a model reads it, word by word: what stands for each word before, between and after the layers."""

from dataclasses import dataclass

import numpy as np

from core.analysis.word_contexts import pool_words
from core.explorer.shared.places import Place, layer_keys, mask_of, to_numpy
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, execute, prepare
from core.tracing.sites import SITES

EMBEDDING, POSITION, OUTPUT = "embedding", "+ position", "last norm"


@dataclass(frozen=True, eq=False)
class ReadSentence:
    """words: its words, without what the model puts around them; tokens: the first and the last token of each.

    pieces: all tokens. stages: the names of the S stages. states (S, W, D): each word's vector, the mean over its
    pieces, or in a model where no token sees what comes after it, its last piece; onward: whether it is the mean.
    mixes (N, H, W, Ev): what each head of each layer mixed for the last piece of a word. note: what was cut.
    """

    text: str
    words: tuple[str, ...]
    tokens: tuple[tuple[int, int], ...]
    pieces: tuple[str, ...]
    stages: tuple[str, ...]
    states: np.ndarray
    onward: bool
    mixes: np.ndarray
    note: str | None

    def several_pieces(self, word: int) -> bool:
        first, last = self.tokens[word]
        return last > first


def layer_name(layer: int) -> str:
    """The stage after a layer, from 0."""
    return f"layer {layer + 1}"


def read_sentence(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> ReadSentence:
    """The run's text through the first stack of its model."""
    inputs = prepare(run, tokenizer)
    stack = run.config.stacks[0]
    place, row = Place(stack), inputs.rows[stack]
    posts, mixes = layer_keys(run, place, "resid_post"), layer_keys(run, place, "z")
    keys = {EMBEDDING: f"{stack}.embed"}
    if SITES["pos"].needs(run.config):
        keys[POSITION] = f"{place.prefix}resid_pre"
    keys |= {layer_name(layer): key for layer, key in enumerate(posts)}
    if run.config.ends_with_norm:
        keys[OUTPUT] = f"{stack}.final"
    seen = execute(model, run, inputs, [*keys.values(), *mixes])
    onward = bool(np.triu(mask_of(inputs, place), 1).any())
    states = pool_words(np.stack([to_numpy(seen[key][0]) for key in keys.values()]), row.words, not onward)
    mixed = pool_words(np.stack([to_numpy(seen[key][0]) for key in mixes]), row.words, True)  # (N, H, W, Ev)
    ends = [(row.words.index(word), len(row) - 1 - row.words[::-1].index(word)) for word in range(states.shape[1])]
    own = slice(int(run.begin), states.shape[1] - run.end - run.pads)
    return ReadSentence(
        run.text,
        row.word_labels[own],
        tuple(ends[own]),
        row.pieces,
        tuple(keys),
        states[:, own],
        onward,
        mixed[:, :, own],
        row.note,
    )
