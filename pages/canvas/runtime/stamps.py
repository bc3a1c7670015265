"""Number the data of each drawing in the order in which they were made, for browsers that receive them out of order.

If several callers `import()` a module that is still loading, Chromium 156 resolves their promises in any order. So a
drawing whose data change while its script loads may be called with the new data first and with the old last.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import randbits
from typing import Any

from pages.session.visit import visit_part


@dataclass
class Stamps:
    """The counters by which the browser recognises data that arrive out of order, for one session.

    session: a random number that identifies the session.
    number: how often the data of any drawing have changed.
    last: by the key of each drawing that was on screen, the hash of its last data and their number.
    """

    session: int = field(default_factory=lambda: randbits(32))
    number: int = 0
    last: dict[str, tuple[int, int]] = field(default_factory=dict)

    def number_of(self, key: str, content: bytes | str) -> int:
        """Return the number of a drawing's data: the old one if they are unchanged, otherwise the next new number."""
        known, number = self.last.get(key, (None, 0))
        if known != (content_hash := hash(content)):
            self.number = number = self.number + 1
            self.last[key] = content_hash, number
        return number


def stamped(key: str, data: bytes | Mapping[str, Any]) -> bytes | dict[str, Any]:
    """Add a session id and a sequence number to a drawing's data, so that the browser can drop outdated data.

    Bytes get eight more bytes at their end, a mapping gets one more entry, `stamp`.
    """
    held = visit_part(Stamps)
    if isinstance(data, bytes):
        number = held.number_of(key, data)
        return data + b"".join(part.to_bytes(4, "little") for part in (held.session, number))
    return {**data, "stamp": [held.session, held.number_of(key, json.dumps(data, sort_keys=True))]}
