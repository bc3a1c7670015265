"""Cached computations for the views of heads, shared by all visitors."""

from dataclasses import replace

from core.topics.heads import ablation, all_heads, names
from core.topics.heads.side_by_side import Which, companion, least_alike, repeating_head
from core.topics.shared.loading import ALL_LOGITS, SEVERAL_ATTENTIONS
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import cached
from pages.compute.one_head import telling_place

patterns = cached(all_heads.patterns)
projections = cached(all_heads.projections)
contributions = cached(all_heads.contributions)
overview = cached(all_heads.overview)
behaviours = cached(all_heads.behaviours, holds=SEVERAL_ATTENTIONS)
mixing = cached(all_heads.mixing)
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
