"""Scripts of the encodings of positions: their tables, columns of these, and dot products by distance."""

from collections.abc import Sequence

from core.export.literals import assigned
from core.export.position_pieces import position_piece
from core.export.script_parts import ScriptParts
from core.model.config import TransformerConfig
from core.topics.positions.encodings import Encoding

PRINTED = 16  # numbers of each row
NAMES = {  # with their papers
    "binary": ("Binary positions", ""),
    "sinusoidal": ("Sinusoidal positions", " (Vaswani et al. 2017, section 3.5)"),
    "rotary": ("Rotary positions", " (Su et al. 2021)"),
    "alibi": ("Penalties of ALiBi for head {} of {}", " (Press et al. 2022, section 3)"),
}
TURNED = " Each row is the vector (1, 0, 1, 0, …), turned."
WAVED = ("sinusoidal", "rotary")
EXERCISES = {
    "sinusoidal": "Divide the base by 10, in the first line of `positions`, and run all cells again. Which dimensions "
    "change, and which cannot?",
    "rotary": "Divide the base by 10, in the first line of `rotate`, and run all cells again. Which dimensions change, "
    "and which cannot?",
    "binary": "Set `L` to twice its value and run all cells again. Which dimension is no longer all 0?",
    "alibi": "Set `HEAD` to another number below `h` and run all cells again. Is the penalty at the same distance "
    "larger or smaller?",
}


def table_script(encoding: Encoding) -> ScriptParts:
    """Return the script of an encoding's whole table (L, D), or of ALiBi's penalties (L, L).

    Raises ValueError, with a sentence for the visitor, for an encoding without a formula; so do the others.
    """
    rows, columns = encoding.axes
    short = f"[:{PRINTED}]" * (_width(encoding) > PRINTED)
    comment = "  # its first numbers" if short else ""
    drawn = (
        "most = float(abs(table).max())",
        'image = axes.imshow(table.tolist(), cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto")',
        'figure.colorbar(image, label="value")',
        f'axes.set(xlabel="{columns}", ylabel="{rows}")',
    )
    said = f"Rows are {rows}, columns are {columns}"
    printed = f"its rows, of each the first {PRINTED} numbers" if short else "its rows"
    shown = [
        "for p, row in enumerate(table.tolist()):",
        f'    print(f"{{p:>4}}", " ".join(f"{{number:.3f}}" for number in row{short})){comment}',
    ]
    return _parts(encoding, said, printed, shown, '{"table": table}', drawn)


def columns_script(encoding: Encoding, numbers: Sequence[int]) -> ScriptParts:
    """Return the script of some columns of an encoding's table along the positions. numbers: of the columns."""
    word = "key" if encoding.kind == "alibi" else "dimension"
    drawn = (
        "for number, column in zip(COLUMNS, columns.tolist(), strict=True):",
        f'    axes.plot(column, label=f"{word} {{number}}")',
        f'axes.set(xlabel="{encoding.axes[0]}", ylabel="value")',
        "axes.legend()",
    )
    shown = [
        *assigned("COLUMNS", [*numbers], f"{word}s, counted from 0"),
        "columns = xp.stack([table[:, number] for number in COLUMNS])  # (N, L)",
        "for number, column in zip(COLUMNS, columns.tolist(), strict=True):",
        f'    print(f"{word} {{number}}:", " ".join(f"{{value:.3f}}" for value in column))',
    ]
    said = f"Lines are {word}s {', '.join(map(str, numbers))}"
    return _parts(encoding, said, "these columns", shown, '{"columns": columns}', drawn)


