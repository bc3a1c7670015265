"""One head, every step of it, kept for all pages that look at one."""

from core.explorer.head import one_head
from pages.queries.models import kept

head = kept(one_head.head)
