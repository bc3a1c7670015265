"""One head with every step of its computation, cached for all pages, and the head that a page opens with."""

from core.topics.self_attention import one_head, opening
from core.topics.shared import glance as core_glance
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import cached, small_record

head = cached(one_head.head)
glance = cached(core_glance.glance, small_record)
_telling_place = cached(opening.telling_place, small_record)
_last_word_place = cached(opening.last_word_place, small_record)


def telling_place(run: Run, values: object) -> HeadAddress:
    """Return the head of the first stack in which one content word attends most clearly to another.

    values: the page's settings, which are not used.
    """
    return _telling_place(run, HeadAddress(run.config.stacks[0]))


def last_word_place(run: Run, values: object) -> HeadAddress:
    """Return the head of the first stack in which the last content word attends most clearly to another.

    values: the page's settings, which are not used.
    """
    return _last_word_place(run, HeadAddress(run.config.stacks[0]))
