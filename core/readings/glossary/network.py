"""The glossary: the parts of a transformer around attention, and kinds of models."""

from core.readings.glossary.term import Term

BLOCK = "core.model.layers.Block.forward"

PARTS = (
    Term(
        "layer",
        "One round of **attention** and then a **feed-forward layer**, also called a block. Layers of one form, each "
        "with weights of its own, work one after the other.",
        ("layers", "block", "blocks"),
        ("block/residual stream", "heads/layers combined"),
        code=(BLOCK,),
    ),
    Term(
        "residual connection",
        "What a part of a **layer** computes is added to what came in, and does not replace it. So a token keeps what "
        "it has, and training reaches the first layers.",
        ("residual connections",),
        ("block/residual stream", "journey"),
        r"x \leftarrow x + f(x) \qquad x \in \mathbb{R}^{L \times D}",
        "He et al. 2016",
        (BLOCK,),
    ),
    Term(
        "residual stream",
        "The rows of numbers that run from the **embedding** to the last layer. Every part reads them and adds to "
        "them.",
        ("stream",),
        ("block/residual stream", "generate/layer by layer"),
        r"x^{(n+1)} = x^{(n)} + \mathrm{attention} + \mathrm{feed\ forward}",
        "Elhage et al. 2021",
        ("core.model.transformer.Transformer.run_stack",),
    ),
    Term(
        "layer norm",
        "Moves each token's row to mean 0 and variance 1, then stretches and shifts it by learned numbers. It keeps "
        "the numbers in range from layer to layer.",
        ("LayerNorm", "norm", "norms"),
        ("journey",),
        r"\frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \odot \gamma + \beta",
        "Ba et al. 2016",
        ("core.model.layers.make_norm",),
    ),
    Term(
        "RMSNorm",
        "A simpler **layer norm**: each row is divided by the root of its mean square. The mean is not taken away.",
        (),
        ("journey",),
        r"\frac{x}{\sqrt{\tfrac1D \sum_i x_i^2 + \epsilon}} \odot \gamma",
        "Zhang & Sennrich 2019",
        ("core.model.layers.make_norm",),
    ),
    Term(
        "pre-norm",
        "The **layer norm** stands before each part, inside the **residual connection**. In post-norm, the first "
        "design, it stands after the sum. Pre-norm is easier to train.",
        ("post-norm",),
        ("journey",),
        r"\text{pre: } x + f(\mathrm{norm}(x)) \qquad \text{post: } \mathrm{norm}(x + f(x))",
        "Vaswani et al. 2017; Xiong et al. 2020",
        (BLOCK,),
    ),
    Term(
        "feed-forward layer",
        "The second part of each **layer**: a small network that works on each token's row alone. It widens the row "
        "to d_ff numbers, bends them by an **activation**, and comes back to d_model.",
        ("feed-forward", "d_ff"),
        ("journey",),
        r"\mathrm{ffn}(x) = f(x W_1 + b_1)\, W_2 + b_2 \qquad W_1 \in \mathbb{R}^{D \times d_{\mathrm{ff}}}",
        "Vaswani et al. 2017",
        ("core.model.layers.FeedForward",),
    ),
    Term(
        "neuron",
        "One of the d_ff hidden numbers of a **feed-forward layer**. How much it fires, its **activation**, depends on "
        "the token's row; it then adds a row of its own, times that number, to the layer's output.",
        ("neurons",),
        ("block/neurons", "block/any order"),
        r"\mathrm{ffn}(x) = \sum_{i=1}^{d_{\mathrm{ff}}} h_i w_i + b_2",
        "Geva et al. 2021",
        ("core.topics.block.neurons.neurons",),
    ),
    Term(
        "activation",
        "A bent line applied to each number, such as ReLU, which turns negative numbers to 0. Without one, two "
        "matrices in a row would be no more than one.",
        (),
        ("journey",),
        r"\mathrm{ReLU}(x) = \max(0, x)",
        "Hendrycks & Gimpel 2016 (GELU); Shazeer 2020 (SwiGLU)",
        ("core.model.layers.FeedForward",),
    ),
    Term(
        "convolution",
        "Mixes each token's row with those of its nearest neighbours, k of them, by the same **matrices** at every "
        "place. A dilated convolution leaves gaps between them, so a stack of few **layers** sees far.",
        ("convolutions", "dilated convolution"),
        ("layer-costs/path length",),
        r"y_i = \sum_{j=0}^{k-1} W_j\, x_{i-(k-1-j)} \qquad W_j \in \mathbb{R}^{D \times D}",
        "LeCun et al. 1989; Yu & Koltun 2016",
        ("core.model.layer_kinds.CausalConvolution",),
    ),
    Term(
        "unembedding",
        "The last **matrix**: it turns a token's row into one **logit** for each **piece**. Where embeddings are "
        "tied, it is the **embedding** table again.",
        ("tied embeddings",),
        ("generate/layer by layer",),
        r"\mathrm{logits} = x\, E^\top \qquad E \in \mathbb{R}^{V \times D}",
        "Press & Wolf 2017",
        ("core.model.transformer.Transformer.logits",),
    ),
    Term(
        "parameter",
        "A number that training sets, such as each entry of a **matrix** of the model. Also called a weight of the "
        "model, which is not an **attention weight**.",
        ("parameters",),
        ("scaling/four scores",),
        code=("core.model.transformer.parameter_count",),
    ),
    Term(
        "gradient",
        "How much, and in which direction, a result changes when a number before it changes a little. Training "
        "follows it; where it is 0, nothing is learned.",
        ("gradients",),
        ("scaling/gradient",),
        code=("core.topics.scaling.analysis.softmax_rows",),
    ),
    Term(
        "grokking",
        "A model that is trained on few examples again and again first learns them by heart. Long after, and quite "
        "suddenly, it finds the rule behind them, and answers what it never saw.",
        (),
        ("lab/recorded runs",),
        paper="Power et al. 2022",
        code=("core.lab.findings.find_modular",),
    ),
    Term(
        "random weights",
        "A model before training: every **parameter** is drawn by chance. All that is computed is real, and means "
        "nothing yet.",
        (),
        ("welcome", "heads/all heads"),
        code=("core.model.layers.initialise",),
    ),
)

