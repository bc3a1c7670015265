"""Text generation for the pages: texts, single steps and records of them, cached by plain values.

Texts are computed and cached in stretches of `STRETCH_TOKENS` tokens.
"""

from dataclasses import replace

import streamlit as st

from core.checkpoints.examples import persons_translation
from core.decoding.sampling import GREEDY, Sampling
from core.limits import WRITTEN_MB, WRITTEN_TOKENS
from core.topics.generate import opening, setup, texts, views
from core.topics.generate import samples as core_samples
from core.topics.generate.records import (
    NO_INTERVENTION,
    BeamTree,
    GeneratedToken,
    GenerationStep,
    Intervention,
    Sample,
)
from core.topics.generate.setup import STRETCH_TOKENS
from core.topics.shared.loading import ALL_LOGITS, EVERY_ATTENTION, PeakMemory
from core.topics.shared.open_run import open_run
from core.tracing.run import Run
from pages.compute.cache import HASH_AS_REPR, cached, check, compute, reader, small_record
from pages.compute.calls import helper, logged, noted, record_calls

attentions = cached(views.attentions, small_record, EVERY_ATTENTION)
lens = cached(views.lens, small_record, replace(ALL_LOGITS, texts=1, written=WRITTEN_TOKENS))
newest_place = cached(opening.newest_place, small_record, EVERY_ATTENTION)
scored = cached(texts.score_text, small_record, ALL_LOGITS)
BEAM = 3  # texts kept at each step of the beam search for another translation
Forced = tuple[tuple[int, int], ...]


@small_record
def start(run: Run) -> tuple[int, ...]:
    """Return the ids that the decoder reads before it writes."""
    return setup.start_ids(reader(run), run)


@small_record
def start_pieces(run: Run) -> tuple[str, ...]:
    return reader(run).labels(start(run))


def text_of(run: Run, ids: tuple[int, ...]) -> str:
    """Return the text of the ids."""
    return reader(run).decode(ids)


@logged(st.cache_data(max_entries=1024, max_size=f"{WRITTEN_MB}MB", show_spinner=False, hash_funcs=HASH_AS_REPR))
def _stretch(
    run: Run, sampling: Sampling, forced: Forced, count: int, intervention: Intervention, before: tuple[int, ...]
) -> tuple[GeneratedToken, ...]:
    holds = PeakMemory(texts=1, written=len(before) + count)
    return compute(texts.generate_tokens, run, sampling, forced, count, intervention, before, holds=holds)


def written(
    run: Run,
    sampling: Sampling = GREEDY,
    forced: Forced = (),
    count: int = 64,
    intervention: Intervention = NO_INTERVENTION,
) -> tuple[GeneratedToken, ...]:
    """Return the first `count` tokens that the model writes, or fewer if the text ends before.

    They are computed and cached in stretches.
    """
    with record_calls():  # in a separate log, because one call stands for all these stretches
        tokens = _in_stretches(run, sampling, forced, count, intervention)
    opened = helper((object(), reader(run)), open_run, run)
    return noted(tokens, texts.generate_tokens, *opened, run, sampling, forced, count, intervention)


def _in_stretches(
    run: Run, sampling: Sampling, forced: Forced, count: int, intervention: Intervention
) -> tuple[GeneratedToken, ...]:
    tokens: tuple[GeneratedToken, ...] = ()
    while len(tokens) < count and not (tokens and tokens[-1].ended):
        first, max_tokens = len(tokens), min(STRETCH_TOKENS - len(tokens) % STRETCH_TOKENS, count - len(tokens))
        wishes = tuple((place, token) for place, token in forced if first <= place < first + max_tokens)
        part = _stretch(run, sampling, wishes, max_tokens, intervention, tuple(earlier.chosen for earlier in tokens))
        if not part:
            break
        tokens += part
    return tokens


def greedy_translation(run: Run, max_tokens: int | None = None) -> tuple[GeneratedToken, ...]:
    """Return the tokens that an encoder-decoder writes greedily for the whole source.

    max_tokens: the most tokens; None leaves only the usual limit of a translation.
    """
    run = replace(run, pads=0, target=run.text)
    limit = setup.translation_limit(run.config, len(start(run)), len(check(run)["encoder"].pieces))
    return written(run, count=limit if max_tokens is None else min(max_tokens, limit))


def own_translation(run: Run, max_tokens: int | None = None) -> str:
    """Return the text of `greedy_translation`."""
    return text_of(run, tuple(token.chosen for token in greedy_translation(run, max_tokens)))


@small_record
def step(
    run: Run,
    ids: tuple[int, ...],
    sampling: Sampling = GREEDY,
    number: int = 0,
    forced: int | None = None,
    intervention: Intervention = NO_INTERVENTION,
) -> GenerationStep:
    holds = PeakMemory(texts=1, written=WRITTEN_TOKENS)
    return compute(texts.step, run, ids, sampling, number, 0, forced, intervention, holds=holds)


@small_record
def samples(run: Run, sampling: Sampling, count: int, max_tokens: int) -> tuple[Sample, ...]:
    """Return `count` texts that are drawn at once, of at most `max_tokens` each."""
    holds = replace(ALL_LOGITS, texts=count, written=max_tokens)
    return compute(core_samples.samples, run, sampling, count, max_tokens, holds=holds)


@small_record
def beam(run: Run, width: int, alpha: float, max_tokens: int) -> BeamTree:
    """Return the tree of a beam search that keeps `width` texts, of at most `max_tokens` each."""
    holds = PeakMemory(texts=width, written=max_tokens)
    return compute(texts.beam, run, width, alpha, max_tokens, holds=holds)


@small_record
def own_ids(run: Run) -> tuple[int, ...]:
    """Return the ids of the run's target text, followed by </s> if the model has that token."""
    most_tokens = run.config.max_length - len(start(run)) - 1
    ids, end = reader(run).target.encode(run.target, limit=most_tokens).ids, run.format.special.end
    return ids if end is None else (*ids, end)


def other_translation(run: Run, max_tokens: int) -> str:
    """Return a translation that differs from the model's own; "" if there is none.

    For an example it is one by a person, if there is one; for any other text, the best different text of a beam search.
    """
    own = own_translation(run)
    persons = persons_translation(run.model_name, run.text)
    texts = [persons] if persons else [hypothesis.text for hypothesis in beam(run, BEAM, 0.0, max_tokens).hypotheses]
    return next((text for text in texts if text.strip() and text != own), "")
