"""The glossary: what a model costs."""

from core.readings.glossary.term import Term

COSTS = (
    Term(
        "multiply-add",
        "One multiplication and one addition, the unit in which the work of a **matrix** product is counted. Papers "
        "often count the two apart, as two operations (FLOPs).",
        ("multiply-adds",),
        ("architecture/what each part costs", "kv-cache/operations"),
        r"(L \times D) \cdot (D \times F): \; L \cdot D \cdot F",
        code=("core.topics.architecture.analysis.parts.sized_parts", "core.analysis.kv_costs.operations"),
    ),
    Term(
        "backward pass",
        "The way back through a model, from the last part to the first, that works out the **gradient** of every "
        "**parameter**. It needs again much of what each part computed, which is kept for it.",
        (),
        ("architecture/what each part costs",),
        r"\frac{\partial \ell}{\partial x} = \frac{\partial y}{\partial x}^{\!\top} \frac{\partial \ell}{\partial y}",
        "Rumelhart et al. 1986",
        ("core.topics.architecture.analysis.training_costs.kept_bytes",),
    ),
    Term(
        "Adam",
        "The usual rule of training. For each **parameter** it keeps two moments, running means of its **gradient** "
        "and of the gradient's square, and takes a step of the first over the root of the second.",
        ("moments",),
        ("architecture/what each part costs",),
        r"w \leftarrow w - \eta\, \frac{\hat m}{\sqrt{\hat v} + \epsilon}",
        "Kingma & Ba 2015",
        ("core.optim.step.make_optimizer",),
        bold_only=True,
    ),
    Term(
        "grouped queries",
        "Several heads of **queries** share one head of **keys** and **values**. So there are fewer of these to keep "
        "while a text is written.",
        ("grouped-query attention",),
        ("architecture/known models",),
        r"K, V \in \mathbb{R}^{G \times L \times E} \qquad G < H",
        "Ainslie et al. 2023",
        ("core.analysis.kv_costs.kept_numbers",),
    ),
)
