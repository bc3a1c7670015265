"""The lines of a script that print what was asked for, save what was computed, and draw it."""

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked

DRAWN = 10  # of the likeliest pieces
CELL_POINTS = 50  # of the letters of a token, for each inch of the figure that it has: about 0.7 of its cell
SHORT = 6  # letters of a piece that fit a cell as wide as they are high
DIVERGING = 'cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto"'
KEEPS = (HEAD_SCORES, HEAD_VECTORS)  # kinds whose tensors `multi_head` and `attention` put into SHOWN on the way


def number_lines(asked: Asked) -> list[str]:
    """Return the lines that print what was asked for, and save what was computed."""
    output = "x[-1]" if asked.draws == LENS else "x"
    tensors = f'"output": {output}' + ', "p": p' * (bool(asked.guesses) and asked.draws != HEAD_VECTORS)
    saved = f"{{**PATTERNS, {'**SHOWN, ' * (asked.draws in KEEPS)}{tensors}}}"
    printed = _NUMBERS[asked.draws](asked)
    return ["print(CAPTION)", *printed, f'save_file({saved}, "numbers.safetensors")']


def figure_lines(asked: Asked) -> list[str]:
    """Return the lines that draw what was asked for, for a slide and for one and two columns of a page."""
    panels = {HEAD_VECTORS: "1, 3, ", GUESSES: f"1, {len(asked.hidden)}, " if len(asked.hidden) > 1 else ""}
    return sized_figure(panels.get(asked.draws, ""), *_DRAWINGS[asked.draws](asked))


