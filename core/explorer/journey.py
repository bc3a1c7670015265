"""One text carried through all the stages of one block, as windows small enough to draw."""

import torch

from core.explorer.places import to_numpy, token_rows
from core.explorer.records import Journey, Place, Stage
from core.model.transformer import Transformer
from core.run import Run, execute, prepare
from core.sites import keys_of, parse
from core.text import Tokenizer
from core.trace import Trace

ROWS, COLUMNS = 48, 64


def journey(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place, likeliest: int = 10) -> Journey:
    """Every stage of one text in `place.stack`, through block `place.layer`, with head `place.head` in close-up.

    Stages keep at most 48 rows and 64 columns of their tensor, and its true shape. Sites with a head axis are
    shown for the one head; "patterns" holds the weights of all heads of the layer.
    """
    inputs = prepare(run, tokenizer)
    here = [key for key, _ in keys_of(run.config) if key.startswith(place.prefix) and ".cross." not in key]
    ends = [key for key, site in keys_of(run.config) if site.level == "stack" and key.startswith(place.stack)]
    seen = execute(model, run, inputs, [*here, *ends])
    stages = {parse(key)[3].name: _stage(key, seen, place.head) for key in [*ends, *here]}
    queries, _ = token_rows(inputs, place)
    patterns = to_numpy(seen[place.prefix + "pattern"][0, :, :ROWS, :ROWS])  # (H, Q, K)
    has_logits = place.stack == "decoder"
    return Journey(place, queries, stages, patterns, _next(seen, tokenizer, likeliest) if has_logits else ())


def _stage(key: str, seen: Trace, head: int) -> Stage:
    site = parse(key)[3]
    tensor = seen[key][0]
    axes = site.axes[1:]
    if axes[0] == "H":
        tensor, axes = tensor[head], axes[1:]
    window = to_numpy(tensor[:ROWS, : ROWS if axes[1] == "K" else COLUMNS])
    return Stage(key, window, tuple(tensor.shape), axes, site.sentence)


def _next(seen: Trace, tokenizer: Tokenizer, count: int) -> tuple[tuple[str, float], ...]:
    """The likeliest pieces after the last token, with their probabilities."""
    probabilities = torch.softmax(seen.output[0, -1].float(), -1)
    best = probabilities.topk(count)
    pieces = tokenizer.pieces(best.indices.tolist())
    return tuple(zip(pieces, best.values.tolist(), strict=True))
