"""The lines of a script that say what the model makes of the text, print the asked head's attention, and draw it."""

from core.export.asked import Asked
from core.export.block_pieces import ACTIVATIONS
from core.export.dialect import Dialect

LIKELIEST = 5
CELL_INCHES = 0.32


def output_lines(asked: Asked, dialect: Dialect) -> list[str]:
    """Return the lines that compute and print p, the probabilities (…, V) of pieces or (C,) of classes; [] if none."""
    if asked.classes is not None:
        return _verdict(asked, dialect)
    rows, about = _predicts(asked)
    if not rows:
        return []
    return [
        *_logits(asked, rows),
        f"p = {dialect.softmax_call.format('logits')}",
        'PIECES = json.loads(Path("vocabulary.json").read_text(encoding="utf-8"))  # the pieces by their id',
        "for row in p:",
        f"    best = xp.argsort(-row)[:{LIKELIEST}].tolist()",
        f'    print("{about}:", ", ".join(f"{{PIECES[piece]}} {{row[piece]:.3f}}" for piece in best))',
    ]


def number_lines(asked: Asked) -> list[str]:
    """Return the lines that print the asked head's attention weights and save what was computed."""
    queries, _ = token_names(asked)
    place = asked.place
    saved = '{**PATTERNS, "output": x' + (', "p": p}' if says_anything(asked) else "}")
    return [
        "print(TITLE)",
        f'pattern = PATTERNS["{place.prefix[:-1]}"][{place.head}]  # (Q, K)',
        f"for token, row in zip({queries}, pattern, strict=True):",
        '    print(f"{token:>14}", " ".join(f"{weight:.3f}" for weight in row))',
        f'save_file({saved}, "numbers.safetensors")',
    ]


def figure_lines(asked: Asked) -> list[str]:
    """Return the lines that draw the asked head's attention into picture.png."""
    queries, keys = token_names(asked)
    rows = "rows sum to 1 or are all zeros" if asked.has_empty_rows else "each row sums to 1"
    return [
        "def draw(pattern):",
        "    import matplotlib.pyplot as plt",
        "",
        f"    width, height = 2 + {CELL_INCHES} * len({keys}), 2 + {CELL_INCHES} * len({queries})  # inches",
        "    figure, axes = plt.subplots(figsize=(width, height))",
        '    image = axes.imshow(pattern.tolist(), cmap="RdPu", vmin=0, vmax=1)',
        f"    axes.set_xticks(range(len({keys})), {keys}, rotation=90)",
        f"    axes.set_yticks(range(len({queries})), {queries})",
        f'    axes.set(title=TITLE, xlabel="keys", ylabel="queries: {rows}")',
        '    figure.colorbar(image, label="attention weight")',
        '    figure.savefig("picture.png", dpi=150, bbox_inches="tight")',
        "",
        "",
        "draw(pattern)",
    ]


def token_names(asked: Asked) -> tuple[str, str]:
    """Return the names, in the script, of the lists of tokens of the queries and the keys."""
    if not asked.config.has_two_stacks:
        return "TOKENS", "TOKENS"
    stack = asked.place.stack.upper()
    return f"{stack}_TOKENS", "ENCODER_TOKENS" if asked.place.cross else f"{stack}_TOKENS"


def says_anything(asked: Asked) -> bool:
    """Return whether the script computes probabilities."""
    return asked.classes is not None or bool(_predicts(asked)[0])


def _predicts(asked: Asked) -> tuple[str, str]:
    """Return the rows of x from which pieces are predicted, and what they are; "" for a model that predicts none."""
    if "decoder" in asked.config.stacks:
        pads = 0 if asked.config.has_two_stacks else asked.run.pads
        return (f"x[{-1 - pads}:{-pads}]" if pads else "x[-1:]"), "The next piece"
    return (f"x[{list(asked.hidden)}]" if asked.hidden else ""), "The hidden piece"


def _logits(asked: Asked, rows: str) -> list[str]:
    config = asked.config
    lines, y = list[str](), rows
    if config.masked_head:
        form = ACTIVATIONS[config.activation][0]
        inner = f'{rows} @ W["head.W"] + W["head.b"]'
        lines.append(f"y = {form.format(f'({inner})' if form.startswith('{}.') else inner)}")
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
    return [
        f"p = {dialect.softmax_call.format(logits)}  # (C,)",
        f"for label, share in zip({list(asked.classes.labels)!r}, p, strict=True):".replace("'", '"'),
        '    print(f"{label}: {share:.3f}")',
    ]
