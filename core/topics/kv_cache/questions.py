"""The right answer to a lesson's question about what a KV cache keeps."""

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.setup import start_ids
from core.topics.generate.texts import generate_tokens
from core.topics.kv_cache.steps import unchanged
from core.topics.shared.truth import Truth
from core.tracing.run import Run

ROUNDING = 1e-4  # of the largest key or value
WRITTEN_TOKENS = 4  # tokens that the page KV cache shows at first


def recomputed_tokens(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return for how many tokens keys and values must be worked out when the last one is read.

    It is 1 if those of all tokens before it stay as they were, otherwise the number of all tokens. Raises ValueError if
    there is no token before it, and if it is like all before it.
    """
    start = start_ids(tokenizer, run)
    written = generate_tokens(model, tokenizer, run, max_tokens=WRITTEN_TOKENS)
    ids = (*start, *(token.chosen for token in written))[: run.config.max_length]
    if len(ids) < 2:
        raise ValueError("This question needs a text that the model goes on with.")
    record = unchanged(model, tokenizer, run, ids)
    masked, unmasked = (float(moved.max()) for moved in (record.masked, record.unmasked))
    if unmasked <= ROUNDING * record.size:
        raise ValueError("This question needs a text with different words.")
    facts = {
        "tokens": len(ids),
        "kept": record.rows,
        "last": tokenizer.labels(ids[-1:])[0],
        "masked": f"{masked:.6f}",
        "unmasked": f"{unmasked:.2g}",
        "size": record.size,
        "layers": run.config.depth("decoder"),
        "numbers": 2 * run.config.depth("decoder") * run.config.n_kv_heads * run.config.key_width,
    }
    return Truth(1.0 if masked <= ROUNDING * record.size else float(len(ids)), facts)
