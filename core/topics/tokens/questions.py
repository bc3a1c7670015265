"""The right answers to a lesson's questions about tokens."""

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.truth import Truth
from core.tracing.run import Run, prepare


def count_tokens(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the number of tokens of the text, without special ones, and the word that is cut into most of them."""
    tokens = tokenizer.encode(run.text)
    words = run.text.split()
    row = prepare(run, tokenizer).rows[run.config.stacks[0]]
    counts = [row.words.count(number) for number in range(len(row.word_labels))]
    longest = max(range(len(counts)), key=counts.__getitem__)
    pieces = [piece for piece, word in zip(row.pieces, row.words, strict=True) if word == longest]
    facts = {
        "tokens": len(tokens.ids),
        "words": len(words),
        "word": row.word_labels[longest].partition(":")[2],
        "pieces": " + ".join(pieces),
    }
    return Truth(float(len(tokens.ids)), facts)
