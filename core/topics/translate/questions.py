"""The right answers to a lesson's questions about what a translation rests on."""

from dataclasses import replace
from itertools import takewhile

import numpy as np

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.records import NO_INTERVENTION, Attentions, Intervention
from core.topics.generate.setup import start_ids, translation_limit
from core.topics.generate.texts import generate_tokens, step
from core.topics.generate.views import attentions
from core.topics.shared.truth import Truth, short_labels
from core.topics.translate.alignment import redirections
from core.topics.translate.changes import changes
from core.topics.translate.interventions import force_attention
from core.tracing.run import Run, prepare

SEARCHED_PAIRS = 4  # pairs of words, as on the page Translate
TOKEN_INDEX = 2  # the written token that is looked at
# The fewest letters that two forms of a word share, and the most that each has after them.
MIN_STEM_LETTERS, MAX_ENDING_LETTERS = 4, 3
# French words with forms that do not begin alike, and short ones.
FORMS = tuple(
    frozenset(forms.split())
    for forms in (
        "beau bel belle beaux belles",
        "nouveau nouvel nouvelle nouveaux nouvelles",
        "vieux vieil vieille vieilles",
        "fou fol folle fous folles",
        "long longue longs longues",
        "gros grosse grosses",
        "bon bonne bons bonnes",
        "bas basse basses",
        "sec sèche secs sèches",
        "doux douce douces",
        "roux rousse rousses",
        "faux fausse fausses",
        "frais fraîche fraîches",
        "vif vive vifs vives",
        "œil yeux",
    )
)
Ids = tuple[int, ...]


def visible_texts(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what the third written token can look at: "both" for the source and the tokens written before it.

    "source", "all" (with the whole translation) or "partner" (one source token alone) otherwise. Raises ValueError if
    the text is too long or the translation too short.
    """
    run, start, ids, seen = _translated(model, tokenizer, run)
    row = len(start) + TOKEN_INDEX - 1  # the token is written by the row before it
    if len(ids) <= TOKEN_INDEX + 1:
        raise ValueError("This question needs a sentence whose translation has more than three tokens.")
    assert seen.cross is not None
    source, own = (np.flatnonzero(patterns[:, :, row].max((0, 1))) for patterns in (seen.cross, seen.decoder))
    facts = {
        "written": seen.pieces[len(start) + TOKEN_INDEX],
        "read": len(source),
        "own": len(own),
        "later": int((own > row).sum()),
        "before": ", ".join(f"“{piece}”" for piece in seen.pieces[: row + 1]),
        "translation": len(ids),
    }
    if (own > row).any():
        return Truth("all", facts)
    if not len(own):
        return Truth("source", facts)
    return Truth("both" if len(source) == seen.cross.shape[-1] else "partner", facts)


def forced_look(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what is written if all heads must look at another word of the source: "follows" if it is that word's.

    Another form of the word that was written for it, such as “blanc” for “blanche”, follows too. "same" if the word or
    a form of it stays, "other" if another word comes. The pair of words is the one that the page opens with.
    Raises ValueError if the text is too long or has no two words whose translations are clear.
    """
    run, start, ids, seen = _translated(model, tokenizer, run)
    pairs = redirections(seen, len(start))[:SEARCHED_PAIRS]
    if not pairs:
        raise ValueError("This question needs a sentence with two longer words that are translated one by one.")
    tried: list[tuple[tuple[int, int, int], int]] = []
    for row, source, other in pairs:
        chosen = _forced(model, tokenizer, run, (*start, *ids[:row]), row, source)
        tried.append(((row, source, other), chosen))
        if chosen == ids[other]:
            break
    (row, source, other), chosen = tried[-1] if tried[-1][1] == ids[tried[-1][0][2]] else tried[0]
    intervention = _only_at(run, start, row, source, len(seen.source_pieces))
    forced = _written(model, tokenizer, run, start, len(seen.source_pieces), intervention)
    old, new, own = seen.pieces[len(start) + row], tokenizer.labels([chosen])[0], seen.pieces[len(start) + other]
    facts = {
        "old": old,
        "new": new,
        "target_number": row,
        "source_number": source,
        "source": seen.source_pieces[source],
        "own": own,
        "changed": len(changes(ids, forced).new),
        "tokens": len(forced),
        "after": tokenizer.decode(forced),
    }
    if chosen == ids[row]:
        return Truth("same", facts)
    if chosen == ids[other] or _are_forms(new, own):
        return Truth("follows", facts)
    if _are_forms(new, old):
        return Truth("same", facts)
    return Truth("other", facts)


def _are_forms(piece: str, other: str) -> bool:
    """Return whether two pieces look like forms of one word.

    They are listed as such in `FORMS`, or begin with the same letters, and at most three others follow in each.
    """
    if any({piece.casefold(), other.casefold()} <= forms for forms in FORMS):
        return True
    letters = zip(piece.casefold(), other.casefold(), strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return common >= MIN_STEM_LETTERS and max(len(piece), len(other)) - common <= MAX_ENDING_LETTERS


def _translated(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[Run, Ids, Ids, Attentions]:
    """Return the run without padding, the ids read before writing, the ids of the translation, and its attention.

    Raises ValueError for a text that is too long, and for a model that does not translate.
    """
    if not run.config.has_two_stacks:
        raise ValueError("This question needs a translator: choose an encoder-decoder as the model.")
    run = replace(run, pads=0, target=run.text)
    source = prepare(run, tokenizer).rows["encoder"]
    short_labels(source)
    start = start_ids(tokenizer, run)
    ids = _written(model, tokenizer, run, start, len(source), NO_INTERVENTION)
    return run, start, ids, attentions(model, tokenizer, run, (*start, *ids))


def _written(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, start: Ids, source: int, intervention: Intervention
) -> Ids:
    max_tokens = translation_limit(run.config, len(start), source)
    tokens = generate_tokens(model, tokenizer, run, max_tokens=max_tokens, intervention=intervention)
    return tuple(token.chosen for token in tokens)


def _forced(model: Transformer, tokenizer: AnyTokenizer, run: Run, read: Ids, row: int, source: int) -> int:
    """Return the token that is written at `row` if all heads must look at source token `source`."""
    length = len(prepare(run, tokenizer).rows["encoder"])
    intervention = _only_at(run, read[: len(read) - row], row, source, length)
    return step(model, tokenizer, run, read, number=row, intervention=intervention).chosen


def _only_at(run: Run, start: Ids, row: int, source: int, length: int) -> Intervention:
    return force_attention(run.config, len(start) + row - 1, source, length, 0, 0, "all")
