"""GRU encoder-decoders: the translators that came before the transformer.

"bottleneck" gives its decoder one vector, the encoder's last state (Cho et al. 2014, figure 1). "attention" is
RNNSearch: a bidirectional encoder, and for each target word a new weighted mean of all its states (Bahdanau et al.
2015). Their decoders differ only in the context c_i.

Shapes: B batch, S source, L target, D embedding, U units of one state, M width of the encoder's states.
"""

from dataclasses import dataclass
from math import inf

import torch
from torch import Tensor, nn

from core.model.dropout import dropout
from core.model.fast.skip_init import skip_init
from core.model.layers import initialise
from core.model.tap import IDENTITY, Tap

KINDS = ("bottleneck", "attention")


@dataclass(frozen=True)
class RecurrentConfig:
    """The sizes of one recurrent translator.

    logit_scale: the factor that multiplies the logits.

    Raises ValueError, with the numbers in it, for a config that cannot be built.
    """

    kind: str = "attention"
    vocab_size: int = 8000
    d_model: int = 256
    units: int = 256
    dropout: float = 0.0
    max_length: int = 512
    seed: int = 0
    logit_scale: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind {self.kind!r} is not one of {', '.join(KINDS)}")
        for name in ("vocab_size", "d_model", "units", "max_length"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, not {self.dropout}")
        if not 0 < self.logit_scale < inf:
            raise ValueError(f"logit_scale must be above 0 and finite, not {self.logit_scale}")

    @property
    def memory_width(self) -> int:
        """The width M of one encoder state, both directions together."""
        return self.units * (2 if self.kind == "attention" else 1)


class GRUCell(nn.Module):
    """One step of a gated recurrent unit (Cho et al. 2014, equations 5 to 8), in the form of `nn.GRU`.

    r = σ(W_r x + U_r h), z = σ(W_z x + U_z h), n = tanh(W_n x + b + r ⊙ (U_n h + c)), h ← (1 − z) ⊙ n + z ⊙ h.
    """

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.w = nn.Linear(inputs, 3 * units)
        self.u = nn.Linear(units, 3 * units)

    def forward(self, wx: Tensor, h: Tensor, tap: Tap = IDENTITY) -> Tensor:
        """Return the next state (B, U).

        wx: `w(x)` (B, 3U), computed for all steps at once if x is known.
        h: the current state (B, U).
        """
        wr, wz, wn = wx.chunk(3, dim=-1)
        ur, uz, un = self.u(h).chunk(3, dim=-1)
        reset = tap("reset", torch.sigmoid(wr + ur))
        update = tap("update", torch.sigmoid(wz + uz))
        candidate = tap("candidate", torch.tanh(wn + reset * un))
        return tap("state", torch.lerp(candidate, h.to(candidate.dtype), update))


class AdditiveAttention(nn.Module):
    """Additive attention with scores e_ij = vᵀ tanh(W s_{i−1} + U h_j) (Bahdanau et al. 2015, A.1.2).

    The score says how well state i of the decoder fits word j.
    """

    def __init__(self, state: int, memory: int, width: int) -> None:
        super().__init__()
        self.w = nn.Linear(state, width, bias=False)
        self.u = nn.Linear(memory, width)
        self.v = nn.Linear(width, 1, bias=False)

    def forward(
        self, state: Tensor, memory: Tensor, keys: Tensor, mask: Tensor, tap: Tap = IDENTITY
    ) -> tuple[Tensor, Tensor]:
        """Return the context (B, M) and its weights (B, S), which sum to 1.

        state: the decoder's state (B, U).
        memory: the encoder's states (B, S, M).
        keys: u(memory) (B, S, A).
        mask: (B, S), True = a word.
        """
        scores = tap("scores", self.v(torch.tanh(self.w(state)[:, None] + keys)).squeeze(-1))  # (B, S)
        weights = tap("pattern", torch.softmax(scores.float().masked_fill(~mask, float("-inf")), dim=-1))
        return (weights.to(memory)[:, None] @ memory).squeeze(1), weights


@dataclass(frozen=True, eq=False)
class EncodedSource:
    """An encoded source, as the decoder reads it.

    memory: the encoder's states (B, S, M).
    last: the vector (B, U) that the decoder starts from.
    mask: (B, S), True = a word.
    keys: the keys of the attention (B, S, A); None for a bottleneck.
    """

    memory: Tensor
    last: Tensor
    mask: Tensor
    keys: Tensor | None

    def select(self, rows: Tensor) -> "EncodedSource":
        """Return these texts, in this order; a text may occur more than once (the beams of a search)."""
        keys = None if self.keys is None else self.keys[rows]
        return EncodedSource(self.memory[rows], self.last[rows], self.mask[rows], keys)


class Recurrent(nn.Module):
    """A recurrent translator described by its config. Build it with `build`, which fills in the weights."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        width, units, memory = config.d_model, config.units, config.memory_width
        self.embed = nn.Embedding(config.vocab_size, width)
        self.forwards = GRUCell(width, units)
        if config.kind == "attention":
            self.backwards = GRUCell(width, units)
            self.attend = AdditiveAttention(units, memory, units)
        self.start = nn.Linear(units, units)
        self.decoder = GRUCell(width + memory, units)
        self.out = nn.Linear(units + memory + width, width)

    def forward(
        self, source: Tensor, target: Tensor, mask: Tensor, tap: Tap = IDENTITY
    ) -> tuple[Tensor, Tensor | None]:
        """Return the logits (B, L, V) and the attention weights (B, L, S), None for a bottleneck.

        source, target: ids (B, S) and (B, L).
        mask: (B, S), True = a word; padding comes after the words.
        tap: called once a step, in the scopes "forwards", "backwards" (from the last word to the first) and "decoder",
            with "reset", "update", "candidate" and "state" (B, U), and in the decoder "scores" and "pattern" (B, S).
        """
        hidden, weights = self.decode(target, self.encode(source, mask, tap), tap)
        return self.logits(hidden), weights

    def encode(self, source: Tensor, mask: Tensor, tap: Tap = IDENTITY) -> EncodedSource:
        """Return the source (B, S) as the decoder reads it.

        The vector that the decoder starts from is the last forward state for a bottleneck; for attention it is the
        first backward state, as in the paper.
        """
        x = self._embedded(source)
        states = self._scan(self.forwards, x, mask, tap.scope("forwards"))
        if self.config.kind == "bottleneck":
            return EncodedSource(states, states[:, -1], mask, None)
        back = self._scan(self.backwards, x.flip(1), mask.flip(1), tap.scope("backwards")).flip(1)
        memory = torch.cat([states, back], dim=-1)
        return EncodedSource(memory, back[:, 0], mask, self.attend.u(memory))

    def decode(self, target: Tensor, source: EncodedSource, tap: Tap = IDENTITY) -> tuple[Tensor, Tensor | None]:
        """Return the decoder's output (B, L, D), which `logits` scores, and the attention weights (B, L, S) or None."""
        y = self._embedded(target)  # (B, L, D)
        state, tap = self.first_state(source), tap.scope("decoder")
        states, contexts, patterns = [], [], []
        for number in range(target.shape[1]):
            state, context, weights = self._next_state(y[:, number], state, source, tap)
            states.append(state)
            contexts.append(context)
            patterns += [] if weights is None else [weights]
        hidden = self._hidden(torch.stack(states, dim=1), torch.stack(contexts, dim=1), y)
        return hidden, torch.stack(patterns, dim=1) if patterns else None

    def first_state(self, source: EncodedSource) -> Tensor:
        """Return the decoder's state (B, U) before its first word."""
        return torch.tanh(self.start(source.last))

    def step(self, ids: Tensor, state: Tensor, source: EncodedSource, tap: Tap = IDENTITY) -> tuple[Tensor, Tensor]:
        """Advance each target by one word.

        Returns the decoder's output (B, D), which `logits` scores, and the next state (B, U).

        ids: the words that are read (B,).
        state: the current state (B, U).
        """
        y = self._embedded(ids[:, None])[:, 0]
        state, context, _ = self._next_state(y, state, source, tap.scope("decoder"))
        return self._hidden(state, context, y), state

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits (…, V) of the decoder's output (…, D), computed with the embedding table."""
        return hidden @ self.embed.weight.T * self.config.logit_scale

    def _next_state(
        self, y: Tensor, state: Tensor, source: EncodedSource, tap: Tap
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the next state (B, U), its context (B, M), and the attention weights (B, S) or None.

        y: the embedding of the word that is read (B, D).
        state: the current state (B, U).
        """
        context, weights = source.last, None
        if source.keys is not None:
            context, weights = self.attend(state, source.memory, source.keys, source.mask, tap)
        return self.decoder(self.decoder.w(torch.cat([y, context.to(y)], dim=-1)), state, tap), context, weights

    def _hidden(self, state: Tensor, context: Tensor, y: Tensor) -> Tensor:
        """Return the decoder's output (…, D) for a state (…, U), its context (…, M) and a word's embedding y (…, D)."""
        joined = torch.cat([part.to(y) for part in (state, context, y)], dim=-1)
        return torch.tanh(self.out(self._dropped(joined)))

    def _scan(self, cell: GRUCell, x: Tensor, mask: Tensor, tap: Tap) -> Tensor:
        """Return all states (B, S, U) of a cell that reads x from left to right; padding leaves the state unchanged."""
        wx = cell.w(x)  # (B, S, 3U)
        state = wx.new_zeros(len(x), self.config.units)
        states = []
        for step in range(x.shape[1]):
            state = torch.where(mask[:, step, None], cell(wx[:, step], state, tap), state)
            states.append(state)
        return torch.stack(states, dim=1)

    def _embedded(self, ids: Tensor) -> Tensor:
        if ids.shape[1] > self.config.max_length:
            raise ValueError(f"{ids.shape[1]} tokens are more than this model's max_length of {self.config.max_length}")
        return self._dropped(self.embed(ids) * self.config.d_model**0.5)

    def _dropped(self, x: Tensor) -> Tensor:
        return dropout(x, self.config.dropout) if self.training else x


def build(config: RecurrentConfig) -> Recurrent:
    """Return a freshly initialised model in evaluation mode; equal configs give equal weights."""
    with skip_init("cpu"):
        model = Recurrent(config)
    initialise(model, config.seed)
    return model.eval()
