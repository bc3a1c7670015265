"""The glossary: attention, its parts, and who may look at whom."""

from core.readings.glossary.term import Term

SIX_STEPS = "self-attention/six steps"
ATTENTION = "core.model.attention.attention"
PROJECT = "core.model.attention.MultiHeadAttention.forward"

ATTENTION_TERMS = (
    Term(
        "attention",
        "Each token collects from other tokens: it takes an average of their **values**, with **attention weights** "
        "that say how well its **query** fits their **keys**.",
        (),
        (SIX_STEPS, "heads/lines"),
        r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V",
        "Bahdanau et al. 2015; Vaswani et al. 2017",
        (ATTENTION,),
    ),
    Term(
        "self-attention",
        "**Attention** in which queries, keys and values are all made from the same text: its tokens look at each "
        "other.",
        (),
        (SIX_STEPS,),
        paper="Vaswani et al. 2017",
        code=(PROJECT,),
    ),
    Term(
        "cross-attention",
        "**Attention** from one text to another: queries come from the **decoder**, keys and values from what the "
        "**encoder** has read. A translation looks at its source this way.",
        (),
        ("translate/alignment", "welcome"),
        r"Q = x_{\mathrm{dec}} W_Q \qquad K = x_{\mathrm{enc}} W_K \qquad V = x_{\mathrm{enc}} W_V",
        "Vaswani et al. 2017",
        (PROJECT,),
    ),
    Term(
        "query",
        "A row of d_k numbers that says what a token looks for. It is compared with the **keys** of all tokens that "
        "may be seen. In pictures, queries are rows.",
        ("queries",),
        (SIX_STEPS, "heads/Q, K, V"),
        r"Q = x W_Q \qquad Q \in \mathbb{R}^{L \times d_k} \qquad W_Q \in \mathbb{R}^{D \times d_k}",
        "Vaswani et al. 2017",
        (PROJECT,),
    ),
    Term(
        "key",
        "A row of d_k numbers that says what a token can be found by. Where it fits a **query**, that query takes "
        "much of the token's **value**. In pictures, keys are columns.",
        ("keys",),
        (SIX_STEPS, "heads/Q, K, V"),
        r"K = x W_K \qquad K \in \mathbb{R}^{L \times d_k}",
        "Vaswani et al. 2017",
        ("core.model.attention.MultiHeadAttention.project_keys_values",),
    ),
    Term(
        "value",
        "A row of d_v numbers: what a token passes on when it is looked at. A head's output is an average of values.",
        ("values",),
        (SIX_STEPS, "heads/Q, K, V"),
        r"V = x W_V \qquad V \in \mathbb{R}^{L \times d_v} \qquad z_i = \sum_j A_{ij} v_j",
        "Vaswani et al. 2017",
        ("core.model.attention.MultiHeadAttention.project_keys_values",),
        bold_only=True,
    ),
    Term(
        "projection",
        "Multiplying a row of numbers by a learned **matrix**. Queries, keys and values are three projections of the "
        "same row.",
        ("projections",),
        (SIX_STEPS,),
        r"q = x W_Q \qquad k = x W_K \qquad v = x W_V",
        code=("core.model.attention.MultiHeadAttention.project_queries",),
    ),
    Term(
        "d_k",
        "How many numbers a **query** and a **key** have in one head; most often d_model divided by the number of "
        "heads. A **value** has d_v numbers, most often as many.",
        ("d_v",),
        ("scaling/variance",),
        r"d_k = d_{\mathrm{model}} / H",
        "Vaswani et al. 2017",
        ("core.model.config.TransformerConfig",),
    ),
    Term(
        "score",
        "One number for a **query** and a **key**: how well they fit. Scores can be any size; a **softmax** over each "
        "row makes weights of them.",
        ("scores", "attention score", "attention scores"),
        (SIX_STEPS, "scaling/four scores"),
        r"s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}} \qquad S \in \mathbb{R}^{L \times L}",
        "Vaswani et al. 2017",
        ("core.model.scores.Dot",),
        bold_only=True,
    ),
    Term(
        "scaling",
        "Dividing each **score** by √d_k. Longer rows have larger **dot products**; without scaling the **softmax** "
        "would give nearly all the weight to one key, and little could be learned.",
        ("scaled dot product",),
        ("scaling/variance", "scaling/weights"),
        r"\operatorname{Var}[q \cdot k] = d_k \quad\Rightarrow\quad "
        r"\operatorname{Var}\left[\frac{q \cdot k}{\sqrt{d_k}}\right] = 1",
        "Vaswani et al. 2017",
        ("core.model.scores.Dot",),
    ),
    Term(
        "additive score",
        "A small network compares **query** and **key** in place of a **dot product**: both are projected and added, "
        "and one number is made of the tanh of the sum.",
        ("additive",),
        ("scaling/four scores",),
        r"s = v^\top \tanh(W_1 q + W_2 k)",
        "Bahdanau et al. 2015",
        ("core.model.scores.Additive",),
    ),
    Term(
        "general score",
        "A **dot product** with one more learned **matrix** between **query** and **key**.",
        (),
        ("scaling/four scores",),
        r"s = q^\top W k",
        "Luong et al. 2015",
        ("core.model.scores.General",),
    ),
    Term(
        "softmax",
        "Turns a row of numbers into shares between 0 and 1 that sum to 1: each is e to the number, divided by the "
        "sum of all of them. The larger a number, the larger its share, and the order stays.",
        (),
        (SIX_STEPS, "self-attention/soft dictionary"),
        r"\mathrm{softmax}(s)_j = \frac{e^{s_j}}{\sum_m e^{s_m}}",
        "Bridle 1990",
        ("core.model.attention.masked_softmax",),
    ),
    Term(
        "attention weight",
        "The share of its attention that a **query** gives to one **key**, from 0 to 1. The weights of a query sum to "
        "1. They say what is mixed, not why a model decides something.",
        ("attention weights", "weight", "weights"),
        ("heads/all heads", "heads/lines"),
        r"A = \mathrm{softmax}(S) \qquad A \in [0, 1]^{L \times L} \qquad \textstyle\sum_j A_{ij} = 1",
        "Bahdanau et al. 2015",
        (ATTENTION,),
        bold_only=True,
    ),
    Term(
        "pattern",
        "All **attention weights** of one head as a picture: a row for each **query**, a column for each **key**.",
        ("patterns", "attention pattern", "attention patterns"),
        ("heads/all heads",),
        r"A \in \mathbb{R}^{H \times L \times L}",
        code=(ATTENTION,),
    ),
    Term(
        "head",
        "One of several attentions that run side by side in a **layer**, each with its own queries, keys and values. "
        "So a token can look for several things at once.",
        ("heads", "attention head", "attention heads"),
        ("heads/all heads", "heads/heads with names"),
        r"\mathrm{out} = \sum_{h=1}^{H} z_h W_O^h \qquad W_O^h \in \mathbb{R}^{d_v \times D}",
        "Vaswani et al. 2017",
        (PROJECT,),
    ),
    Term(
        "output matrix",
        "Written W_O: it turns the outputs of all **heads** of a layer, side by side, into one row of d_model numbers.",
        ("W_O", "output projection"),
        ("heads/what each adds",),
        r"\mathrm{out} = [z_1; \dots; z_H]\, W_O \qquad W_O \in \mathbb{R}^{H d_v \times D}",
        "Vaswani et al. 2017",
        ("core.model.attention.MultiHeadAttention._join",),
    ),
)

