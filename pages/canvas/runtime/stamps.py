"""The order in which the data of a drawing were made, for a browser that receives them out of order.

Chromium 156 ends `import()` of a module that is still loading in any order, for those who have asked for it. So a
drawing whose data change while its script loads may be called with the new data first and with the old last.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import randbits
from typing import Any

import streamlit as st

HELD = "stamps"  # in the session


@dataclass
class Stamps:
    """Of one session: its random number, how often any drawing's data have changed, and for the key of each
    drawing that was on screen the hash of its last data and their number."""

    session: int = field(default_factory=lambda: randbits(32))
    number: int = 0
    last: dict[str, tuple[int, int]] = field(default_factory=dict)

    def number_of(self, key: str, content: bytes | str) -> int:
        """The number of these data: that of the last, where they are the same; else a larger one than any before."""
        known, number = self.last.get(key, (None, 0))
        if known != (now := hash(content)):
            self.number = number = self.number + 1
            self.last[key] = now, number
        return number


def stamped(key: str, data: bytes | Mapping[str, Any]) -> bytes | dict[str, Any]:
    """The data with the session and their number: eight bytes more at their end, or one entry more, `stamp`."""
    held = st.session_state.setdefault(HELD, Stamps())
    if isinstance(data, bytes):
        number = held.number_of(key, data)
        return data + b"".join(each.to_bytes(4, "little") for each in (held.session, number))
    return {**data, "stamp": [held.session, held.number_of(key, json.dumps(data, sort_keys=True))]}
