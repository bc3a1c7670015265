"""Sentences about a translation, made from its numbers: plain text."""

from collections.abc import Sequence

import numpy as np

from core.readings.generation import name_head, name_probability
from core.readings.heads import read_row
from core.readings.words import capital, in_words, listed, number, only_words, percent, plural, quoted
from core.text.labels import token_name

RULES = {  # the numbers set inside the model, with placeholders for a row and a source token
    "attention": r"A_{{{row},{source}}} = 1 \qquad A_{{{row},j}} = 0 \text{{ for }} j \ne {source}",
    "hide a word": r"S_{{i,{source}}} = -\infty \text{{ for every }} i \qquad A = \mathrm{{softmax}}(S)",
    "silence heads": r"z = A V \qquad z \leftarrow 0 \text{{ in every silent head}}",
}

ATTENTIONS = {
    "cross": "Cross-attention",
    "encoder": "Self-attention of the encoder",
    "decoder": "Masked self-attention of the decoder",
}


def name_attention(which: str) -> str:
    """Return the title of a picture of one of the three attentions of a translation.

    which: a key of ATTENTIONS.
    """
    return ATTENTIONS[which]


def name_mean(layer: int, head: int, over: str) -> str:
    """Say over which heads the weights in a picture are averaged.

    layer, head: the selected head, both from 0.
    over: "this head" for that head alone, "layer" for the heads of that layer; any other text for all layers and heads.
    """
    names = {"this head": name_head(layer, head), "layer": f"Layer {layer + 1}, mean of its heads"}
    return names.get(over, "Mean of all layers and heads")


def name_intervention(what: str, piece: str, row: int, layer: int, head: int, reach: str) -> str:
    """Name an intervention in a sentence.

    what: "attention", which makes heads attend to one source token alone when token `row` is written; "hide a word" or
        "silence heads".
    piece: the source token's piece.
    row: the number of the written token.
    layer, head: the selected head, both from 0.
    reach: the heads that it applies to: "this head", "layer", or any other text for all heads of all layers.
    """
    heads = {"this head": f"head {head + 1} of layer {layer + 1}", "layer": f"all heads of layer {layer + 1}"}
    where = heads.get(reach, "all heads of all layers")
    return {
        "attention": f"{where} looking only at {quoted(piece)} when token {row} is written",
        "hide a word": f"{quoted(piece)} hidden from all",
        "silence heads": f"{where} silent in cross-attention",
    }[what]


def read_changes(new: int, count: int, forced: str, words: tuple[str, str] | None) -> tuple[str, str]:
    """Say how an intervention changed a translation; then what was forced, and how many tokens are new.

    new: number of tokens that are new.
    count: number of tokens of the translation now.
    forced: the intervention in words.
    words: the old and the new piece at the first place where the texts differ; None if all stay the same.
    """
    if words is None:
        return "Every token stays the same.", f"With {forced}, no token is new."
    old_piece, new_piece = map(quoted, words)
    are = "is" if new == 1 else "are"
    share = f"{new} of {plural(count, 'token')} {are} new"
    return f"Where it wrote {old_piece}, the model now writes {new_piece}.", f"With {forced}, {share}."


def read_surprisals(your_bits: Sequence[float], model_bits: Sequence[float]) -> str:
    """Compare the mean surprisal per token of a text that the visitor gave with that of the model's own text.

    your_bits, model_bits: the surprisals of both in bits, one number for each token.
    """
    mean, own_mean = (sum(text) / max(1, len(text)) for text in (your_bits, model_bits))
    how = "less likely than" if mean > own_mean else "likelier than" if mean < own_mean else "as likely as"
    return (
        f"To the model this translation is {how} its own: on average {number(mean)} bits of surprise a "
        f"token, and {number(own_mean)} in its own."
    )


def read_least_expected(
    piece: str, probability: float, rank: int, best: str, best_probability: float
) -> tuple[str, str]:
    """Say which token of a given text the model expected least; then the chances of it and of the model's own choice.

    piece, probability: that token and its probability.
    rank: its rank in the model's prediction; 1 is the likeliest.
    best, best_probability: the model's own choice and its probability.
    """
    sentence = f"The most surprising word was {quoted(piece)}"
    chance = f"The model gave {quoted(piece)} a chance of {percent(probability)}"
    if rank == 1:
        return f"{sentence}, though nothing else was likelier.", f"{chance}."
    return (
        f"{sentence}: the model expected {quoted(best)}.",
        f"{chance}, and {quoted(best)} one of {percent(best_probability)}.",
    )


def read_beam(fates: Sequence[str], texts: Sequence[tuple[str, float, int]]) -> list[str]:
    """Return two sentences: which text won; by how much, and how many continuations were dropped.

    fates: the fate of each continuation.
    texts: the best first, with their scores, and the number of tokens after which the limit cut them, 0 if they
        ended by themselves.
    """
    (best, score, cut), *others = texts
    sentence, scores = f"{_ended(best, cut)} wins", f"Its score is {number(score)}"
    if others:
        text, score, cut = others[0]
        sentence = f"{sentence} over {_ended(text, cut)} by its score"
        scores = f"{scores}, that of the second {number(score)}"
    dropped = list(fates).count("dropped")
    return [f"{sentence}.", f"{scores}. Of {len(fates):,} continuations considered, {dropped:,} were dropped."]


