"""Sentences and formulas about powers of a matrix, the power method and recurrent networks, made from their numbers."""

import math

from core.readings.words import SUPERSCRIPTS, number, percent, plural

ROUNDING = 1e-14  # share of the first singular value below which an SVD in float64 finds only rounding


def read_power(power: int, dominant: float, stretch: float, expected: float) -> str:
    """Say whether the k-th power of A grows or shrinks, and its size beside the value in theory.

    power: k.
    dominant: |λ₁|, the absolute value of the dominant eigenvalue.
    stretch: ‖Aᵏ‖.
    expected: |λ₁|ᵏ.
    """
    trend = "shrinks" if dominant < 1 else "grows" if dominant > 1 else "stays"
    sizes = f"‖A{_power(power)}‖ = {number(stretch)}, and {dominant:g}{_power(power)} = {number(expected)}"
    return f"With |λ₁| = {dominant:g} the power {trend}: {sizes}."


def read_flat(flat: float, power: int) -> str:
    """Say whether all columns of the k-th power of A point the same way.

    flat: the second singular value of that power as a share of the first.
    power: k.
    """
    size = "0 to rounding" if flat < ROUNDING else f"{number(flat, 2)} of the first"
    share = f"The second singular value of A{_power(power)} is {size}"
    if flat < 0.01:
        return f"{share}: all its columns point the same way, and whatever goes in, one direction comes out."
    return f"{share}: its columns do not all point the same way."


def read_method(step: int, angle: float, factor: float, rate: float) -> str:
    """Say how far the vector of the power method is from the eigenvector that torch.linalg finds.

    step: number of steps done.
    angle: the angle between the two.
    factor: the angle divided by that of the step before; NaN if there is none.
    rate: |λ₂/λ₁|, the factor in theory.
    """
    sentence = f"At step {step} the vector is {_degrees(angle)} from the eigenvector"
    if not math.isnan(factor):
        sentence += f", {number(factor)} times that of the step before (|λ₂/λ₁| = {number(rate)})"
    return f"{sentence}."


def read_quotient(quotient: float, eigenvalue: float) -> str:
    """Say the dominant eigenvalue by Rayleigh's quotient, beside `eigenvalue`, the one that torch.linalg finds."""
    return f"Rayleigh's quotient is {quotient:.6f}; torch.linalg.eig finds λ₁ = {eigenvalue:.6f}."


def read_no_limit(turns: bool, alike: int, step: int, angle: float) -> str:
    """Say why the vectors of the power method do not converge, or not to one line.

    turns: whether the two largest eigenvalues are a complex pair.
    alike: number of eigenvalues that equal the dominant one.
    step: number of steps done.
    angle: the angle by which the vector turned in the last step; NaN if there was no step.
    """
    moved = "" if math.isnan(angle) else f", by {_degrees(angle)} at step {step}"
    if turns:
        return f"The two largest eigenvalues are a complex pair of one size: the vector never stops turning{moved}."
    if alike > 1:
        return (
            "λ₂ = λ₁, so a whole plane consists of eigenvectors: the vector settles on one of them, and which one "
            "depends on the start."
        )
    return f"λ₂ = −λ₁, of one size: the vector keeps flipping between two directions{moved}."


def read_gate(steps: int, plain: float, gated: float, keeps: float) -> str:
    """Say how much of the last state's gradient reaches the first state, in a plain recurrent network and a gated one.

    steps: number of steps between the two states.
    plain, gated: the norm of the gradient at the first state, in each network.
    keeps: the share of the old state that the gate keeps at each step.
    """
    return (
        f"Through {plural(steps, 'step')} the gradient becomes {number(plain, 2)} in the plain net and "
        f"{number(gated, 2)} with a gate, which keeps {percent(keeps)} of the old state at each step."
    )


def note_repeated(tokens: int, steps: int) -> str | None:
    """Say that a text with fewer tokens than steps is read again from its first token; None if it has enough."""
    return (
        f"The text has {plural(tokens, 'token')} and is read again from the first, up to step {steps}."
        if tokens < steps
        else None
    )


def write_powers(size: int) -> str:
    """Write in LaTeX why the powers of a matrix with `size` rows follow its dominant eigenvalue."""
    return (
        rf"A = S \Lambda S^{{-1}} \in \mathbb{{R}}^{{{size} \times {size}}} \qquad A^k = S \Lambda^k S^{{-1}} "
        r"\approx \lambda_1^k\, s_1 w_1^\top"
    )


def write_method(size: int) -> str:
    """Write in LaTeX a step of the power method on a matrix with `size` rows, its error, and Rayleigh's quotient."""
    return (
        rf"x \leftarrow \frac{{A x}}{{\lVert A x \rVert}} \quad x \in \mathbb{{R}}^{{{size}}} \qquad "
        r"\text{angle}_k \sim \left|\frac{\lambda_2}{\lambda_1}\right|^k \qquad \lambda_1 \approx x^\top A x"
    )


def write_recurrent(units: int) -> str:
    """Write in LaTeX a step of the plain and of the gated network, and the gradient through the plain one.

    units: the number of units in each.
    """
    return (
        rf"h_t = \tanh(W h_{{t-1}} + x_t) \quad W \in \mathbb{{R}}^{{{units} \times {units}}} \qquad "
        r"\frac{\partial h_T}{\partial h_t} = \prod_{s > t} \mathrm{diag}(1 - h_s^2)\, W \qquad "
        r"\text{gated: } h_t = (1 - z) \odot n + z \odot h_{t-1}"
    )


def _power(power: int) -> str:
    return str(power).translate(SUPERSCRIPTS)


def _degrees(angle: float) -> str:
    return f"{number(math.degrees(angle))}°"
