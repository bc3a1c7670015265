"""The glossary: from a text to rows of numbers, and where the rows stand."""

from core.readings.glossary.term import Term

TEXT = (
    Term(
        "token",
        "One unit of text that the model reads or writes: a word, a part of one, or a mark. Each token becomes one "
        "row of numbers.",
        ("tokens",),
        ("tokens/all tokenizers", "journey"),
        code=("core.text.tokenizer.Tokenizer.encode",),
    ),
    Term(
        "piece",
        "The letters of a **token**, as they stand in the **vocabulary**. A frequent word is one piece; a rare word "
        "is put together from several.",
        ("pieces",),
        ("tokens/all tokenizers", "journey"),
        paper="Sennrich et al. 2016; Kudo 2018",
        code=("core.text.tokenizer.Tokenizer.pieces",),
    ),
    Term(
        "end token",
        "The **token** behind the last word, shown as “(end)”. It tells a reading model where the text ends; a model "
        "that writes it stops there. **Heads** often rest on it where no word matters to them.",
        ("end tokens",),
        ("welcome", "translate/step by step"),
        code=("core.decoding.beam.beam_search",),
    ),
    Term(
        "tokenizer",
        "The program that cuts a text into **pieces** and gives each its **id**, and puts a text together from ids "
        "again. It is made once, from much text, before the model is trained.",
        ("tokenizers",),
        ("tokens/all tokenizers", "journey"),
        paper="Kudo & Richardson 2018",
        code=("core.text.tokenizer.Tokenizer.encode", "core.text.tokenizer.Tokenizer.decode"),
    ),
    Term(
        "vocabulary",
        "The fixed list of all **pieces** that a model knows. Every text that it reads or writes is put together from "
        "them.",
        (),
        ("tokens/all tokenizers", "generate/next word"),
        formula=r"V = \text{number of pieces}",
        code=("core.text.tokenizer.Tokenizer.load",),
    ),
    Term(
        "id",
        "The number of a **piece** in the **vocabulary**. Ids are names: 17 is not more than 16.",
        ("ids", "token id", "token ids"),
        ("tokens/all tokenizers", "journey"),
        code=("core.text.tokenizer.Tokenizer.ids",),
    ),
    Term(
        "BPE",
        "Byte pair encoding, a way to learn **pieces**: it begins with single characters and joins the most frequent "
        "pair of neighbours, again and again. A text is cut by the same merges in the same order.",
        ("byte pair encoding",),
        ("tokens/how BPE got there",),
        paper="Sennrich et al. 2016",
        code=("core.text.segmentations.merges",),
    ),
    Term(
        "unigram tokenizer",
        "A **tokenizer** in which each **piece** has a probability. Of all ways to cut a text it takes the one with "
        "the largest product.",
        ("unigram",),
        ("tokens/how unigram chose",),
        r"P(x_1 \ldots x_m) = \prod_{i=1}^{m} p(x_i)",
        "Kudo 2018",
        ("core.text.segmentations.lattice", "core.text.segmentations.best"),
    ),
    Term(
        "lattice",
        "All **pieces** that fit into a text, each as an arc between two places in it. A way along arcs from the "
        "first place to the last is one way to cut the text.",
        (),
        ("tokens/how unigram chose",),
        code=("core.text.segmentations.lattice",),
    ),
    Term(
        "Viterbi search",
        "Finds the best way through a **lattice** without trying all of them: for each place, from left to right, it "
        "keeps only the best way there.",
        ("Viterbi",),
        ("tokens/how unigram chose",),
        r"\delta_j = \max_{i<j} \big(\delta_i + \log p(x_{i \ldots j})\big)",
        "Viterbi 1967",
        ("core.text.segmentations.best",),
    ),
    Term(
        "one-hot",
        "A row as long as the **vocabulary** with a single 1, at the **id**, and zeros elsewhere. Multiplied by the "
        "**embedding table**, it gives the row of that id.",
        ("one-hot vector",),
        ("tokens/one-hot against dense",),
        r"e_i\, E = E_i \qquad e_i \in \{0, 1\}^{1 \times V}",
        code=("core.topics.tokens.one_hot.one_hot",),
    ),
    Term(
        "embedding",
        "The row of d_model numbers that stands for a **piece**. All rows together are a table, learned in training; "
        "a token's **id** says which row is taken.",
        ("embeddings", "embedding table"),
        ("tokens/one-hot against dense", "journey"),
        r"x_i = E_{\mathrm{id}(i)} \qquad E \in \mathbb{R}^{V \times D}",
        "Bengio et al. 2003",
        ("core.model.transformer.Transformer.embed_ids",),
    ),
    Term(
        "d_model",
        "How many numbers stand for each token between the layers: the width of the **residual stream**. It is "
        "written D in shapes.",
        (),
        ("journey",),
        r"x \in \mathbb{R}^{L \times D} \qquad D = d_{\mathrm{model}}",
        "Vaswani et al. 2017",
        ("core.model.attention_positions.RelativeBias", "core.model.attention_positions.relative_bucket"),
    ),
    Term(
        "tensor",
        "A table of numbers with any number of directions: a row has one, a matrix two, the **attention weights** of "
        "all heads three. Its sizes, in order, are its shape.",
        ("tensors",),
        ("journey",),
        code=("core.tracing.trace.trace",),
    ),
    Term(
        "matrix",
        "A table of numbers in rows and columns. Multiplying a row of numbers by a matrix gives another row: each new "
        "number is a weighted sum of the old ones.",
        ("matrices",),
        ("positions/shift",),
        code=("core.model.layers.FeedForward",),
        bold_only=True,
    ),
    Term(
        "dot product",
        "Multiply two rows of numbers place by place and add up. Drawn as arrows of fixed length, it is largest where "
        "they point the same way, and 0 where they stand at right angles.",
        ("dot products",),
        ("positions/how alike", "scaling/variance"),
        r"q \cdot k = \sum_{i=1}^{d_k} q_i k_i",
        code=("core.model.scores.Dot",),
    ),
    Term(
        "padding",
        "Filler tokens that make the texts of a batch equally long. They mean nothing, so a **padding mask** hides "
        "them.",
        ("padding token", "padding tokens"),
        ("masks/padding in a batch",),
        code=("core.model.masks.padding",),
    ),
)

