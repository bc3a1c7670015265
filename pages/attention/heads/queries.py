"""Cached computations for the views of heads, shared by all visitors."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from core.checkpoints.head_records import WITH_HEADS, HeadRecord, load_heads
from core.checkpoints.measured import MEASURED_FOLDER, rebuild_measured
from core.checkpoints.real.elsewhere import Elsewhere
from core.checkpoints.source import ModelSource
from core.faults import machine_faults
from core.topics.heads import ablation, all_heads, names, over_texts
from core.topics.heads.readings.over_texts import read_no_record
from core.topics.heads.side_by_side import Which, companion, least_alike, repeating_head
from core.topics.shared.loading import ALL_LOGITS, SEVERAL_ATTENTIONS
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import cached, model_title, opened
from pages.compute.calls import helper
from pages.compute.one_head import telling_place

patterns = cached(all_heads.patterns)
projections = cached(all_heads.projections)
contributions = cached(all_heads.contributions)
overview = cached(all_heads.overview)
behaviours = cached(all_heads.behaviours, holds=SEVERAL_ATTENTIONS)
mixing = cached(all_heads.mixing)
context_pattern = cached(over_texts.context_pattern)
text_scores = cached(over_texts.text_scores, holds=SEVERAL_ATTENTIONS)
head_names = cached(names.head_names, holds=replace(SEVERAL_ATTENTIONS, random_heads=names.RANDOM_HEADS))
ablate = cached(ablation.ablate, holds=replace(ALL_LOGITS, every=1))
head_effects = cached(ablation.head_effects, holds=replace(ALL_LOGITS, every=1))


def opening_place(run: Run, values: object) -> HeadAddress:
    """Return the head with which the page opens.

    It is the head of the first stack that best finds earlier occurrences in the text or, if no head has such a name,
    the one in which a content word looks most clearly at another.
    """
    stack = HeadAddress(run.config.stacks[0])
    layer_head = repeating_head(head_names(run, stack))
    return telling_place(run, values) if layer_head is None else replace(stack, layer=layer_head[0], head=layer_head[1])


def compared_place(run: Run, place: HeadAddress) -> HeadAddress | None:
    """Return the head to compare with the one at `place`; None if there is no other head.

    It is the clearest head of another name or, if there is none, the head whose pattern is least like that of the one
    at `place`.
    """
    chosen = place.layer, place.head
    layer_head = companion(head_names(run, place.of_stack), chosen) or _unlike(run, place)
    return None if layer_head is None else replace(place, layer=layer_head[0], head=layer_head[1])


def _unlike(run: Run, place: HeadAddress) -> Which | None:
    layer = all_heads.compared_layer(run, place)
    return least_alike(behaviours(run, replace(place, layer=layer, head=0)), (place.layer, place.head))


def head_record(run: Run) -> HeadRecord | None:
    """Return what the heads of a run's model do over many texts; None if that was not measured.

    BrokenFile if the file is missing or damaged, `MachineFault` if this machine cannot read it.
    """
    found = _record_file(run.source)
    if run.source is None or found is None:
        return None
    with machine_faults():
        config = opened(run.source).config
        arguments = (found[0], config, found[1], run.source.address)
        return helper(_head_record(run.source, *found, run.source.address), load_heads, *arguments)


def why_no_record(run: Run) -> str:
    """Return the sentence that is shown in place of a record of the heads of a run's model."""
    command = rebuild_measured(f"heads-{run.model_name}") if run.source and _is_named(run.source) else ""
    return read_no_record(", ".join(model_title(name) for name in WITH_HEADS), command)


def _is_named(source: ModelSource) -> bool:
    """Return whether the command that measures heads can be given this model's name."""
    return isinstance(source, Elsewhere) or (source.listed and source.address == source.model)


def _record_file(source: ModelSource | None) -> tuple[str, Path] | None:
    """Return the name of a model's record and its folder; None if there is none."""
    if isinstance(source, Elsewhere) and source.place is not None:
        folder = source.place / source.name / "measured"
        return (source.name, folder) if (folder / f"heads-{source.name}.safetensors").is_file() else None
    return (source.address, MEASURED_FOLDER) if source is not None and source.address in WITH_HEADS else None


@st.cache_resource(max_entries=4, show_spinner=False)
def _head_record(_source: ModelSource, name: str, folder: Path, address: str) -> HeadRecord:
    return load_heads(name, opened(_source).config, folder, address)
