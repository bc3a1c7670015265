"""One script that computes a run again from its weights: in PyTorch or NumPy, and without this project.

Only the branches that this run takes are written. Shapes: L tokens, Q queries, K keys; there is no batch.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from core.export.asked import Asked, forces, switches_off
from core.export.block_pieces import (
    activation_piece,
    attention_piece,
    block_piece,
    feed_forward_piece,
    multi_head_piece,
    norm_piece,
    stack_lines,
)
from core.export.dialect import Dialect
from core.export.literals import assigned
from core.export.masks import mask_lines
from core.export.output_pieces import figure_lines, number_lines, output_lines
from core.export.position_pieces import position_piece
from core.model.masks import PaddingMask
from core.text.labels import head_label
from core.topics.shared.places import HeadAddress

ORDER = ("numbers", "parts", "attention", "block", "forward pass", "pattern", "figure")


def script(asked: Asked, dialect: Dialect) -> str:
    """Return the script of a run: its numbers, and the drawing of the asked head's attention."""
    return f'"""{title(asked)}: this run in {dialect.title}."""\n\n{joined(cells(asked, dialect))}\n'


def joined(parts: Mapping[str, str]) -> str:
    """Return cells as one text."""
    return "\n\n\n".join(parts.values()).replace("\n\n\nprint(TITLE)", "\n\nprint(TITLE)")


def title(asked: Asked) -> str:
    """Return what the script computes, in half a sentence."""
    stack = f"the {asked.place.stack} of " if asked.config.has_two_stacks and not asked.place.cross else ""
    kind = "cross-attention, " if asked.place.cross else ""
    return f"What {kind}{head_label(asked.place.layer, asked.place.head)} of {stack}{asked.name} looks at"


def cells(asked: Asked, dialect: Dialect) -> dict[str, str]:
    """Return the parts of the script, without empty ones, by the names in `ORDER`; a notebook has a cell for each."""
    config = asked.config
    pieces = {
        "parts": [list(dialect.softmax), norm_piece(config), activation_piece(config, dialect), position_piece(config)],
        "attention": [attention_piece(asked, dialect), multi_head_piece(asked)],
        "block": [feed_forward_piece(config), block_piece(asked)],
        "forward pass": [_forward(asked, dialect)],
        "pattern": [number_lines(asked)],
        "figure": [figure_lines(asked)],
    }
    written = {
        name: "\n\n\n".join(dialect.written(piece) for piece in group if piece) for name, group in pieces.items()
    }
    body = "".join(written.values())
    imports = [f"import {name}" for name in ("json", "math") if f"{name}." in body]
    imports += ["from pathlib import Path"] if "Path(" in body else []
    facts = [*imports, *[""] * bool(imports), *dialect.imports, "", *_facts(asked), dialect.weights]
    written["numbers"] = dialect.written(facts)
    return {name: written[name] for name in ORDER if written[name]}


def _facts(asked: Asked) -> list[str]:
    """Return the lines that name the sizes, this run's tokens, and its edits."""
    config, rows = asked.config, asked.inputs.rows
    lines = [
        f'TITLE = "{title(asked)}"',
        "# Layers and heads are counted from 0 below. Shapes: L tokens, Q queries, K keys, V pieces.",
        '# The names are those of Vaswani et al. 2017, "Attention Is All You Need".',
        f"d_model, h, d_k = {config.d_model}, {config.heads}, {config.key_width}",
        f"# The tokens of this run, cut by {_reader(asked)}.",
    ]
    for stack, row in rows.items():
        prefix = f"{stack.upper()}_" if len(rows) > 1 else ""
        lines += assigned(f"{prefix}TOKENS", row.pieces) + assigned(f"{prefix}IDS", row.ids)
    if asked.windows:
        lines += assigned("WINDOWS", asked.windows, "how many tokens each block sees")
    off = _by_attention((edit.key, edit.head) for edit in asked.run.edits if switches_off(edit))
    if off:
        lines += [f"OFF = {off!r}  # heads that are switched off, counted from 0".replace("'", '"')]
    forced = _by_attention((e.key, (e.head, e.row, e.value)) for e in asked.run.edits if forces(e))
    if forced:
        lines += ["FORCED = {  # head, query and the weights that it is given"]
        for name, rows_of in forced.items():
            lines += [f'    "{name}": [', *(f"        {_forced(row)}," for row in rows_of), "    ],"]
        lines.append("}")
    return [*lines, "PATTERNS = {}  # the attention weights (h, Q, K) of each layer, filled on the way"]


def _forced(row: Any) -> str:
    """Return one forced row as Python writes it. row: the head, the query and its weights."""
    head, query, weights = row
    return f"({head}, {query}, [{', '.join(map(str, weights))}])"


def _reader(asked: Asked) -> str:
    reads = asked.run.reads_with
    return f"the tokenizer {reads}" if isinstance(reads, str) else f"the tokenizer of {reads.address}"


def _by_attention(found: Iterable[tuple[str, object]]) -> dict[str, list[object]]:
    grouped: dict[str, list[object]] = {}
    for key, value in found:
        grouped.setdefault(key.rpartition(".")[0], []).append(value)
    return grouped


def _forward(asked: Asked, dialect: Dialect) -> list[str]:
    """Return the lines of the forward pass: embedding, blocks, and what the model says of it."""
    config, lines = asked.config, list[str]()
    for stack in config.stacks:
        prefix = f"{stack.upper()}_" if config.has_two_stacks else ""
        if config.has_two_stacks:
            lines.append(f"# The {stack}.")
        lines += _embedding(asked, f"{prefix}IDS")
        if stack == "decoder" and config.has_two_stacks:
            lines += _mask(asked, HeadAddress(stack, cross=True), "cross_mask")
        lines += _mask(asked, HeadAddress(stack), "mask") + stack_lines(asked, stack)
    return lines + output_lines(asked, dialect)


def _embedding(asked: Asked, ids: str) -> list[str]:
    config = asked.config
    scale = " * math.sqrt(d_model)" if config.scale_embeddings else ""
    added = f" + positions(len({ids}))" if config.positions in ("sinusoidal", "binary") else ""
    lines = [f'x = W["E"][{ids}]{scale}{added}  # (L, d_model)']
    if config.positions == "learned":
        lines.append('x = x + W["P"][: len(x)]  # one learnt row for each position')
    if config.token_types:
        lines.append('x = x + W["token_type"]')
    return [*lines, 'x = norm(x, "embed_norm")'] if config.embedding_norm else lines


def _mask(asked: Asked, place: HeadAddress, name: str) -> list[str]:
    """Return the lines that make the mask at a place; [] if it hides nothing."""
    run, stacks, allowed = asked.run, asked.config.stacks, asked.mask(place)
    if allowed is None:
        return []
    restricted = place == HeadAddress(stacks[-1])
    masks = run.masks if restricted else tuple(mask for mask in run.masks if isinstance(mask, PaddingMask))
    padded = run.pads if place.cross or place.stack == stacks[0] else 0
    lines = mask_lines(name, allowed, masks, allowed.shape[1] - padded)
    if lines[0].startswith("ROWS") and not (asked.windows and place == HeadAddress("decoder")):
        return lines
    return [f"i, j = xp.arange(len(x))[:, None], xp.arange({'len(memory)' if place.cross else 'len(x)'})", *lines]