def distances_script(encoding: Encoding) -> ScriptParts:
    """Return the script of the dot products of every two positions, by their distance."""
    alibi = encoding.kind == "alibi"
    shown = [
        f"products = table{'  # penalties: no vectors are multiplied' if alibi else ' @ table.mT  # (L, L)'}",
        "by_distance = [products.diagonal(-distance) for distance in range(L)]",
        "means = xp.stack([pairs.mean() for pairs in by_distance])  # (L,)",
        "spreads = xp.stack([((pairs - pairs.mean()) ** 2).mean() ** 0.5 for pairs in by_distance])",
        "for distance in range(L):",
        '    print(f"{distance:>4} {means[distance]:.3f} ± {spreads[distance]:.3f}")',
    ]
    number = "penalty" if alibi else "dot product"
    drawn = (
        'axes.errorbar(range(L), means.tolist(), spreads.tolist(), ecolor="0.8")',
        f'axes.set(xlabel="distance of two positions", ylabel="{number}")',
    )
    said = f"The line is the mean {number} of two positions by their distance; bars are standard deviations"
    if alibi:
        said = "The line is the penalty of two positions, which follows from their distance alone"
    saved = '{"products": products, "means": means, "spreads": spreads}'
    return _parts(encoding, said, f"the mean {number} at each distance", shown, saved, drawn)


def _parts(
    encoding: Encoding, said: str, printed: str, shown: Sequence[str], saved: str, drawn: Sequence[str]
) -> ScriptParts:
    """Return a script that makes the table, then does what the lines of `shown` do."""
    name, paper = _name(encoding)
    size = f"{encoding.length} positions" + f", {encoding.width} dimensions" * (encoding.kind != "alibi")
    base = f" The base is {encoding.base:g}." * (encoding.kind in WAVED) + TURNED * (encoding.kind == "rotary")
    return ScriptParts(
        title=f"{name}, {size}",
        caption=f"{name}{paper}, {size}. {said}.{base} Computed with Attention Explorer.",
        prints=printed,
        facts=tuple(_facts(encoding)),
        definitions=(tuple(position_piece(_config(encoding))),),
        computed=(*_table(encoding), "print(CAPTION)", *shown),
        saved=saved,
        drawn=tuple(drawn),
        exercise=EXERCISES[encoding.kind],
    )


def _name(encoding: Encoding) -> tuple[str, str]:
    """Return the name of an encoding, and its paper in brackets."""
    if encoding.kind == "learned":
        raise ValueError(
            "There is no script of an untrained table of learned positions: its numbers are random, and no formula "
            "gives them. Choose another encoding."
        )
    if encoding.kind not in NAMES:
        raise ValueError("There is no script without positions: all numbers are 0. Choose an encoding.")
    name, paper = NAMES[encoding.kind]
    return name.format(encoding.head + 1, encoding.heads), paper


def _facts(encoding: Encoding) -> list[str]:
    if encoding.kind == "alibi":
        return [f"L, h, HEAD = {encoding.length}, {encoding.heads}, {encoding.head}  # the head is counted from 0"]
    return [f"L, d_model = {encoding.length}, {encoding.width}"]


def _table(encoding: Encoding) -> list[str]:
    if encoding.kind == "alibi":
        return ["table = alibi(L)[HEAD]  # (L, L)"]
    if encoding.kind == "rotary":
        east = "east = xp.asarray([[1.0, 0.0] * (d_model // 2)] * L, dtype=xp.float32)  # pairs (1, 0)"
        return [east, "table = rotate(east)  # (L, d_model), each pair turned by its angle"]
    return ["table = positions(L)  # (L, d_model)"]


def _width(encoding: Encoding) -> int:
    return encoding.length if encoding.kind == "alibi" else encoding.width


def _config(encoding: Encoding) -> TransformerConfig:
    """Return a model of one layer that has this encoding."""
    alibi = encoding.kind == "alibi"
    width, heads = (encoding.heads, encoding.heads) if alibi else (encoding.width, 1)
    return TransformerConfig(
        "encoder",
        vocab_size=1,
        d_model=width,
        heads=heads,
        layers=1,
        max_length=encoding.length,
        positions=encoding.kind,
        position_base=encoding.base,
    )