def _ended(text: str, cut: int) -> str:
    return f"{quoted(text)}, cut after {plural(cut, 'token')}," if cut else quoted(text)


def read_translations(ways: Sequence[tuple[str, str, float]], change: tuple[str, str, str] | None) -> tuple[str, str]:
    """Say where one text differs from the likeliest; then how many texts there are, and who found the likeliest.

    ways: (name, text, surprisal in bits) for each method.
    change: the name of a method that wrote another text, the words of the likeliest text that it first changes, and
        those that it writes there; None if all texts are the same.
    """
    least = min(bits for *_, bits in ways)
    first = [name.partition(",")[0] for name, _, bits in ways if bits <= least + 1e-3]
    different = len({text for _, text, _ in ways})
    found = f"the likeliest was found by {listed(first)}; it has {number(least)} bits of surprise."
    headline = f"All {in_words(len(ways))} ways write the same text."
    if change is not None:
        who, old, new = change
        headline = f"{capital(who)} writes {quoted(new)} where the likeliest text has {quoted(old)}."
        if not old:
            headline = f"{capital(who)} writes {quoted(new)}, which the likeliest text has not."
        if not new:
            headline = f"{capital(who)} leaves out {quoted(old)} of the likeliest text."
    texts = "one text" if different == 1 else f"{in_words(different)} different texts"
    return headline, f"{capital(in_words(len(ways)))} methods wrote {texts}; {found}"


def read_writing(piece: str, row: np.ndarray, read: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Say to which source word the decoder attends most when it writes a piece, and how much, in two sentences.

    piece: the piece that is written.
    row (K,): the cross-attention weights of the last token that the decoder has read.
    read: the labels of the tokens that it has read.
    keys: the labels of the source tokens.
    """
    best = int(only_words(row, keys).argmax())
    how = "mostly" if row[best] > 0.5 else "most, among the words,"
    asks = f"It asks with the last token read: {read_row(row, read, -1, keys)}"
    return [f"To write {quoted(piece)}, the model looks {how} at {token_name(keys, best)}.", asks]


def name_scored(probability: float, rank: int, best: str) -> str:
    """Describe for a screen reader how a model predicted a given token.

    probability: the token's probability.
    rank: its rank in the prediction; 1 is the likeliest.
    best: the piece that the model would choose.
    """
    return f"{name_probability(probability)}, rank {rank}, the model would say {best}"


def read_cut_after(count: int) -> str:
    """Say that a model was stopped after `count` tokens, before it wrote </s>."""
    return f"The translation is cut after {plural(count, 'token')}."


def write_cross_query(score: str, heads: str, keys: int, d_k: int, read: int) -> str:
    """Write in LaTeX the cross-attention weights with which the decoder's last token attends to the source.

    score: LaTeX of the scores.
    heads: "this head"; any other text stands for the mean over several heads.
    keys: number of tokens of the source.
    d_k: the width of a query.
    read: number of tokens that the decoder has read; the last one is the query.
    """
    mean = "" if heads == "this head" else r"\underset{\text{heads}}{\mathrm{mean}}\;"
    return (
        rf"\underset{{1 \times {keys}}}{{a}} = {mean}\mathrm{{softmax}}\Big({score}\Big) "
        rf"\qquad K \text{{ from the source}} \qquad d_k = {d_k} \qquad "
        rf"\text{{tokens read}} = {read}"
    )


def write_rule(what: str, row: int, source: int) -> str:
    """Write in LaTeX the numbers that an intervention sets inside the model.

    what: the kind of intervention, a key of RULES.
    row: the number of the decoder's query, used by "attention" only.
    source: the number of the source token; "silence heads" does not use it.
    """
    return RULES[what].format(row=row, source=source)


def write_surprisals(your_bits: Sequence[float], model_bits: Sequence[float]) -> str:
    """Write in LaTeX the log-probabilities of a given text and of the model's own, from the bits of their tokens."""
    return (
        rf"\log_2 p(\text{{yours}}) = \sum_t \log_2 p(y_t \mid y_{{<t}}, x) \qquad = {-sum(your_bits):.2f}"
        rf"\qquad \log_2 p(\text{{model's}}) = {-sum(model_bits):.2f}"
    )


def write_beam_score(total: float, tokens: int, alpha: float, score: float) -> str:
    """Write in LaTeX how a text's score is computed from its log-probability and its length penalty.

    total: the sum of the tokens' log-probabilities.
    tokens: the number of tokens.
    alpha: the strength of the length penalty.
    score: the result.
    """
    return (
        rf"\text{{score}} = \frac{{\sum_t \log p_t}}{{\big((5 + n)/6\big)^{{\alpha}}}} \qquad = "
        rf"\frac{{{total:.3f}}}{{((5 + {tokens})/6)^{{{alpha:g}}}}} = {score:.3f}"
    )


def write_greedy_surprisal(bits: float, tokens: int) -> str:
    """Write in LaTeX how the surprisal of a text is computed, with the result for the greedy text.

    bits, tokens: the surprisal of the greedy text in bits, and its number of tokens.
    """
    return (
        r"\text{surprisal} = -\sum_t \log_2 p(y_t \mid y_{<t}, x)"
        rf"\qquad \text{{greedy}} = {bits:.3f}\ \text{{bits over }} {tokens} \text{{ tokens}}"
    )
