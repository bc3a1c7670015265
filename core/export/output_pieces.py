"""The lines of a script that say what the model makes of the text, print the asked head's attention, and draw it."""

from core.export.asked import GUESSES, Asked
from core.export.block_pieces import activation_lines
from core.export.dialect import Dialect

LIKELIEST, DRAWN = 5, 10
CELL_POINTS = 50  # of the letters of a token, for each inch of the figure that it has: about 0.7 of its cell


def output_lines(asked: Asked, dialect: Dialect) -> list[str]:
    """Return the lines that compute and print p, the probabilities (…, V) of pieces or (C,) of classes; [] if none."""
    if asked.classes is not None:
        return _verdict(asked, dialect)
    if not asked.guesses:
        return []
    return [
        *_logits(asked, dialect, _guessing_rows(asked)),
        f"p = {dialect.softmax_call.format('logits')}  # (…, V)",
        'PIECES = json.loads(Path("vocabulary.json").read_text(encoding="utf-8"))  # the pieces by their id',
        *(_likeliest(f"The {asked.guesses}", len(asked.hidden)) if asked.draws != GUESSES else []),
    ]


def number_lines(asked: Asked) -> list[str]:
    """Return the lines that print what was asked for, and save what was computed."""
    saved = '{**PATTERNS, "output": x' + (', "p": p}' if asked.guesses else "}")
    printed = _guess_numbers(asked) if asked.draws == GUESSES else _pattern_numbers(asked)
    return ["print(CAPTION)", *printed, f'save_file({saved}, "numbers.safetensors")']


def _pattern_numbers(asked: Asked) -> list[str]:
    queries, _ = token_names(asked)
    place = asked.place
    return [
        f'pattern = PATTERNS["{place.prefix[:-1]}"][{place.head}]  # (Q, K)',
        f"for token, row in zip({queries}, pattern, strict=True):",
        '    print(f"{token:>14}", " ".join(f"{weight:.3f}" for weight in row))',
    ]


def _guess_numbers(asked: Asked) -> list[str]:
    if asked.classes is not None:
        taken = [f"names, shares = {list(asked.classes.labels)!r}, p.tolist()".replace("'", '"')]
    else:
        taken = [
            f"best = xp.argsort(-p[0])[:{DRAWN}].tolist()  # the likeliest first",
            "names, shares = [PIECES[n] for n in best], p[0][best].tolist()",
        ]
    loop = "for name, share in zip(names, shares, strict=True):"
    return [*taken, loop, '    print(f"{name:>14} {share:.3f}")']


def figure_lines(asked: Asked) -> list[str]:
    """Return the lines that draw what was asked for, for a slide and for one and two columns of a page."""
    drawn, fitted = (_bars(), []) if asked.draws == GUESSES else _matrix(asked)
    return [
        'plt.rc("pdf", fonttype=42)  # letters stay text, as publishers ask',
        'figure, axes = plt.subplots(layout="constrained")',
        *drawn,
        "for name, width, height, dpi, size in (  # inches, dots per inch, size of letters in points",
        '    ("slide", 1280 / 96, 720 / 96, 96, 18),',
        '    ("one-column", 85 / 25.4, 70 / 25.4, 300, 7),',
        '    ("two-columns", 174 / 25.4, 100 / 25.4, 300, 8),',
        "):",
        "    figure.set_size_inches(width, height)",
        "    plt.setp(figure.findobj(plt.Text), fontsize=size)",
        *fitted,
        '    figure.savefig(f"{name}.png", dpi=dpi, metadata={"Description": CAPTION})',
        '    figure.savefig(f"{name}.pdf", metadata={"Subject": CAPTION})',
    ]


def _bars() -> list[str]:
    return [
        'axes.barh(range(len(names)), shares, color="#d8437d")',
        "axes.set_yticks(range(len(names)), names)",
        "axes.invert_yaxis()  # the first on top",
        'axes.set(xlabel="probability")',
    ]


def _matrix(asked: Asked) -> tuple[list[str], list[str]]:
    """Return the lines that draw the asked head's attention, and those that fit its labels to a size."""
    queries, keys = token_names(asked)
    total = "less than 1" if asked.config.sink_logits else "1"
    rows = f"rows sum to {total} or are all zeros" if asked.has_empty_rows else f"each row sums to {total}"
    drawn = [
        'image = axes.imshow(pattern.tolist(), cmap="RdPu", vmin=0, vmax=1, aspect="auto")',
        'figure.colorbar(image, label="attention weight")',
        f"axes.set_xticks(range(len({keys})), {keys}, rotation=90)",
        f"axes.set_yticks(range(len({queries})), {queries})",
        f'axes.set(xlabel="keys", ylabel="queries: {rows}")',
    ]
    most = f"{CELL_POINTS} * width / len(pattern[0]), {CELL_POINTS} * height / len(pattern)"
    return drawn, [f"    axes.tick_params(labelsize=min(size, {most}))"]


def _likeliest(about: str, hidden: int) -> list[str]:
    """Return the lines that print the likeliest pieces. hidden: for how many hidden pieces, 0 for the next piece."""
    row, loop, indent = ("row", ["for row in p:"], "    ") if hidden > 1 else ("p[0]", [], "")
    return [
        *loop,
        f"{indent}best = xp.argsort(-{row})[:{LIKELIEST}].tolist()",
        f'{indent}print("{about}:", ", ".join(f"{{PIECES[n]}} {{{row}[n]:.3f}}" for n in best))',
    ]


def token_names(asked: Asked) -> tuple[str, str]:
    """Return the names, in the script, of the lists of tokens of the queries and the keys."""
    if not asked.config.has_two_stacks:
        return "TOKENS", "TOKENS"
    stack = asked.place.stack.upper()
    return f"{stack}_TOKENS", "ENCODER_TOKENS" if asked.place.cross else f"{stack}_TOKENS"


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
