"""The values that the glossary's terms have in one model, on one text."""

from typing import Any

from core.model.config import TransformerConfig
from core.text.pieces import AnyTokenizer
from core.tracing.run import Inputs, Run, prepare

NORMS = {"layernorm": "layer norm", "rmsnorm": "RMSNorm"}
NORM_PLACES = {"pre": "before each part (pre-norm)", "post": "after each sum (post-norm)"}


def in_model(model: Any, tokenizer: AnyTokenizer, run: Run) -> dict[str, str]:
    """Return one sentence for each term, with the numbers of this model and text; a term without any is left out."""
    inputs, config = prepare(run, tokenizer), run.config
    parameters = sum(parameter.numel() for parameter in model.parameters())
    sentences = _of_text(inputs, config) | _of_sizes(config) | _of_choices(config)
    sentences["parameter"] = f"{parameters:,} parameters."
    sentences["random weights"] = (
        "no, it has been trained." if run.is_trained else f"yes, drawn with seed {config.seed}."
    )
    return sentences


def _of_text(inputs: Inputs, config: TransformerConfig) -> dict[str, str]:
    stack = config.stacks[-1]
    row, mask = inputs.rows[stack], inputs.masks.encoder if stack == "encoder" else inputs.masks.decoder
    length = len(row)
    pairs, visible = length**2, length**2 if mask is None else int(mask.expand(1, 1, length, length).sum())
    counted = [f"{len(tokens)} in the {name}'s text" for name, tokens in inputs.rows.items()]
    total = "less than 1" if config.sink_logits else "1"
    heads, square = config.heads, f"{length} × {length}"
    return {
        "token": f"{' and '.join(counted)}.",
        "piece": f"the {stack}'s text begins {_listed(row.pieces[:4])}.",
        "id": f"“{row.pieces[0]}” has the id {row.ids[0]:,}.",
        "tensor": f"one layer's attention weights have the shape ({heads}, {length}, {length}): heads, queries, keys.",
        "score": f"{square} = {pairs:,} in each head of the {stack}.",
        "attention weight": f"{square} = {pairs:,} in each head of the {stack}; each row sums to {total}.",
        "pattern": f"{square} in each head of the {stack}.",
        "mask": f"{visible:,} of {pairs:,} pairs may be seen in the {stack}.",
    }


def _of_sizes(config: TransformerConfig) -> dict[str, str]:
    width, table = config.d_model, f"{config.vocab_size:,} × {config.d_model:,}"
    keys, values, heads = config.key_width, config.value_width, config.heads
    attentions = "self-attention and cross-attention" if config.has_two_stacks else "each layer"
    depths = " and ".join(f"{config.depth(stack)} in the {stack}" for stack in config.stacks)
    cached = config.depth("decoder") * config.n_kv_heads * (keys + values)
    sentences = {
        "vocabulary": f"V = {config.vocab_size:,} pieces.",
        "embedding": f"a table of {table} = {config.vocab_size * width:,} numbers.",
        "d_model": f"D = {width:,}.",
        "query": f"{keys} numbers for each token and head, made by a matrix of {width:,} × {keys}.",
        "key": f"{keys} numbers for each token and head, made by a matrix of {width:,} × {keys}.",
        "value": f"{values} numbers for each token and head, made by a matrix of {width:,} × {values}.",
        "d_k": f"d_k = {keys}, d_v = {values}.",
        "head": f"H = {heads} in {attentions}.",
        "output matrix": f"W_O is {heads * values:,} × {width:,}.",
        "layer": f"N = {config.layers if not config.has_two_stacks else depths}.",
        "residual stream": f"{width:,} numbers for each token.",
        "feed-forward layer": f"from {width:,} to d_ff = {config.hidden_width:,} numbers and back."
        if config.hidden_width
        else "this model has none.",
        "unembedding": f"{'the embedding table again, ' if config.tied else 'a matrix of its own, '}{table}.",
    }
    if "decoder" in config.stacks:
        sentences["KV cache"] = f"{cached:,} numbers for each token that the decoder has read."
        sentences["logit"] = f"{config.vocab_size:,} for each token of the decoder."
    if config.score == "scaled_dot":
        sentences["scaling"] = f"each score is divided by √{keys} = {keys**0.5:.4g}."
    return sentences


def _of_choices(config: TransformerConfig) -> dict[str, str]:
    added = " added to the embedding" if config.adds_positions else ""
    kind = config.positions
    none = config.norm_position == "none"
    norm = "none." if none else f"{NORMS[config.norm]}, {NORM_PLACES[config.norm_position]}."
    sentences = {
        "position": "none." if kind == "none" else f"{'ALiBi' if kind == 'alibi' else kind}{added}.",
        "layer norm": norm,
        "pre-norm": norm,
        "residual connection": "yes." if config.residual else "none: parts replace what came in.",
        "activation": f"{config.activation}.",
        "transformer": f"a {config.architecture}." if config.architecture[0] == "d" else f"an {config.architecture}.",
    }
    if kind != "none":
        sentences["ALiBi" if kind == "alibi" else f"{kind} positions"] = "yes, it has these."
    if config.score in ("additive", "general"):
        sentences[f"{config.score} score"] = "this is its score."
    return sentences


def _listed(pieces: tuple[str, ...]) -> str:
    return ", ".join(f"“{piece}”" for piece in pieces)
