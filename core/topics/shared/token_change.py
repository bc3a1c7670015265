"""How far the change of one token reaches under a run's masks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.labels import Labelled
from core.topics.shared.masked_run import inputs_under_mask, stream_names, streams
from core.topics.shared.places import HeadAddress, in_window, to_numpy
from core.topics.shared.replaced_word import most_unlike
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, TokenRow


@dataclass(frozen=True)
class TokenChange:
    """How far every position's vector moves when the token at index `at` is replaced by `piece`.

    layers (N + 1, L): the largest change of any number in each position's vector, as it enters and after each layer.
    final (L,): the same of the output, after a last norm if there is one.
    reached (N + 1, L): the positions that the masks let the change reach.
    """

    tokens: TokenRow
    at: int
    piece: str
    layers: np.ndarray
    final: np.ndarray
    reached: np.ndarray

    def elsewhere(self, changes: np.ndarray) -> float | None:
        """Return the largest of some changes (R, L) at any token but the changed one; None if nothing else moves."""
        return float(np.delete(changes, self.at, axis=1).max(initial=0)) or None

    @property
    def by_layer(self) -> Labelled:
        """`layers` with a name for each row."""
        return Labelled(self.layers, stream_names(len(self.layers)), self.tokens.labels)


def change_token(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    position: int,
    word: str = "",
    edits: Sequence[Edit] | None = None,
) -> TokenChange:
    """Change one token of the last stack's text and return how far every position's vector moves.

    position: the token to change.
    word: its first token is put in place of token `position`; "" for the token of the text that is most unlike it.
    edits: the changes made while the model runs; None for the run's own.

    Raises ValueError if there is no token `position` or nothing would change.
    """
    inputs, mask = inputs_under_mask(run, tokenizer)
    stack = run.config.stacks[-1]
    row = inputs.rows[stack]
    if not 0 <= position < len(row):
        raise ValueError(f"There is no token {position}: the last of the {len(row)} is token {len(row) - 1}.")
    new = _replacement(model, row, tokenizer, position, word)
    ids = (*row.ids[:position], new, *row.ids[position + 1 :])
    changed = Inputs({**inputs.rows, stack: replace(row, ids=ids)}, inputs.masks, inputs.windows)
    moved = streams(model, run, changed, edits) - streams(model, run, inputs, edits)  # (N + 2, L, D)
    largest = to_numpy(moved.abs().amax(-1))
    masks = [in_window(mask, inputs.windows, HeadAddress(stack, layer)) for layer in range(run.config.depth(stack))]
    return TokenChange(row, position, tokenizer.labels([new])[0], largest[:-1], largest[-1], reach(masks, position))


def reach(masks: Sequence[np.ndarray], changed: int) -> np.ndarray:
    """Return which positions a change of token `changed` can have reached after 0 … N layers, (N + 1, L) booleans.

    masks: the mask of each layer (L, L), True if query i may attend to key j. In each layer a change goes from a key to
        every query that sees it.
    """
    steps = np.zeros((len(masks) + 1, len(masks[0])), bool)
    steps[0, changed] = True
    for layer, mask in enumerate(masks):
        steps[layer + 1] = steps[layer] | mask[:, steps[layer]].any(1)
    return steps


def _replacement(model: Transformer, row: TokenRow, tokenizer: AnyTokenizer, position: int, word: str) -> int:
    old = row.ids[position]
    if not word.strip():
        unlike = most_unlike(model, row, position)
        return tokenizer.vocab_size - 1 - (old == tokenizer.vocab_size - 1) if unlike is None else unlike
    encoded = tokenizer.target.encode(word)
    new = encoded.ids[encoded.around[0]]
    if new == old:
        raise ValueError(f"“{tokenizer.labels([new])[0]}” already is token {position}: nothing would change.")
    return new
