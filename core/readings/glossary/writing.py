"""The glossary: how a model chooses what to write."""

from core.readings.glossary.term import Term

WRITING = (
    Term(
        "logit",
        "The number that a model gives a **piece** for coming next, before it becomes a chance. Any size; only the "
        "differences count. A **softmax** over the vocabulary makes chances of logits.",
        ("logits",),
        ("generate/next word",),
        r"\ell \in \mathbb{R}^{V} \qquad p = \mathrm{softmax}(\ell)",
        code=("core.model.transformer.Transformer.logits",),
    ),
    Term(
        "temperature",
        "What the **logits** are divided by before the **softmax**. Below 1 the likeliest wins more often; above 1 "
        "chances come closer to each other; at 0 the likeliest is always taken.",
        (),
        ("generate/next word",),
        r"p = \mathrm{softmax}(\ell / T)",
        "Ackley et al. 1985",
        ("core.decoding.filters.temperature",),
    ),
    Term(
        "top-k",
        "Only the k likeliest tokens may be drawn; all others get a chance of 0.",
        (),
        ("generate/next word",),
        paper="Fan et al. 2018",
        code=("core.decoding.filters.top_k",),
    ),
    Term(
        "repetition penalty",
        "Divides the positive **logits** of all tokens that the text has already, and multiplies the negative ones, so "
        "that they become less likely. At 1 it is off.",
        (),
        ("generate/next word",),
        paper="Keskar et al. 2019",
        code=("core.decoding.filters.repetition_penalty",),
    ),
    Term(
        "top-p",
        "Only the smallest group of the likeliest tokens whose chances sum to at least p may be drawn. The group is "
        "small where the model is sure.",
        ("nucleus sampling",),
        ("generate/next word",),
        paper="Holtzman et al. 2020",
        code=("core.decoding.filters.top_p",),
    ),
    Term(
        "greedy",
        "Always write the likeliest next token. It is quick, but a good beginning can lead to a worse whole.",
        ("greedy search",),
        ("translate/ways to write",),
        code=("core.decoding.greedy.continuation",),
    ),
    Term(
        "sample",
        "A text whose every token was drawn at random by its chance. Another **seed** gives another text.",
        ("samples", "sampling"),
        ("generate/many texts",),
        code=("core.decoding.sampling.draw",),
        bold_only=True,
    ),
    Term(
        "seed",
        "The number that random draws begin with. The same seed gives the same draws.",
        ("seeds",),
        ("generate/many texts",),
        code=("core.decoding.sampling.draw",),
    ),
    Term(
        "beam search",
        "Goes on from several beginnings at once, keeps the few best after each token, and takes the best whole text "
        "at the end. A beam of 1 is **greedy**.",
        ("beam",),
        ("translate/beam",),
        paper="Lowerre 1976; Sutskever et al. 2014",
        code=("core.decoding.beam.beam_search",),
    ),
    Term(
        "length penalty",
        "Every further token makes a text less likely, so **beam search** divides the sum of log chances by a number "
        "that grows with the length.",
        (),
        ("translate/beam",),
        r"\frac{\log p(y)}{\left(\frac{5 + |y|}{6}\right)^{\alpha}}",
        "Wu et al. 2016",
        ("core.decoding.beam.length_penalty",),
    ),
    Term(
        "teacher forcing",
        "The **decoder** is given a text that somebody else wrote, whatever it would have written, and says at each "
        "token what it would put next. Models are trained this way.",
        (),
        ("translate/your French",),
        paper="Williams & Zipser 1989",
        code=("core.topics.generate.texts.score_text",),
    ),
    Term(
        "alignment",
        "Which words of the source belong to which words of a translation. **Cross-attention** often shows it.",
        (),
        ("translate/alignment",),
        paper="Bahdanau et al. 2015",
        code=("core.analysis.alignment.averaged",),
    ),
    Term(
        "BLEU",
        "A score for translations: how many of their runs of one to four words stand in translations by people. 100 "
        "would be word for word.",
        (),
        ("sequence-to-sequence/length",),
        r"\mathrm{BP} \cdot \exp\Big(\tfrac{1}{4} \sum_{n=1}^{4} \ln p_n\Big)",
        "Papineni et al. 2002",
        ("core.training.translation.bleu",),
    ),
    Term(
        "KV cache",
        "The **keys** and **values** of all tokens read so far, kept. Under a **causal mask** they never change, so "
        "each new token needs one new row and not all of them.",
        ("cache",),
        ("kv-cache/one step", "kv-cache/memory"),
        r"2 \cdot N \cdot H \cdot d_k \text{ numbers a token, where } d_v = d_k",
        code=("core.model.kv.LayerKV.extend",),
    ),
    Term(
        "logit lens",
        "Sends the **residual stream** after each layer through the last norm and the **unembedding**: what the model "
        "would write if it stopped there.",
        (),
        ("generate/layer by layer",),
        paper="nostalgebraist 2020",
        code=("core.topics.generate.views.lens",),
    ),
)