MODELS = (
    Term(
        "transformer",
        "A network made of **layers** of **attention** and feed-forward parts. It reads all tokens of a text at once, "
        "where earlier networks read one after the other.",
        ("transformers",),
        ("journey",),
        paper="Vaswani et al. 2017",
        code=("core.model.transformer.Transformer.run_stack",),
    ),
    Term(
        "encoder",
        "A stack of **layers** that reads a whole text; every token may look at every other.",
        ("encoders",),
        ("translate/step by step",),
        paper="Vaswani et al. 2017",
        code=("core.model.transformer.Transformer.forward",),
    ),
    Term(
        "decoder",
        "A stack of **layers** that writes a text: under a **causal mask**, each token sees only what came before, "
        "and the last one predicts the next.",
        ("decoders",),
        ("generate/next word", "translate/step by step"),
        paper="Vaswani et al. 2017",
        code=("core.model.transformer.Transformer.forward",),
    ),
    Term(
        "encoder-decoder",
        "An **encoder** reads one text, and a **decoder** writes another, looking at the first by **cross-attention**.",
        ("encoder-decoders",),
        ("translate/step by step",),
        paper="Sutskever et al. 2014; Vaswani et al. 2017",
        code=("core.model.transformer.Transformer.forward",),
    ),
    Term(
        "translator",
        "The model here that turns English into French: an **encoder-decoder**, trained for this app on pairs of "
        "sentences.",
        (),
        ("welcome", "translate/step by step"),
        code=("core.model.transformer.Transformer.forward",),
    ),
    Term(
        "GRU",
        "Gated recurrent unit: a network that reads a text token by token and keeps one **hidden state**. Two "
        "**gates** say, number by number, what of the old state stays.",
        ("GRUs",),
        ("sequence-to-sequence/gates",),
        r"h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1}",
        "Cho et al. 2014",
        ("core.model.recurrent.GRUCell",),
    ),
    Term(
        "hidden state",
        "The row of numbers that a **GRU** carries from token to token: all that it still knows of what it has read.",
        ("hidden states",),
        ("sequence-to-sequence/hidden states",),
        paper="Elman 1990",
        code=("core.model.recurrent.GRUCell.forward",),
    ),
    Term(
        "language model",
        "A model that gives every **piece** of its **vocabulary** a chance to come next. Drawing one again and again "
        "writes a text.",
        ("language models",),
        ("generate/next word",),
        paper="Shannon 1948; Bengio et al. 2003",
        code=("core.model.transformer.Transformer.logits",),
    ),
    Term(
        "masked language model",
        "A model that guesses the **piece** hidden by each [MASK] from what stands on both sides. It cannot write on, "
        "as a **language model** does.",
        ("masked language models",),
        ("journey", "words-in-context/layer by layer"),
        paper="Devlin et al. 2019",
        code=("core.topics.journey.guesses.guesses", "core.model.transformer.Transformer.logits"),
    ),
)
