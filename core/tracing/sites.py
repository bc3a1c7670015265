"""The sites: every tensor of a forward pass that can be recorded or edited, declared once.

A key names one site of one run: `decoder.2.pattern`, `decoder.2.cross.pattern`, `encoder.embed`, `logits`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.model.config import TransformerConfig

KEY = re.compile(r"(?:(?P<stack>encoder|decoder)\.(?:(?P<layer>\d+)\.(?:(?P<cross>cross)\.)?)?)?(?P<name>[a-z_]+)")

Needs = Callable[[TransformerConfig], bool]


@dataclass(frozen=True)
class Site:
    """One named tensor of a forward pass.

    level: "attention" (also in cross-attention), "block", "stack" or "model".
    axes: B batch, Q queries, K keys, L tokens, H heads, G heads of keys and values, D d_model, E d_k, Ev d_v, F d_ff,
        V vocabulary.
    sentence: the explanation shown to the reader.
    needs: whether a model of a given config has this tensor.
    """

    name: str
    level: str
    axes: tuple[str, ...]
    sentence: str
    needs: Needs = lambda config: True


def _site(name: str, level: str, axes: str, sentence: str, needs: Needs = lambda config: True) -> Site:
    return Site(name, level, tuple(axes.split()), sentence, needs)


def _adds_positions(config: TransformerConfig) -> bool:
    return config.adds_positions


def _has_types(config: TransformerConfig) -> bool:
    return config.token_types > 0


def _norms_heads(config: TransformerConfig) -> bool:
    return config.qk_norm


def _rotary(config: TransformerConfig) -> bool:
    return config.positions == "rotary"


def _feeds_forward(config: TransformerConfig) -> bool:
    return config.hidden_width > 0


SITES: dict[str, Site] = {
    site.name: site
    for site in (
        _site("embed", "stack", "B L D", "The vector of each token, looked up in a table (times √d_model)."),
        _site("pos", "stack", "B L D", "The vector added to say where the token stands.", _adds_positions),
        _site("types", "stack", "B L D", "The vector added to say which text the token belongs to.", _has_types),
        _site("resid_pre", "block", "B L D", "The residual stream as it enters the block."),
        _site("attn_in", "attention", "B Q D", "What the queries are made from: the stream, normalised if pre-norm."),
        _site("q", "attention", "B H Q E", "Queries: what each token looks for."),
        _site("k", "attention", "B G K E", "Keys: what each token offers to be found by."),
        _site("v", "attention", "B G K Ev", "Values: what each token passes on when it is attended to."),
        _site("q_normed", "attention", "B H Q E", "Queries, normalised head by head.", _norms_heads),
        _site("k_normed", "attention", "B G K E", "Keys, normalised head by head.", _norms_heads),
        _site("q_rotated", "attention", "B H Q E", "Queries, turned by the angle of their position.", _rotary),
        _site("k_rotated", "attention", "B G K E", "Keys, turned by the angle of their position.", _rotary),
        _site("raw_scores", "attention", "B H Q K", "How well each query fits each key, before scaling."),
        _site("scores", "attention", "B H Q K", "The scores after scaling (and what ALiBi or relative positions add)."),
        _site("masked_scores", "attention", "B H Q K", "The scores with −∞ where attention is not allowed."),
        _site(
            "pattern",
            "attention",
            "B H Q K",
            "The attention weights: each row is a softmax and sums to 1, or to less where a head has a sink logit.",
        ),
        _site("z", "attention", "B H Q Ev", "Each head's output: the values, averaged with the weights."),
        _site("head_out", "attention", "B H Q D", "What each head adds to the stream: z through its slice of W_O."),
        _site("attn_out", "attention", "B Q D", "The heads' contributions added up, plus W_O's bias."),
        _site("resid_mid", "attention", "B Q D", "The stream after attention (normalised if post-norm)."),
        _site("ffn_in", "block", "B L D", "What the feed-forward layer reads.", _feeds_forward),
        _site(
            "ffn_hidden",
            "block",
            "B L F",
            "The feed-forward layer's hidden numbers, after the activation.",
            _feeds_forward,
        ),
        _site("ffn_out", "block", "B L D", "What the feed-forward layer adds.", _feeds_forward),
        _site("resid_post", "block", "B L D", "The stream as it leaves the block (normalised if post-norm)."),
        _site("final", "stack", "B L D", "The output of the stack, after a last norm where there is one."),
        _site("logits", "model", "B L V", "One score for each piece of the vocabulary, at each position."),
    )
}


def parse(key: str) -> tuple[str | None, int | None, bool, Site]:
    """Return a key's stack, its layer, whether it is in cross-attention, and its site.

    Raises ValueError, which lists the sites, for a key that names none.
    """
    match = KEY.fullmatch(key)
    if match is None or match["name"] not in SITES:
        raise ValueError(f"no site {key!r}: the sites are {', '.join(SITES)}, as in 'decoder.2.pattern'")
    layer = None if match["layer"] is None else int(match["layer"])
    return match["stack"], layer, match["cross"] is not None, SITES[match["name"]]


def keys_of(config: TransformerConfig) -> Iterator[tuple[str, Site]]:
    """Yield every key that a run of this config has, with its site: stack by stack, in the order of `SITES`."""
    for stack in config.stacks:
        places = {"stack": [f"{stack}."], "block": [f"{stack}.{layer}." for layer in range(config.depth(stack))]}
        crossing = stack == "decoder" and config.architecture == "encoder-decoder"
        crosses = [f"{prefix}cross." for prefix in places["block"]] if crossing else []
        places["attention"] = places["block"] + crosses
        for site in SITES.values():
            if site.needs(config):
                for prefix in places.get(site.level, ()):
                    if not (".cross." in prefix and _rotary_site(site)):
                        yield prefix + site.name, site
    if "decoder" in config.stacks:
        yield "logits", SITES["logits"]


def axis_sizes(config: TransformerConfig, queries: int, keys: int, batch: int = 1) -> dict[str, int]:
    """Return the size of each axis, by its letter, in a run over `queries` query tokens and `keys` key tokens."""
    return {
        "B": batch,
        "Q": queries,
        "L": queries,
        "K": keys,
        "H": config.heads,
        "G": config.n_kv_heads,
        "D": config.d_model,
        "E": config.key_width,
        "Ev": config.value_width,
        "F": config.hidden_width,
        "V": config.vocab_size,
    }


def scored_site(config: TransformerConfig, letter: str, cross: bool = False) -> str:
    """Return the site whose queries ("q") or keys ("k") enter the scores: rotated, normalised or as projected."""
    if config.positions == "rotary" and not cross:
        return f"{letter}_rotated"
    return f"{letter}_normed" if config.qk_norm else letter


def head_at(config: TransformerConfig, key: str, head: int) -> int:
    """Return the index, on the head axis of the tensor at `key`, that belongs to this query head."""
    return config.kv_head_of(head) if "G" in parse(key)[3].axes else head


def _rotary_site(site: Site) -> bool:
    return site.name.endswith("_rotated")
