"""The end of the journey of an encoder that learnt to predict hidden pieces: its guesses for each ``[MASK]``."""

from dataclasses import dataclass

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, execute, prepare

MAX_HIDDEN_TOKENS = 4  # the most hidden tokens that are shown
SHOWN_GUESSES = 8


@dataclass(frozen=True)
class Guesses:
    """The guesses for one hidden token.

    label: the hidden token, with its number ("3:[MASK]").
    pieces: the likeliest pieces, with their probabilities.
    """

    label: str
    pieces: tuple[tuple[str, float], ...]


def guesses(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[Guesses, ...]:
    """Return the likeliest pieces for each of the first hidden tokens; empty if the text hides nothing.

    They are the softmax of the logits of its row (Devlin et al. 2019, section 3.1).
    """
    inputs = prepare(run, tokenizer)
    row = inputs.rows["encoder"]
    hidden = [position for position, piece in enumerate(row.ids) if piece == tokenizer.special.mask][:MAX_HIDDEN_TOKENS]
    if not hidden:
        return ()
    rows = execute(model, run, inputs, ["encoder.final"])["encoder.final"][0, hidden]  # (n, D)
    best = model.logits(rows).float().softmax(-1).topk(SHOWN_GUESSES)
    return tuple(
        Guesses(row.labels[position], tuple(zip(tokenizer.labels(pieces), probabilities, strict=True)))
        for position, pieces, probabilities in zip(hidden, best.indices.tolist(), best.values.tolist(), strict=True)
    )
