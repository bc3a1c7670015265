"""The glossary: what becomes of a signal that goes through many layers or steps."""

from core.readings.glossary.term import Term

DEPTH = (
    Term(
        "vanishing gradient",
        "A **gradient** that shrinks by a factor in each **layer**, or each step, that it goes back through, until the "
        "first ones learn nothing.",
        ("vanishing gradients",),
        ("depth/signal and gradient",),
        r"\frac{\partial L}{\partial x^{(0)}} = J_1^\top J_2^\top \cdots J_N^\top "
        r"\frac{\partial L}{\partial x^{(N)}}",
        "Hochreiter 1991; Bengio et al. 1994",
        ("core.topics.depth.analysis.signal.backward",),
    ),
    Term(
        "exploding gradient",
        "A **gradient** that grows by a factor in each **layer** or step, until a number format cannot hold it.",
        ("exploding gradients",),
        ("depth/signal and gradient",),
        paper="Bengio et al. 1994; Pascanu et al. 2013",
        code=("core.topics.depth.analysis.signal.backward",),
    ),
    Term(
        "eigenvector",
        "A direction that a **matrix** does not turn: a vector along it only becomes longer or shorter.",
        ("eigenvectors",),
        ("depth/power method",),
        r"A\, s = \lambda\, s",
        code=("core.topics.depth.analysis.powers.eigen",),
    ),
    Term(
        "eigenvalue",
        "By how much a **matrix** stretches its **eigenvector**. The eigenvalue of the largest size decides what many "
        "multiplications by the matrix come to.",
        ("eigenvalues",),
        ("depth/powers of a matrix",),
        r"A\, s = \lambda\, s \qquad A^k s = \lambda^k s",
        code=("core.topics.depth.analysis.powers.eigen",),
    ),
    Term(
        "recurrent net",
        "A network that reads one token after another, and keeps what it has read in one row of numbers, its state.",
        ("recurrent nets",),
        ("depth/recurrent net", "translate/ways to write"),
        r"h_t = \tanh(W h_{t-1} + x_t)",
        "Elman 1990",
        ("core.topics.depth.recurrent.through_time",),
    ),
    Term(
        "gate",
        "Numbers between 0 and 1, computed from what is read, that say what share of the old state a **recurrent net** "
        "keeps. Where they are near 1, the **gradient** comes through unchanged.",
        ("gates",),
        ("sequence-to-sequence/gates", "depth/recurrent net"),
        r"h_t = (1 - z) \odot n + z \odot h_{t-1}",
        "Hochreiter & Schmidhuber 1997; Cho et al. 2014",
        ("core.model.recurrent.GRUCell",),
        True,
    ),
)
