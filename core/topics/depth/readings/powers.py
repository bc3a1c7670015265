"""Sentences and formulas about powers of a matrix, the power method and recurrent networks, made from their numbers."""

import math

from core.readings.words import SUPERSCRIPTS, number, percent, plural

ROUNDING = 1e-14  # share of the first singular value below which an SVD in float64 finds only rounding
FORGOTTEN, FORGOTTEN_FACTOR = 0.01, 10  # less of a gradient is nearly nothing; a gate has to leave ten times as much
MIN_DEGREES = 0.001  # degrees below which a headline does not write out an angle


def read_power(power: int, dominant: float, stretch: float, expected: float) -> tuple[str, str]:
    """Return sentences on whether a vector multiplied by A k times grows or shrinks, and on ‖Aᵏ‖ beside theory.

    power: k.
    dominant: |λ₁|, the absolute value of the dominant eigenvalue.
    stretch: ‖Aᵏ‖.
    expected: |λ₁|ᵏ.
    """
    trend = "neither fades away nor grows without end"
    if dominant != 1:
        trend = "fades away" if dominant < 1 else "grows without end"
    length = (
        f"after {plural(power, 'time')} it has at most {number(stretch)} {'of' if stretch <= 1 else 'times'} its length"
    )
    sizes = f"‖A{_power(power)}‖ = {number(stretch)}, and {dominant:g}{_power(power)} = {number(expected)}"
    return (
        f"Multiplied by the same matrix again and again, a vector {trend}: {length}.",
        f"With |λ₁| = {dominant:g}, {sizes}.",
    )


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


def read_method(step: int, angle: float, factor: float, rate: float) -> list[str]:
    """Return sentences on how far the vector of the power method is from the eigenvector that torch.linalg finds.

    step: number of steps done.
    angle: the angle between the two.
    factor: the angle divided by that of the step before; NaN if there is none.
    rate: |λ₂/λ₁|, the factor in theory.
    """
    when = f"after {plural(step, 'step')}" if step else "before the first step"
    away = _degrees(angle) if math.degrees(angle) >= MIN_DEGREES else f"less than {MIN_DEGREES}°"
    headline = f"Multiplied by A again and again, almost every vector turns to one line: {when} it is {away} away."
    exact = f"At step {step} the angle is {_degrees(angle)}"
    if math.isnan(factor):
        return [headline] if math.degrees(angle) >= MIN_DEGREES else [headline, f"{exact}."]
    return [headline, f"{exact}, {number(factor)} times that of the step before (|λ₂/λ₁| = {number(rate)})."]


def read_quotient(quotient: float, eigenvalue: float) -> str:
    """Say the dominant eigenvalue by Rayleigh's quotient, beside `eigenvalue`, the one that torch.linalg finds."""
    return f"Rayleigh's quotient is {quotient:.6f}; torch.linalg.eig finds λ₁ = {eigenvalue:.6f}."


def read_no_limit(turns: bool, alike: int, step: int, angle: float) -> tuple[str, str]:
    """Return sentences on how the vectors of the power method fail to converge, or to one line, and why.

    turns: whether the two largest eigenvalues are a complex pair.
    alike: number of eigenvalues that equal the dominant one.
    step: number of steps done.
    angle: the angle by which the vector turned in the last step; NaN if there was no step.
    """
    moved = "" if math.isnan(angle) else f", by {_degrees(angle)} at step {step}"
    if turns:
        return f"The vector never stops turning{moved}.", "The two largest eigenvalues are a complex pair of one size."
    if alike > 1:
        headline = "The vector settles on one direction, and which one depends on the start."
        return headline, "λ₂ = λ₁, so a whole plane consists of eigenvectors."
    return f"The vector keeps flipping between two directions{moved}.", "λ₂ = −λ₁, of one size."


def read_gate(steps: int, plain: float, gated: float, keeps: float) -> tuple[str, str]:
    """Return sentences on how much of the last state's gradient reaches the first, in a plain network and a gated one.

    steps: number of steps between the two states.
    plain, gated: the norm of the gradient at the first state, in each network.
    keeps: the share of the old state that the gate keeps at each step.
    """
    left = "as much of the gradient is left with a gate as without"
    if plain != gated:
        left = f"{'more' if gated > plain else 'less'} of the gradient is left with a gate than without"
    headline = f"Going back {plural(steps, 'step')}, {left}."
    if plain < FORGOTTEN <= gated / FORGOTTEN_FACTOR and math.isfinite(gated):
        headline = (
            "Without a gate the start is as good as forgotten: "
            f"{percent(plain)} of the gradient comes back to it; with a gate {percent(gated)} does."
        )
    return (
        headline,
        f"Through {plural(steps, 'step')} the gradient becomes {number(plain, 2)} in the plain net and "
        f"{number(gated, 2)} with a gate, which keeps {percent(keeps)} of the old state at each step.",
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
