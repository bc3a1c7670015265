"""The glossary: what is measured, and heads with names."""

from core.readings.glossary.term import Term

MEASURES = (
    Term(
        "entropy",
        "How spread out shares are, in bits: 0 where one has all, and the most where all are equal; 1 bit is a choice "
        "between two equals.",
        (),
        ("scaling/entropy", "generate/along the text"),
        r"H(p) = -\sum_i p_i \log_2 p_i",
        "Shannon 1948",
        ("core.analysis.heads.entropy",),
    ),
    Term(
        "effective number of keys",
        "How many equally weighted keys would be as spread out as these: 2 to the power of the **entropy**.",
        ("effective keys",),
        ("heads/what heads do",),
        r"2^{H(p)}",
        "Hill 1973",
        ("core.analysis.heads.effective_keys",),
    ),
    Term(
        "surprisal",
        "How unlikely a token was for the model that read it, in bits: 1 at a chance of one half, 10 at about one in "
        "a thousand.",
        (),
        ("generate/along the text", "translate/your French"),
        r"-\log_2 p",
        "Shannon 1948",
        ("core.topics.generate.texts.score_text",),
    ),
    Term(
        "cosine",
        "Whether two rows of numbers point the same way, whatever their lengths: 1 the same way, 0 at right angles, "
        "−1 opposite ways.",
        ("cosines",),
        ("positions/random vectors",),
        r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}",
        code=("core.topics.positions.analysis.orthogonality.random_cosines",),
    ),
    Term(
        "orthogonal",
        "At right angles: two rows of numbers whose **dot product** is 0. In a space of many numbers, two random rows "
        "are nearly so.",
        (),
        ("positions/random vectors",),
        r"a \cdot b = 0",
        code=("core.topics.positions.analysis.orthogonality.density",),
    ),
    Term(
        "variance",
        "How far numbers spread: the mean squared distance from their mean. Its root is the standard deviation.",
        (),
        ("scaling/variance",),
        r"\operatorname{Var}[x] = \operatorname{E}\big[(x - \operatorname{E}[x])^2\big]",
        code=("core.topics.scaling.analysis.measure_variance",),
    ),
    Term(
        "Jacobian",
        "The table of all slopes of a function: how much each number that comes out moves with each number that goes "
        "in.",
        (),
        ("scaling/gradient",),
        r"\text{of a softmax: } \frac{\partial A_i}{\partial s_j} = A_i (\delta_{ij} - A_j)",
        code=("core.topics.scaling.analysis.softmax_rows",),
    ),
    Term(
        "Frobenius norm",
        "The size of a table of numbers: the root of the sum of all their squares.",
        (),
        ("scaling/gradient",),
        r"\lVert J \rVert_F = \sqrt{\textstyle\sum_{ij} J_{ij}^2}",
        code=("core.topics.scaling.analysis.softmax_rows",),
    ),
    Term(
        "symmetric",
        "The same in both directions: what row i has in column j, row j has in column i. The antisymmetric part "
        "changes its sign, and any square **matrix** is the sum of the two.",
        ("antisymmetric",),
        ("self-attention/why it is not symmetric",),
        r"S = \tfrac12 (S + S^\top) + \tfrac12 (S - S^\top)",
        code=("core.analysis.symmetry.split",),
    ),
    Term(
        "Jensen-Shannon divergence",
        "How unlike two sets of shares are, from 0 bits (the same) to 1 bit (nothing in common).",
        (),
        ("heads/what heads do",),
        r"H\big(\tfrac{p + q}{2}\big) - \tfrac12 H(p) - \tfrac12 H(q)",
        "Lin 1991",
        ("core.analysis.heads.similarity",),
    ),
    Term(
        "occlusion",
        "Leaving a word out of a text, or putting a blank in its place, and running the model again: the change of "
        "what it says is that word's effect.",
        ("leaving out",),
        ("sentiment/why",),
        r"m(x) - m(x_{\setminus j})",
        "Zeiler & Fergus 2014, Li et al. 2016",
        ("core.topics.sentiment.reasons.occlusion",),
    ),
    Term(
        "gradient × input",
        "How fast the answer of a model changes with a word's vector, times that vector: an estimate "
        "of what the word adds, good for small changes only.",
        (),
        ("sentiment/why",),
        r"x_j \cdot \nabla_{x_j} m(x)",
        "Shrikumar et al. 2016",
        ("core.topics.sentiment.reasons.reasons",),
    ),
    Term(
        "integrated gradients",
        "The slopes of a model's answer summed along a straight path from a text that says nothing to this one. Over "
        "all words they add up to the difference of the two answers.",
        (),
        ("sentiment/why",),
        r"(x_j - x'_j) \cdot \int_0^1 \nabla_{x_j} m\big(x' + \alpha (x - x')\big)\, d\alpha",
        "Sundararajan et al. 2017",
        ("core.topics.sentiment.reasons.reasons",),
    ),
    Term(
        "rank correlation",
        "Whether two lists put the same things in the same order: 1 the same, −1 the opposite, 0 nothing in common.",
        ("rank correlations",),
        ("sentiment/why",),
        r"\rho = \operatorname{corr}\big(\operatorname{rank}(a), \operatorname{rank}(b)\big)",
        "Spearman 1904",
        ("core.topics.sentiment.analysis.spearman",),
    ),
    Term(
        "rollout",
        "Follows attention through all layers: the **patterns** are averaged over heads, mixed half and half with "
        "each token itself for the **residual connection**, and multiplied.",
        ("attention rollout",),
        ("heads/layers combined",),
        r"\prod_{n} \tfrac12 (\bar A^{(n)} + I)",
        "Abnar & Zuidema 2020",
        ("core.analysis.aggregate.rollout",),
    ),
    Term(
        "ablation",
        "Switching a part off to see what changes: the output of a **head**, or of a whole part of a **layer**, is set "
        "to 0, and the model runs again.",
        ("ablations",),
        ("heads/switch off", "block/take away"),
        paper="Michel et al. 2019",
        code=("core.tracing.edits.ablate_head", "core.topics.block.variants.changed_model"),
    ),
    Term(
        "activation patching",
        "Putting a vector from the run on another text in place of one in this run, to see whether the answer goes "
        "with it. Where it does, the vector holds what decides the answer.",
        ("causal tracing",),
        ("block/patch",),
        r"\mathrm{turn} = \frac{(z_b - z_a)_{\mathrm{patched}} - (z_b - z_a)_A}{(z_b - z_a)_B - (z_b - z_a)_A}",
        "Vig et al. 2020; Meng et al. 2022",
        ("core.topics.block.patching.patch_rows",),
    ),
)

NAMED_HEADS = (
    Term(
        "previous-token head",
        "A **head** in which each token looks at the one just before it.",
        ("previous-token heads",),
        ("heads/heads with names",),
        paper="Elhage et al. 2021",
        code=("core.analysis.heads.previous_token_score",),
    ),
    Term(
        "induction head",
        "A **head** that looks for the last time the same token stood in the text, and at what followed it then. It "
        "lets a model continue what it has seen once.",
        ("induction heads",),
        ("heads/heads with names",),
        paper="Olsson et al. 2022",
        code=("core.analysis.heads.induction_score",),
    ),
    Term(
        "duplicate-token head",
        "A **head** in which a repeated token looks at its earlier copies.",
        ("duplicate-token heads",),
        ("heads/heads with names",),
        paper="Wang et al. 2023",
        code=("core.analysis.heads.duplicate_token_score",),
    ),
)
