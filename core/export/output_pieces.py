"""The lines of a script that say what the model makes of the text."""

from core.export.asked import GUESSES, HEAD_VECTORS, LENS, Asked
from core.export.block_pieces import activation_lines
from core.export.dialect import Dialect

LIKELIEST = 5


def output_lines(asked: Asked, dialect: Dialect) -> list[str]:
    """Return the lines that compute and print p, the probabilities (…, V) of pieces or (C,) of classes; [] if none."""
    if asked.draws == HEAD_VECTORS or not asked.guesses:
        return []
    if asked.classes is not None:
        return _verdict(asked, dialect)
    return [
        *_logits(asked, dialect, "x" if asked.draws == LENS else _guessing_rows(asked)),
        f"p = {dialect.softmax_call.format('logits')}  # (…, V)",
        'PIECES = json.loads(Path("vocabulary.json").read_text(encoding="utf-8"))  # the pieces by their id',
        *(_likeliest(f"The {asked.guesses}", len(asked.hidden)) if asked.draws not in (GUESSES, LENS) else []),
    ]


def _likeliest(about: str, hidden: int) -> list[str]:
    """Return the lines that print the likeliest pieces. hidden: for how many hidden pieces, 0 for the next piece."""
    row, loop, indent = ("row", ["for row in p:"], "    ") if hidden > 1 else ("p[0]", [], "")
    return [
        *loop,
        f"{indent}best = xp.argsort(-{row})[:{LIKELIEST}].tolist()",
        f'{indent}print("{about}:", ", ".join(f"{{PIECES[n]}} {{{row}[n]:.3f}}" for n in best))',
    ]


def _guessing_rows(asked: Asked) -> str:
    """Return the rows of x from which pieces are guessed."""
    if asked.hidden:
        return f"x[{list(asked.hidden)}]"
    pads = 0 if asked.config.has_two_stacks else asked.run.pads
    return f"x[{-1 - pads}:{-pads}]" if pads else "x[-1:]"


def _logits(asked: Asked, dialect: Dialect, rows: str) -> list[str]:
    config = asked.config
    lines, y = list[str](), rows
    if config.masked_head:
        lines += activation_lines(config, dialect, "y", f'{rows} @ W["head.W"] + W["head.b"]', "(…, d_model)")
        y = 'norm(y, "head.norm")'
    table = 'W["E"].mT' if config.tied or not ("decoder" in config.stacks or config.masked_head) else 'W["W_U"]'
    scale = f" * {config.logit_scale!r}" if config.logit_scale != 1.0 else ""
    bias = ' + W["b_U"]' if config.output_bias else ""
    return [*lines, f"logits = {y}{scale} @ {table}{bias}  # (…, d_model) → (…, V)"]


def _verdict(asked: Asked, dialect: Dialect) -> list[str]:
    assert asked.classes is not None
    pads = asked.run.pads
    read = "x[0]" if asked.classes.first else f"x[:{-pads}].mean(0)" if pads else "x.mean(0)"
    logits = f'{read} @ W["classes.W"] + W["classes.b"]'
    chances = f"p = {dialect.softmax_call.format(logits)}  # (C,)"
    if asked.draws == GUESSES:
        return [chances]
    return [
        chances,
        f"for label, share in zip({list(asked.classes.labels)!r}, p, strict=True):".replace("'", '"'),
        '    print(f"{label}: {share:.3f}")',
    ]
