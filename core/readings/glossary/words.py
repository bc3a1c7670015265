"""The glossary: words as vectors, before there was attention."""

from core.readings.glossary.term import Term

WORDS = (
    Term(
        "word vector",
        "A row of numbers that stands for a whole word, learned from the words around it in much text. A word has one, "
        "whatever it means in the sentence.",
        ("word vectors",),
        ("word-vectors/map", "word-vectors/neighbours"),
        paper="Mikolov et al. 2013",
        code=("core.model.word2vec.WordVectors",),
    ),
    Term(
        "skip-gram",
        "A way to learn **word vectors**: the vector of a word has to tell each word near it from words drawn at "
        "random.",
        (),
        ("word-vectors/train one",),
        r"L = -\sum_{o \,\text{near}\, t} \ln \sigma(u_o \cdot v_t) - \dots",
        "Mikolov et al. 2013",
        ("core.model.word2vec.skipgram_loss",),
    ),
    Term(
        "CBOW",
        "A way to learn **word vectors**: the mean of the vectors near a word has to tell that word from words drawn "
        "at random. The letters stand for a continuous bag of words: their order is lost.",
        (),
        ("word-vectors/train one",),
        r"v = \frac{1}{C} \sum_{c=1}^{C} v_c",
        "Mikolov et al. 2013",
        ("core.model.word2vec.cbow_loss",),
    ),
    Term(
        "negative sampling",
        "Instead of a **softmax** over all words, the model learns to tell a pair of words that stand together from a "
        "few pairs drawn at random. It costs little, however large the **vocabulary** is.",
        (),
        ("word-vectors/train one",),
        r"-\ln \sigma(u_o \cdot v) - \sum_{k=1}^{K} \ln \sigma(-u_k \cdot v)",
        "Mikolov et al. 2013",
        ("core.topics.word_vectors.analysis.question_gradients",),
    ),
    Term(
        "analogy",
        "A question of the form: a is to b as c is to what? With **word vectors** the answer is the word nearest to "
        "b − a + c.",
        ("analogies",),
        ("word-vectors/analogies",),
        r"\arg\max_d \cos(d,\; b - a + c)",
        "Mikolov et al. 2013",
        ("core.analysis.word_vectors.closest_rows",),
    ),
    Term(
        "PCA",
        "Principal component analysis: a turn of many numbers so that the first axis shows as much of their "
        "variance as one axis can, and the second as much of the rest. Two axes make a map.",
        ("principal components",),
        ("word-vectors/map",),
        r"X - \bar X = U \Sigma W^\top",
        "Pearson 1901",
        ("core.analysis.word_maps.principal_axes",),
    ),
    Term(
        "t-SNE",
        "A map that is bent until neighbours lie beside neighbours. What is near on it is near; how far apart two "
        "groups lie, and how large they are, means nothing.",
        (),
        ("word-vectors/map",),
        r"\mathrm{KL}(P \parallel Q) = \sum_{i \ne j} p_{ij} \ln \frac{p_{ij}}{q_{ij}}",
        "van der Maaten & Hinton 2008",
        ("core.analysis.word_maps.neighbour_map",),
    ),
)
