"""The computations of heads, in LaTeX with the shapes of a run: E is the width of a head, D that of the model."""

from core.readings.words import latex_softmax

ATTN_OUT = r"\text{attn\_out}"


def write_pattern(queries: int, keys: int, sink: bool = False) -> str:
    """Write the softmax over keys that makes the pattern (Q, K).

    sink: whether it has a sink logit beside the keys.
    """
    pattern, scores = _shaped("A", queries, keys), _shaped("S", queries, keys)
    softmax = latex_softmax(sink) if sink else r"\mathrm{softmax}_{\text{keys}}"
    return rf"{pattern} = {softmax}\Big({scores}\Big)"


def write_score(formula: str, queries: int, keys: int, divided: bool = False) -> str:
    """Write the formula of a descriptor, with the shape of the pattern A (Q, K).

    divided: whether each row is divided by its sum first, since a sink logit takes a part of it.
    """
    first = r"A_{ij} \leftarrow A_{ij} \Big/ \sum_{k} A_{ik} \qquad " if divided else ""
    return rf"{first}{formula} \qquad A \in [0, 1]^{{{queries} \times {keys}}}"


def write_projections(queries: int, keys: int, d_model: int, d_k: int, d_v: int) -> str:
    """Write how Q (Q, E), K (K, E) and V (K, Ev) are made from the tokens of the queries, X, and of the keys, M."""
    return (
        rf"{_shaped('Q', queries, d_k)} = {_shaped('X', queries, d_model)}\;{_shaped('W_Q', d_model, d_k)} + b_Q "
        rf"\qquad {_shaped('K', keys, d_k)} = {_shaped('M', keys, d_model)}\,W_K + b_K "
        rf"\qquad {_shaped('V', keys, d_v)} = M\,W_V + b_V"
    )


def write_contributions(heads: int, queries: int, width: int, d_model: int) -> str:
    """Write the output (Q, D) as one product, and as the sum of the heads' contributions."""
    joined = _shaped(rf"[z_1 \cdots z_{{{heads}}}]" if heads > 1 else "z_1", queries, heads * width)
    return (
        rf"{_shaped(ATTN_OUT, queries, d_model)} = {joined}\;{_shaped('W_O', heads * width, d_model)} + b_O "
        rf"\qquad = \sum_{{h=1}}^{{{heads}}} {_one_head(queries, width, d_model)} + b_O"
    )


def write_ablation(queries: int, width: int, d_model: int) -> str:
    """Write the output (Q, D) without the heads that are off."""
    return (
        rf"{_shaped('z_h', queries, width)} \leftarrow 0 \;\text{{ for each head }} h \text{{ that is off}}"
        rf"\qquad {_shaped(ATTN_OUT, queries, d_model)} = \sum_{{h \text{{ on}}}} "
        rf"{_one_head(queries, width, d_model)} + b_O"
    )


def write_average(heads: int) -> str:
    """Write the average over the heads of one layer."""
    return rf"\bar A = \frac{{1}}{{{heads}}} \sum_{{h=1}}^{{{heads}}} A^{{(h)}}"


def write_rollout(residual: bool) -> str:
    """Write attention rollout through the layers, with residual connections or without."""
    half = r"\tfrac12 \bar A_n + \tfrac12 I" if residual else r"\bar A_n"
    return rf"R_n = \left({half}\right) R_{{n-1}} \qquad R_0 = I"


def _one_head(queries: int, width: int, d_model: int) -> str:
    return rf"{_shaped('z_h', queries, width)}\;{_shaped('W_O^{(h)}', width, d_model)}"


def _shaped(symbol: str, rows: int, columns: int) -> str:
    return rf"\underset{{{rows} \times {columns}}}{{{symbol}}}"
