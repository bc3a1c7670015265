"""Formulas as MathML, which a browser draws without a script."""

from latex2mathml.converter import convert


def mathml(latex: str, display: bool = False) -> str:
    """Return a formula as a MathML element."""
    return str(convert(latex, display="block" if display else "inline"))


def mathml_parts(latex: str) -> list[str]:
    r"""Return the parts of a formula, which \qquad separates, as MathML elements that stand in blocks of their own."""
    return [mathml(part, display=True) for part in latex.split(r"\qquad")] if latex else []
