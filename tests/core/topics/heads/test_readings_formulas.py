"""Formulas of heads: the shapes of a run stand under their symbols, and one head is not written as many."""

from core.topics.heads.readings import formulas as formulas


def test_each_formula_has_the_shapes_of_the_run() -> None:
    assert formulas.write_pattern(3, 5) == (
        r"\underset{3 \times 5}{A} = \mathrm{softmax}_{\text{keys}}\Big(\underset{3 \times 5}{S}\Big)"
    )
    assert formulas.write_score(r"A_{i0}", 3, 5) == r"A_{i0} \qquad A \in [0, 1]^{3 \times 5}"
    made = formulas.write_projections(3, 5, 64, 16, 8)
    for part in (
        r"{3 \times 16}{Q}",
        r"{3 \times 64}{X}",
        r"{5 \times 64}{M}",
        r"{5 \times 16}{K}",
        r"{5 \times 8}{V}",
    ):
        assert part in made
    off = formulas.write_ablation(3, 16, 64)
    assert r"\underset{3 \times 16}{z_h} \leftarrow 0" in off and r"\underset{16 \times 64}{W_O^{(h)}}" in off


def test_the_sum_over_heads_counts_them() -> None:
    many, one = formulas.write_contributions(4, 3, 16, 64), formulas.write_contributions(1, 3, 16, 64)
    assert r"\underset{3 \times 64}{[z_1 \cdots z_{4}]}\;\underset{64 \times 64}{W_O}" in many
    assert r"\sum_{h=1}^{4} \underset{3 \times 16}{z_h}" in many
    assert r"\underset{3 \times 16}{z_1}\;\underset{16 \times 64}{W_O}" in one
    assert r"\frac{1}{4} \sum_{h=1}^{4}" in formulas.write_average(4)


def test_rollout_without_residual_connections_has_no_identity_in_it() -> None:
    assert "+ \\tfrac12 I" in formulas.write_rollout(True) and "+ " not in formulas.write_rollout(False)
