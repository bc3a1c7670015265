"""One head, every step of it, kept for all pages that look at one."""

from core.explorer.head import one_head, opening
from core.explorer.shared import glance as small
from pages.queries.models import kept, small_record

head = kept(one_head.head)
opening_place = kept(opening.opening_place, small_record)
glance = kept(small.glance, small_record)
