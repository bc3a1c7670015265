"""How much attention the first token gets, how long its values are, and what is lost when it may not be seen.

Xiao et al. 2023, "Efficient streaming language models with attention sinks"; Gu et al. 2024, "When attention sink
emerges in language models".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.analysis.sinks import to_no_token
from core.model.masks import Mask
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import HeadAddress, layer_keys, mask_of, to_numpy, unpadded_length
from core.tracing.run import Run, execute, prepare

DRAWS = 12  # of one other token for each query, to compare with the first
SEED = 20_230_929


@dataclass(frozen=True)
class HiddenEarlierToken(Mask):
    """From the third query on, a query may not attend to one of the tokens before it.

    draw: 0 hides the first token from all of them; a higher number another token from each, drawn with it as the seed.
    """

    draw: int

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
        rng = np.random.default_rng(SEED + self.draw)
        hidden = [
            -1 if position < 2 else int(rng.integers(1, position)) if self.draw else 0
            for position in range(keys - queries, keys)
        ]
        return torch.arange(keys) != torch.tensor(hidden)[:, None]  # (Q, K)


@dataclass(frozen=True, eq=False)
class FirstToken:
    """The attention of all heads of a stack to its first token.

    labels: of the L tokens, without padding.
    weights (N, H, L): the weight that each query of each head gives to the first token.
    even (L,): the weight that it would get if a query gave all tokens that it may see the same.
    value_lengths (N, H): the length of the first token's value, as a multiple of the mean length of the others'.
    to_no_token (N, H, L): the weight of each query that goes to its head's sink logit; None without sink logits.
    """

    labels: tuple[str, ...]
    weights: np.ndarray
    even: np.ndarray
    value_lengths: np.ndarray
    to_no_token: np.ndarray | None = None

    @property
    def mean_to_no_token(self) -> np.ndarray | None:
        """The mean weight (N, H) that goes to no token, of the queries of `mean_weights`."""
        return None if self.to_no_token is None else np.asarray(self.to_no_token[..., 1:].mean(-1))

    @property
    def mean_weights(self) -> np.ndarray:
        """The mean weight (N, H) of all queries but the first, which may see no other token."""
        return np.asarray(self.weights[..., 1:].mean(-1))

    @property
    def mean_even(self) -> float:
        return float(self.even[1:].mean())


@dataclass(frozen=True, eq=False)
class HiddenLosses:
    """The mean loss of a text's own next tokens, in nats, when a token before each query may not be seen.

    whole: when all may be seen.
    first: when it is the first token.
    others (C,): when it is another token, drawn anew for each query, in each of a few draws.
    """

    whole: float
    first: float
    others: np.ndarray


def first_token(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str) -> FirstToken:
    """Return the weights on the first token and the lengths of its values in a stack's self-attention.

    Raises ValueError for a text of fewer than two tokens.
    """
    inputs = prepare(run, tokenizer)
    length = unpadded_length(run, inputs, stack)
    if length < 2:
        raise ValueError("This needs a text of at least two tokens.")
    patterns, values = (layer_keys(run, HeadAddress(stack), site) for site in ("pattern", "v"))
    reduce = {key: lambda x: torch.stack([x[0, :, :length, 0], x[0, :, :length].sum(-1)]) for key in patterns}
    reduce |= {key: lambda x: x[0, :, :length].norm(dim=-1) for key in values}
    found = execute(model, run, inputs, [*patterns, *values], reduce)
    lengths = to_numpy(torch.stack([found[key] for key in values])).astype(np.float64)  # (N, G, L)
    ratios = lengths[..., 0] / np.maximum(lengths[..., 1:].mean(-1), 1e-12)  # (N, G)
    heads = [run.config.kv_head_of(head) for head in range(run.config.heads)]
    seen = mask_of(inputs, HeadAddress(stack))[:length, :length]
    even = seen[:, 0] / np.maximum(seen.sum(-1), 1)
    weights, sums = to_numpy(torch.stack([found[key] for key in patterns], dim=1))  # (N, H, L)
    nowhere = to_no_token(sums) if run.config.sink_logits else None
    return FirstToken(inputs.rows[stack].labels[:length], weights, even, ratios[:, heads], nowhere)


def hidden_losses(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> HiddenLosses:
    """Return the loss over a decoder's text when the first token is hidden, and when others are, one from each query.

    Raises ValueError for a text of fewer than four tokens.
    """
    inputs = prepare(run, tokenizer)
    length = unpadded_length(run, inputs, "decoder")
    if length < 4:
        raise ValueError("This needs a text of at least four tokens.")
    gold = torch.tensor(inputs.rows["decoder"].ids[1:length])

    def loss(*masks: Mask) -> float:
        hidden = replace(run, masks=(*run.masks, *masks))
        logits = execute(model, hidden, prepare(hidden, tokenizer), ["logits"])["logits"]
        return float(F.cross_entropy(logits[0, : length - 1].float().cpu(), gold))

    others = [loss(HiddenEarlierToken(draw)) for draw in range(1, DRAWS + 1)]
    return HiddenLosses(loss(), loss(HiddenEarlierToken(0)), np.array(others))
