"""What the server holds in its caches, as Streamlit's own metrics tell it."""

import re
import urllib.request
from collections import Counter

ENTRY = re.compile(r'^cache_memory_bytes\{(?=.*cache_type="st_cache_data").*\bcache="([^"]*)".*\} (\d+)', re.MULTILINE)


def cached_bytes(url: str) -> Counter[str]:
    """Return the bytes of the results that each cached function of a server holds, by the function's name."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{url}/_stcore/metrics", timeout=30) as answer:
        text = answer.read().decode("utf-8")
    held: Counter[str] = Counter()
    for name, size in ENTRY.findall(text):
        held[name] += int(size)
    return held