POSITIONS = (
    Term(
        "position",
        "Where a token stands in the text, counted from 0. **Attention** alone does not know it, so a model is told: "
        "by numbers added to the **embedding**, by turning queries and keys, or by a penalty on distance.",
        ("positions", "position encoding", "position encodings", "positional encoding"),
        ("positions/heatmap", "positions/shuffle"),
        paper="Vaswani et al. 2017",
        code=("core.model.transformer.Transformer.position_table",),
    ),
    Term(
        "sinusoidal positions",
        "Each position has a fixed row of sines and cosines, from fast waves to slow ones, which is added to the "
        "**embedding**. Nothing is learned.",
        ("sinusoidal",),
        ("positions/waves", "positions/heatmap"),
        r"PE(p, 2i) = \sin\frac{p}{10000^{2i/D}} \qquad PE(p, 2i+1) = \cos\frac{p}{10000^{2i/D}}",
        "Vaswani et al. 2017",
        ("core.model.positions.sinusoidal",),
    ),
    Term(
        "learned positions",
        "Each position has a row of a table that training changes like any other weight; it is added to the "
        "**embedding**. Past the end of the table there is none.",
        ("learned",),
        ("positions/heatmap",),
        paper="Gehring et al. 2017",
        code=("core.model.transformer.Transformer.position_table",),
        bold_only=True,
    ),
    Term(
        "binary positions",
        "The position written in zeros and ones, one digit for each number of the row, and added to the "
        "**embedding**. Shown for comparison; models in use do not have it.",
        ("binary",),
        ("positions/heatmap",),
        code=("core.model.positions.binary",),
        bold_only=True,
    ),
    Term(
        "rotary positions",
        "Nothing is added: pairs of numbers of each **query** and **key** are turned by an angle that grows with the "
        "position. Turned so, their **dot product** depends on how far apart they stand, not on where.",
        ("rotary", "RoPE"),
        ("positions/shift",),
        r"(R_p\, q) \cdot (R_s\, k) = (R_{p-s}\, q) \cdot k",
        "Su et al. 2021",
        ("core.model.positions.rotate", "core.model.positions.apply_rotary"),
    ),
    Term(
        "ALiBi",
        "Attention with linear biases: each **score** loses a little for each step between query and key. How much is "
        "fixed, and different for each head.",
        (),
        ("positions/heatmap", "positions/longer texts"),
        r"s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}} - m\,|i - j|",
        "Press et al. 2022",
        ("core.model.positions.alibi_bias", "core.model.positions.alibi_slopes"),
    ),
    Term(
        "relative positions",
        "Each **score** gains a learned number that depends on the head and on how far apart query and key stand: one "
        "for each short distance, one for all of a range of longer ones.",
        ("relative",),
        ("architecture/drawing",),
        r"s_{ij} = q_i \cdot k_j + b_{\mathrm{bucket}(j - i)}",
        "Raffel et al. 2020",
        ("core.model.attention_positions.RelativeBias", "core.model.attention_positions.relative_bucket"),
        bold_only=True,
    ),
)
