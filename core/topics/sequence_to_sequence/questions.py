"""The right answer to a lesson's question about long sentences, from scores that were measured once."""

from core.checkpoints import shipped
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.sequence_to_sequence.lengths import buckets
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, TITLES, TRANSFORMER
from core.topics.shared.truth import Truth
from core.tracing.run import Run

NAMES = {BOTTLENECK: "bottleneck", ADDITIVE: "additive", TRANSFORMER: "transformer"}


def falls_most(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return which translator's BLEU falls most from the shortest sentences to the longest, whatever the run's text.

    Raises ValueError if the scores of the three are not there.
    """
    measured = buckets(shipped.cards())
    facts: dict[str, str | float] = {}
    falls: dict[str, float] = {}
    for model_name, name in NAMES.items():
        scores = [bucket for bucket in measured if bucket.model == TITLES[model_name]]
        if not scores:
            raise ValueError("This question needs the scores of all three translators, which are missing here.")
        first, last = scores[0], scores[-1]
        falls[name] = first.bleu - last.bleu
        facts |= {f"{name}_short": first.bleu, f"{name}_long": last.bleu, f"{name}_fall": falls[name]}
        facts |= {"short": first.words, "long": last.words, "long_sentences": last.sentences}
    return Truth(max(falls, key=falls.__getitem__), facts)
