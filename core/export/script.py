"""One script that computes a run again from its weights: in PyTorch or NumPy, and without this project.

Only the branches that this run takes are written. Shapes: L tokens, Q queries, K keys; there is no batch.
"""

from collections.abc import Iterable
from typing import Any

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked, forces, switches_off
from core.export.block_pieces import (
    attention_piece,
    block_piece,
    feed_forward_piece,
    mask_name,
    multi_head_piece,
    norm_piece,
    stack_lines,
    uses_erf,
)
from core.export.caption import caption
from core.export.dialect import Dialect
from core.export.figure_pieces import KEEPS, figure_lines, number_lines
from core.export.literals import WIDTH, assigned, paragraph
from core.export.masks import mask_lines
from core.export.output_pieces import output_lines
from core.export.position_pieces import position_piece
from core.export.script_parts import import_lines, joined
from core.model.config import TransformerConfig
from core.model.masks import PaddingMask
from core.text.labels import head_label
from core.topics.shared.places import HeadAddress

TITLES = {
    PATTERN: "What {} looks at",
    HEAD_SCORES: "The scores of {}",
    HEAD_VECTORS: "The queries, keys and values of {}",
}
ORDER = ("numbers", "parts", "attention", "block", "forward pass", "pattern", "figure")


def script(asked: Asked, dialect: Dialect) -> str:
    """Return the script of a run: its numbers, and the drawing of what was asked for."""
    return f'"""{title(asked)}, in {dialect.title}."""\n\n{joined(cells(asked, dialect))}\n'


def title(asked: Asked) -> str:
    """Return what the script computes, in half a sentence."""
    if asked.draws == GUESSES:
        return f"The {'verdict' if asked.classes else f'likeliest {asked.guesses}s'} of {asked.name}"
    if asked.draws == LENS:
        return f"What each layer of {asked.name} would have said next"
    stack = f"the {asked.place.stack} of " if asked.config.has_two_stacks and not asked.place.cross else ""
    kind = "cross-attention, " if asked.place.cross else ""
    head = f"{kind}{head_label(asked.place.layer, asked.place.head)} of {stack}{asked.name}"
    return TITLES[asked.draws].format(head)


def cells(asked: Asked, dialect: Dialect) -> dict[str, str]:
    """Return the parts of the script, without empty ones, by the names in `ORDER`; a notebook has a cell for each."""
    config = asked.config
    pieces = {
        "parts": [list(dialect.softmax), norm_piece(config), position_piece(config)],
        "attention": [attention_piece(asked, dialect), multi_head_piece(asked)],
        "block": [feed_forward_piece(config, dialect), block_piece(asked)],
        "forward pass": [_forward(asked, dialect)],
        "pattern": [number_lines(asked)],
        "figure": [figure_lines(asked)],
    }
    written = {
        name: "\n\n\n".join(dialect.written(piece) for piece in group if piece) for name, group in pieces.items()
    }
    own = [*[dialect.erf] * bool(dialect.erf and uses_erf(config)), dialect.weights]
    imports = import_lines(dialect, "".join([*own, *written.values()]))
    written["numbers"] = "\n".join([*imports, "", *_facts(asked), *own])  # what people typed stays as it is
    return {name: written[name] for name in ORDER if written[name]}


def _facts(asked: Asked) -> list[str]:
    """Return the lines that name the sizes, this run's tokens, and its edits."""
    config, rows = asked.config, asked.inputs.rows
    lines = [
        *paragraph("CAPTION", caption(asked)),
        "# Layers and heads are counted from 0 below. Shapes: L tokens, Q queries, K keys, V pieces.",
        f"# Names as in Vaswani et al. 2017. The tokens are cut by {_reader(asked)}.",
        f"d_model, h, d_k = {config.d_model}, {config.heads}, {config.key_width}",
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
    lines.append("PATTERNS = {}  # the attention weights (h, Q, K) of each layer, filled on the way")
    return [*lines, "SHOWN = {}  # what is drawn, of all heads of each layer"] if asked.draws in KEEPS else lines


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
        lines += _embedding(config, f"{stack.upper()}_IDS" if config.has_two_stacks else "IDS")
        lines += _mask(asked, stack) + stack_lines(asked, stack)
    return lines + output_lines(asked, dialect)


def _embedding(config: TransformerConfig, ids: str) -> list[str]:
    parts = [f'W["E"][{ids}]{" * math.sqrt(d_model)" * config.scale_embeddings}']
    if config.positions in ("sinusoidal", "binary"):
        parts.append(f"positions(len({ids}))")
    if config.positions == "learned":
        parts.append(f'W["P"][: len({ids})]')
    if config.token_types:
        parts.append('W["token_type"]')
    lines = [f"x = {' + '.join(parts)}  # (L, d_model)"]
    if len(lines[0]) > WIDTH:
        lines = [f"x = {' + '.join(parts[:-1])}  # (L, d_model)", f"x = x + {parts[-1]}"]
    return [*lines, 'x = norm(x, "embed_norm")'] if config.embedding_norm else lines


def _mask(asked: Asked, stack: str) -> list[str]:
    """Return the lines that make the mask of a stack's self-attention; [] if it hides nothing."""
    run, stacks, allowed = asked.run, asked.config.stacks, asked.mask(HeadAddress(stack))
    if allowed is None:
        return []
    masks = run.masks if stack == stacks[-1] else tuple(mask for mask in run.masks if isinstance(mask, PaddingMask))
    real = len(allowed) - (run.pads if stack == stacks[0] else 0)
    lines = [] if allowed.all() else mask_lines(mask_name(asked.config, stack), allowed, masks, real)
    if not (asked.windows and stack == "decoder"):
        if lines[0].endswith("padding"):
            return [lines[0].replace("= j", "= xp.arange(len(x))")]
        if lines[0].startswith("ROWS"):
            return lines
    return ["i, j = xp.arange(len(x))[:, None], xp.arange(len(x))", *lines]
