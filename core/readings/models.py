"""Sentences about models: their sizes, and what their cards hold."""

from typing import Any

NORMS = {"post": "after each sublayer", "pre": "before each sublayer"}
ELSEWHERE = {  # why a page about attention does not offer a model of this family
    "recurrent": "A recurrent network has no queries, keys and values; it stands here for comparison.",
    "word-vectors": "Word vectors have no attention; they are what a transformer's table of embeddings grew from.",
}


def read_sizes(config: Any) -> str:
    """A transformer's config in words."""
    norm = "no norm" if config.norm_position == "none" else f"{config.norm} {NORMS[config.norm_position]}"
    parts = (
        config.architecture,
        f"d_model {config.d_model:,}",
        _counted(config.heads, "head"),
        _counted(config.layers, "layer") + (" in each stack" if len(config.stacks) == 2 else ""),
        f"d_k {config.key_width:,}",
        f"d_v {config.value_width:,}",
        f"d_ff {config.hidden_width:,} ({config.activation})",
        f"{config.positions} positions" if config.positions != "none" else "no positions",
        f"{config.score.replace('_', ' ')} score",
        norm,
        "residual connections" if config.residual else "no residual connections",
        "tied embeddings" if config.tied else "untied embeddings",
        f"{config.vocab_size:,} pieces",
        f"at most {config.max_length:,} tokens",
    )
    return " · ".join(parts)


def describe_card(card: Any) -> list[tuple[str, str]]:
    """A checkpoint's card in words, without its commands: (what, said)."""
    data = [(f"Data {n}" if len(card.data) > 1 else "Data", each) for n, each in enumerate(card.data, 1)]
    return [
        ("What it is", card.what),
        *((title, f"{each['text']} (licence: {each['licence']})") for title, each in data),
        ("Split", card.split),
        ("Seed", str(card.seed)),
        ("Steps of training", f"{card.steps:,}"),
        ("Minutes of training", f"{card.minutes:,g}"),
        ("Parameters", f"{card.parameters:,}"),
        *_scores(card.scores, "Score: "),
    ]


def _scores(scores: object, name: str) -> list[tuple[str, str]]:
    """One row for each number, however deep it stands."""
    if isinstance(scores, dict):
        return [row for key, value in scores.items() for row in _scores(value, f"{name}{key} ")]
    return [(name.strip(), f"{scores:,g}" if isinstance(scores, int | float) else str(scores))]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
