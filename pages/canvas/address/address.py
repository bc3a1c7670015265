"""The browser's address: writes the settings of the session into it, and recognises Back and Forward."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from pages.canvas.runtime.modules import component

_component = component("address", html="<span hidden></span>")


def write_address(
    page: str,
    others: Sequence[str],
    query: Mapping[str, Sequence[str]],
    step: int,
    read: tuple[int, str],
    typed: str = "",
) -> None:
    """Show the settings of the current page in the browser's address bar; draw this at the end of every page.

    page: the page's path; "" for the first page, which has none.
    others: the paths of all other pages, needed only for the first page.
    query: the settings that are not at their default, as written in the URL.
    step: the number of changes so far that Back takes back; a higher number makes an entry in the browser's history.
    read: how often the server has read a query that the visitor went to by Back or Forward, and the last such query.
    typed: the key of the setting in whose text box the visitor is still typing, which adds no entry; "" for none.
    """
    data = {"page": page, "others": list(others), "query": urlencode(query, doseq=True), "step": step}
    _component(data=data | {"read": list(read), "typed": typed}, key="address")