MASKS = (
    Term(
        "mask",
        "Says which **keys** a **query** may look at. A hidden pair's **score** becomes −∞ before the **softmax**, so "
        "its weight is exactly 0.",
        ("masks",),
        ("masks/before and after", "masks/wrong ways"),
        r"s_{ij} \leftarrow -\infty \text{ where hidden} \qquad M \in \{0, 1\}^{L \times L}",
        "Vaswani et al. 2017",
        ("core.model.attention.apply_mask",),
    ),
    Term(
        "causal mask",
        "Lets each token look at itself and at earlier tokens only. So a **decoder** cannot see the words that it is "
        "to predict.",
        ("causal",),
        ("masks/leak test", "generate/mask"),
        r"M_{ij} = 1 \iff j \le i",
        "Vaswani et al. 2017",
        ("core.model.masks.causal",),
    ),
    Term(
        "padding mask",
        "Hides **padding** from every **query**, so that a text gives the same numbers alone and in a batch.",
        (),
        ("masks/padding in a batch",),
        code=("core.model.masks.padding",),
    ),
    Term(
        "sliding window",
        "A **mask** that lets each token look at its nearest neighbours only. Where no other pair is computed, the "
        "cost grows with the length of the text, not with its square.",
        (),
        ("masks/before and after",),
        r"M_{ij} = 1 \iff |i - j| \le w",
        "Beltagy et al. 2020",
        ("core.model.masks.sliding_window",),
    ),
    Term(
        "prefix mask",
        "A **causal mask** with an open beginning: every token may look at the whole prefix, and at what came before "
        "it.",
        ("prefix",),
        ("masks/before and after",),
        r"M_{ij} = 1 \iff j \le i \text{ or } j < n",
        "Raffel et al. 2020",
        ("core.model.masks.prefix",),
        bold_only=True,
    ),
)