def sized_figure(panels: str, drawn: list[str], fitted: list[str]) -> list[str]:
    """Return the lines that draw a figure for a slide and for one and two columns of a page.

    panels: its rows and columns of panels, as the first arguments of `plt.subplots`; "" for a single one.
    drawn: the lines that draw on `axes`.
    fitted: the lines that fit the size of its letters to one width and height.
    """
    return [
        'plt.rc("pdf", fonttype=42)  # TrueType fonts, as publishers ask',
        f'figure, axes = plt.subplots({panels}layout="constrained")',
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


def _pattern_numbers(asked: Asked) -> list[str]:
    place = asked.place
    return _of_head(asked, f'pattern = PATTERNS["{place.prefix[:-1]}"][{place.head}]  # (Q, K)', "pattern", "weight")


def _score_numbers(asked: Asked) -> list[str]:
    place = asked.place
    return _of_head(asked, f'scores = SHOWN["{place.prefix}scores"][{place.head}]  # (Q, K)', "scores", "score")


def _of_head(asked: Asked, taken: str, matrix: str, number: str) -> list[str]:
    queries, _ = token_names(asked)
    return [
        taken,
        f"for token, row in zip({queries}, {matrix}, strict=True):",
        f'    print(f"{{token:>14}}", " ".join(f"{{{number}:.3f}}" for {number} in row))',
    ]


def _vector_numbers(asked: Asked) -> list[str]:
    queries, keys = token_names(asked)
    place, shared = asked.place, asked.config.kv_head_of(asked.place.head)
    letters = (("Q", place.head, queries), ("K", shared, keys), ("V", shared, keys))
    return [
        "VECTORS = [  # of one head, before positions turn them",
        *(f'    ("{x}", SHOWN["{place.prefix}{x}"][{head}], {tokens}),' for x, head, tokens in letters),
        "]",
        "for letter, rows, tokens in VECTORS:",
        "    for token, row in zip(tokens, rows, strict=True):",
        '        print(f"{letter} {token:>14}", " ".join(f"{number:.3f}" for number in row))',
    ]


def _lens_numbers(asked: Asked) -> list[str]:
    tokens, _ = token_names(asked)
    return [
        "names = [[PIECES[n] for n in row] for row in p.argmax(-1).T.tolist()]  # (L, N + 1)",
        "chances = xp.amax(p, -1).T.tolist()  # (L, N + 1)",
        f"for token, row, shares in zip({tokens}, names, chances, strict=True):",
        '    print(f"{token:>14}", *(f"| {x} {share:.3f}" for x, share in zip(row, shares, strict=True)))',
    ]


def _guess_numbers(asked: Asked) -> list[str]:
    loop = ["for name, share in zip(names, shares, strict=True):", '    print(f"{name:>14} {share:.3f}")']
    if asked.classes is not None:
        return [f"names, shares = {list(asked.classes.labels)!r}, p.tolist()".replace("'", '"'), *loop]
    several = len(asked.hidden) > 1
    row = "row" if several else "p[0]"
    taken = [
        f"best = xp.argsort(-{row})[:{DRAWN}].tolist()  # the likeliest first",
        f"names, shares = [PIECES[n] for n in best], {row}[best].tolist()",
    ]
    if not several:
        return [*taken, *loop]
    kept = ['print(f"Token {position}")', *loop, "guesses.append((position, names, shares))"]
    rows = f"for position, row in zip({list(asked.hidden)}, p, strict=True):  # counted from 0"
    return ["guesses = []", rows, *(f"    {line}" for line in [*taken, *kept])]


def _bars(asked: Asked) -> tuple[list[str], list[str]]:
    """Return the lines that draw the guesses as bars, in a panel for each hidden piece, and none that fit them."""
    several = len(asked.hidden) > 1
    panel, titled = "axis" if several else "axes", ', title=f"token {position}"'
    drawn = [
        f'{panel}.barh(range(len(names)), shares, color="#d8437d")',
        f"{panel}.set_yticks(range(len(names)), names)",
        f"{panel}.invert_yaxis()  # the first on top",
        f'{panel}.set(xlabel="probability"{titled * several})',
    ]
    if several:
        loop = "for axis, (position, names, shares) in zip(axes, guesses, strict=True):"
        drawn = [loop, *(f"    {line}" for line in drawn)]
    return drawn, []


def _weights(asked: Asked) -> tuple[list[str], list[str]]:
    """Return the lines that draw the asked head's attention, and those that fit its labels to a size."""
    total = "less than 1" if asked.config.sink_logits else "1"
    rows = f"rows sum to {total} or are all zeros" if asked.has_empty_rows else f"each row sums to {total}"
    image = 'image = axes.imshow(pattern.tolist(), cmap="RdPu", vmin=0, vmax=1, aspect="auto")'
    return _matrix(asked, [image, 'figure.colorbar(image, label="attention weight")'], "pattern", f"queries: {rows}")


def _scores(asked: Asked) -> tuple[list[str], list[str]]:
    """Return the lines that draw the asked head's scores, and those that fit its labels to a size."""
    image = [
        "most = float(abs(scores).max())",
        f"image = axes.imshow(scores.tolist(), {DIVERGING})",
        'figure.colorbar(image, label="score")',
    ]
    return _matrix(asked, image, "scores", "queries")


def _matrix(asked: Asked, image: list[str], name: str, rows: str) -> tuple[list[str], list[str]]:
    queries, keys = token_names(asked)
    drawn = [
        *image,
        f"axes.set_xticks(range(len({keys})), {keys}, rotation=90)",
        f"axes.set_yticks(range(len({queries})), {queries})",
        f'axes.set(xlabel="keys", ylabel="{rows}")',
    ]
    return drawn, [fitted_labels(f"{name}[0]", name)]


def fitted_labels(columns: str, rows: str) -> str:
    """Return the line that fits the labels of a matrix to its cells. columns, rows: lists of as many as there are."""
    most = f"{CELL_POINTS} * width / len({columns}), {CELL_POINTS} * height / len({rows})"
    return f"    axes.tick_params(labelsize=min(size, {most}))"


def _vectors(asked: Asked) -> tuple[list[str], list[str]]:
    """Return the lines that draw the asked head's vectors side by side, and those that fit their labels to a size."""
    drawn = [
        "most = max(float(abs(rows).max()) for _, rows, _ in VECTORS)",
        "for axis, (letter, rows, tokens) in zip(axes, VECTORS, strict=True):",
        f"    image = axis.imshow(rows.tolist(), {DIVERGING})",
        "    axis.set_yticks(range(len(tokens)), tokens)",
        '    axis.set(title=letter, xlabel="numbers of a vector")',
        "figure.colorbar(image, ax=axes)",
    ]
    tokens = f"{CELL_POINTS} * height / len(tokens)"
    return drawn, [
        "    for axis, (_, _, tokens) in zip(axes, VECTORS, strict=True):",
        f'        axis.tick_params(axis="y", labelsize=min(size, {tokens}))',
    ]


def _lens(asked: Asked) -> tuple[list[str], list[str]]:
    """Return the lines that draw each layer's guess after each token, and those that fit the pieces to their cells."""
    tokens, _ = token_names(asked)
    drawn = [
        'image = axes.imshow(chances, cmap="RdPu", vmin=0, vmax=1, aspect="auto", alpha=0.6)',
        'figure.colorbar(image, label="probability")',
        "for i, row in enumerate(names):",
        "    for n, name in enumerate(row):",
        '        axes.text(n, i, name, ha="center", va="center", parse_math=False)',
        f"axes.set_yticks(range(len({tokens})), {tokens})",
        'axes.set(xlabel="after this layer; 0: the embedding", ylabel="tokens read")',
    ]
    cell = f"{CELL_POINTS} * height / len(names)"
    return drawn, [
        f"    cell = min(size, {CELL_POINTS} * width / {SHORT} / len(names[0]), {cell})",
        "    plt.setp([*axes.texts, *axes.get_yticklabels()], fontsize=cell)",
    ]


def token_names(asked: Asked) -> tuple[str, str]:
    """Return the names, in the script, of the lists of tokens of the queries and the keys."""
    if not asked.config.has_two_stacks:
        return "TOKENS", "TOKENS"
    stack = asked.place.stack.upper()
    return f"{stack}_TOKENS", "ENCODER_TOKENS" if asked.place.cross else f"{stack}_TOKENS"


_NUMBERS = {
    PATTERN: _pattern_numbers,
    HEAD_SCORES: _score_numbers,
    HEAD_VECTORS: _vector_numbers,
    LENS: _lens_numbers,
    GUESSES: _guess_numbers,
}
_DRAWINGS = {PATTERN: _weights, HEAD_SCORES: _scores, HEAD_VECTORS: _vectors, LENS: _lens, GUESSES: _bars}
