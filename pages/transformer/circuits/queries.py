"""Cached results for the page Circuits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.topics.circuits import attribution, cut_paths, edges, head_words
from core.topics.circuits import directions as core_directions
from core.topics.circuits import first_token as core_first_token
from core.topics.circuits import looked_for as core_looked_for
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import cached, small_record, tells_hidden

attribute = cached(attribution.attribute, small_record)
read_by_head = cached(attribution.read_by_head, small_record)
switch_off = cached(attribution.switch_off, small_record)
first_token = cached(core_first_token.first_token, small_record)
written_words = cached(head_words.written_words, small_record)
copying_score = cached(head_words.copying_score, small_record)
hidden_losses = cached(core_first_token.hidden_losses, small_record)
looked_for = cached(core_looked_for.looked_for, small_record)
directions = cached(core_directions.directions, small_record)
strongest_shares = cached(core_directions.strongest_shares, small_record)
head_paths = cached(edges.head_paths, small_record)
estimated_cuts = cached(cut_paths.estimated_cuts, small_record)
cut_into = cached(cut_paths.cut_into, small_record)
Cuts = dict[
    tuple[HeadAddress, str], np.ndarray
]  # by attention and what the paths lead into, as `cut_into` returns them


def cut_all(
    run: Run, stack: str, token: int, ids: Sequence[int], before: Mapping[tuple[HeadAddress, str], np.ndarray] | None
) -> Iterator[Cuts]:
    """Cut every path between the heads of a stack; yield all results so far after each attention and input.

    before: results that are known already.
    """
    found = dict(before or {})
    for attention, entry in cuts(run, stack):
        if (attention, entry) not in found:
            found[attention, entry] = cut_into(run, stack, token, tuple(ids), attention, entry)
            yield dict(found)


def cuts(run: Run, stack: str) -> list[tuple[HeadAddress, str]]:
    """Return the attentions that later heads belong to, each with what a path can lead into."""
    attentions = dict.fromkeys(replace(head, head=0) for head in edges.stack_heads(run, stack))
    later = [each for each in attentions if each.layer or each.cross]
    return [(each, entry) for each in later for entry in (edges.INPUTS[:1] if each.cross else edges.INPUTS)]


def writes_words(run: Run) -> bool:
    """Return whether a run's model has a logit for each piece of the vocabulary.

    An encoder that was trained for something else, such as a classifier, has none that mean anything.
    """
    return "decoder" in run.config.stacks or tells_hidden(run) or not run.is_trained
