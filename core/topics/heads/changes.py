"""Records of the changes that silencing heads causes: by layer, by token, and by pattern."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.topics.heads.analysis import largest
from core.topics.shared.labels import Labelled


@dataclass(frozen=True, eq=False)
class StackChange:
    """The changes that an edit causes in one stack, without padding.

    labels: the L tokens of its text.
    per_layer (N,): ‖Δ resid_post‖ / ‖resid_post‖ after each layer.
    per_token (L,): the same in the stack's output, token by token.
    """

    stack: str
    labels: tuple[str, ...]
    per_layer: np.ndarray
    per_token: np.ndarray


class GuessChange(NamedTuple):
    """The likeliest next piece before and after an edit, each with its probability."""

    was: str
    probability: float
    now: str
    probability_now: float


@dataclass(frozen=True, eq=False)
class Changes:
    """Sizes of change, 0 or more: values (n,) of n layers or tokens, with a label each."""

    values: np.ndarray
    labels: tuple[str, ...]

    def largest(self, count: int) -> "Changes":
        """Return the `count` largest changes, in the order of the text."""
        chosen = largest(self.values, count)
        return Changes(self.values[chosen], tuple(self.labels[index] for index in chosen))

    @property
    def table(self) -> Labelled:
        """A table of the changes, in one column, (n, 1)."""
        return Labelled(self.values[:, None], self.labels, ["change"])


@dataclass(frozen=True, eq=False)
class HeadEffects:
    """The change of the guess of one next token if each head is silenced by itself.

    bits (N, H): KL(before ‖ after) of the distribution after token `at`; masked for heads that were not tried.
    at: the token after which the guess changes most, of all heads and tokens.
    """

    bits: np.ma.MaskedArray
    at: int

    @property
    def strongest(self) -> tuple[int, int]:
        """The layer and the head without which the guess changes most."""
        layer, head = np.unravel_index(int(self.bits.argmax()), self.bits.shape)
        return int(layer), int(head)

    @property
    def tries_one_layer(self) -> bool:
        """Whether only the heads of one of several layers were tried."""
        return bool(np.ma.getmaskarray(self.bits).any())


@dataclass(frozen=True, eq=False)
class Ablation:
    """The changes that silencing heads causes, relative to the same run without it; padding is left out.

    stacks: the edited stack, and the decoder after an edited encoder.
    per_head: for each attention in these stacks ("encoder", "decoder", "cross"), the mean total variation (N, H)
        between the heads' patterns, from 0 to 1; masked in layers that the edits come too late to reach.
    surprise (L,): KL(before ‖ after) of the decoder's next-token distribution in bits; None without a decoder.
    next_pieces: the likeliest pieces of both runs after token `at` of the decoder, with their probability before and
        after.
    at: the token after which the guess changed most.
    turned: after each of the decoder's L tokens, the likeliest piece before and after the change, each with its
        probability in that run.
    """

    stacks: tuple[StackChange, ...]
    per_head: Mapping[str, np.ma.MaskedArray]
    surprise: np.ndarray | None
    next_pieces: tuple[tuple[str, float, float], ...]
    turned: tuple[GuessChange, ...] = ()
    at: int = -1

    @property
    def layers(self) -> Changes:
        """The change after each layer of every stack."""
        labels = (f"{self._of(change)}layer {n + 1}" for change in self.stacks for n in range(len(change.per_layer)))
        return Changes(np.concatenate([change.per_layer for change in self.stacks]), tuple(labels))

    @property
    def tokens(self) -> Changes:
        """The change in the output of every stack, token by token."""
        labels = (f"{self._of(change)}{label}" for change in self.stacks for label in change.labels)
        return Changes(np.concatenate([change.per_token for change in self.stacks]), tuple(labels))

    @property
    def guesses(self) -> Changes | None:
        """The change in the decoder's distribution of each next token, in bits; None without a decoder."""
        return None if self.surprise is None else Changes(self.surprise, self.stacks[-1].labels)

    @property
    def patterns(self) -> Labelled:
        """The change of every pattern, (layers of all attentions, H); NaN in layers that no edit reaches."""
        several = len(self.per_head) > 1
        named = [(f"{key} " if several else "", values) for key, values in self.per_head.items()]
        rows = [f"{name}layer {n + 1}" for name, values in named for n in range(len(values))]
        values = np.ma.concatenate(list(self.per_head.values())).filled(np.nan)
        return Labelled(values, rows, [f"head {n + 1}" for n in range(values.shape[1])])

    @property
    def comes_late(self) -> bool:
        """Whether some pattern cannot change because it is computed before the edits take effect."""
        return any(np.ma.getmaskarray(values).any() for values in self.per_head.values())

    @property
    def likeliest(self) -> Labelled:
        """The likeliest pieces after token `at`, (n, 2): their probability before and after."""
        names = [f"{rank}. {piece}" for rank, (piece, _, _) in enumerate(self.next_pieces, 1)]
        probabilities = np.array([[before, after] for _, before, after in self.next_pieces])
        return Labelled(probabilities, names, ["before", "after"])

    def _of(self, change: StackChange) -> str:
        return f"{change.stack} " if len(self.stacks) > 1 else ""
