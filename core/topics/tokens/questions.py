"""The right answers to a lesson's questions about tokens."""

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.text.words import JOIN
from core.topics.shared.truth import Truth
from core.topics.tokens.one_hot import one_hot
from core.tracing.run import Run, TokenRow, prepare

MAX_PIECES = 5  # the most pieces that are put in order
MIN_WORDS = 3


def count_tokens(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the number of tokens of the text without special ones; a fact tells how its longest word is cut."""
    count = len(tokenizer.encode(run.text).ids)
    row = _row(tokenizer, run)
    word = max(_words(row, run), key=lambda number: row.words.count(number))
    facts = {
        "tokens": count,
        "words": len(run.text.split()),
        "with_marks": sum(_written_signs(row.word_labels[number]) for number in _words(row, run, marks=True)),
        "special": len(row) - run.pads,
        "example": _read_cut(row, word),
    }
    return Truth(float(count), facts)


def rare_word(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what happens to a word that is not in the tokenizer's list: "pieces", or "unknown" if it is replaced.

    A word that is in the list without the space before it does not count, nor do several marks in a row. Raises
    ValueError if all other words of the text are in the list.
    """
    row = _row(tokenizer, run)
    unknown = tokenizer.special.unknown
    cut = [
        word
        for word in _words(row, run, marks=True)
        if row.words.count(word) > 1 and row.word_labels[word] not in row.pieces
        if _written_signs(row.word_labels[word]) == 1
    ]
    lost = [word for word, i in zip(row.words, row.ids, strict=True) if unknown is not None and i == unknown]
    if not cut and not lost:
        raise ValueError("This question needs a text with a rare word: each of these words is in the tokenizer's list.")
    word = lost[0] if lost else max(cut, key=lambda number: row.words.count(number))
    facts = {
        "word": row.word_labels[word],
        "pieces": _pieces(row, word),
        "count": row.words.count(word),
        "size": len(model.embed.weight),
    }
    return Truth("unknown" if lost else "pieces", facts)


def common_pieces(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return some whole words and marks of the text, the most frequent first, as the tokenizer counted them.

    Raises ValueError if the text has too few of them, or if the tokenizer has counted nothing.
    """
    if not isinstance(tokenizer, Tokenizer) or tokenizer.kind != "unigram":
        raise ValueError("This question needs a model whose tokenizer is a unigram tokenizer.")
    row = _row(tokenizer, run)
    whole = [row.words.index(word) for word in _words(row, run, marks=True) if row.words.count(word) == 1]
    scores = {row.pieces[index]: tokenizer.scores[tokenizer.pieces([row.ids[index]])[0]] for index in whole}
    if len(scores) < MIN_WORDS:
        raise ValueError(
            f"This question needs a text with at least {MIN_WORDS} different words that are one token each."
        )
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    count = min(MAX_PIECES, len(ranked))
    shown = [ranked[round(step * (len(ranked) - 1) / (count - 1))] for step in range(count)]
    labels = tuple(piece for piece in scores if piece in shown)
    ids = {row.pieces[index]: row.ids[index] for index in whole}
    facts = {"first": shown[0], "first_id": ids[shown[0]], "last": shown[-1], "last_id": ids[shown[-1]]}
    return Truth(tuple(labels.index(piece) for piece in shown), facts, labels)


def use_of_id(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: int = 1) -> Truth:
    """Return what a model does with a token's id: "row" if it takes that row of its table unchanged.

    place: the number of the token.
    """
    lookup = one_hot(model, tokenizer, run, place)
    facts = {
        "label": lookup.labels[lookup.place],
        "id": lookup.ids[lookup.place],
        "size": len(lookup.vector),
        "width": len(lookup.row),
    }
    return Truth("row" if lookup.same else "product", facts)


def _row(tokenizer: AnyTokenizer, run: Run) -> TokenRow:
    return prepare(run, tokenizer).rows[run.config.stacks[0]]


def _words(row: TokenRow, run: Run, marks: bool = False) -> list[int]:
    """Return the numbers of the text's words, without special tokens.

    marks: whether punctuation marks count. If the text has no words, they always do.
    """
    last = row.words[-1] + 1 - run.format.end - run.pads
    every = list(range(int(run.format.begin), last))
    spelled = [word for word in every if any(character.isalnum() for character in row.word_labels[word])]
    return every if marks or not spelled else spelled


def _written_signs(label: str) -> int:
    """Return how many words and marks a reader counts in a word of the tokenizer: each mark of "?!" is one."""
    return 1 if any(map(str.isalnum, label)) else len(label)


def _read_cut(row: TokenRow, word: int) -> str:
    """Say how a word is cut, or that none is if the one with the most pieces is whole."""
    if row.words.count(word) == 1:
        return "In this text no word is cut."
    pieces = _pieces(row, word)
    joined = "; a dot before a piece says that it continues a word" if JOIN in pieces else ""
    return f"“{row.word_labels[word]}”, for example, is read as {pieces}{joined}."


def _pieces(row: TokenRow, word: int) -> str:
    return " + ".join(piece for piece, owner in zip(row.pieces, row.words, strict=True) if owner == word)
