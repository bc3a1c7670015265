"""Reading what a page shows, and working its settings, for the tests of the pages."""

import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pyarrow as pa
from streamlit.testing.v1 import AppTest

from core.topics.shared.open_run import open_run
from core.tracing.run import Run
from pages.widgets.setting import Setting
from pages.widgets.terms import GLOSSARY

LINK = re.compile(rf"(?<!\\)\[([^\]]*)\]\({GLOSSARY}\?[^)]*\)")
STAMP = 8  # bytes
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/x.png) :red[x] $x$ مرحبا 👩‍🚀"


def unpack(block: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What unpack.js does, in Python: the header, then each array at a multiple of four bytes."""
    length = int.from_bytes(block[:4], "little")
    header = json.loads(block[4 : 4 + length])
    offset, found = 4 + length, {}
    for entry in header["arrays"]:
        dtype: np.dtype[Any] = np.dtype("u1" if entry["dtype"] == "u1" else "<f4")
        assert offset % 4 == 0
        count = int(np.prod(entry["shape"], dtype=int))
        found[entry["name"]] = np.frombuffer(block, dtype, count, offset).reshape(entry["shape"])
        offset += -(-count * dtype.itemsize // 4) * 4
    assert offset == len(block)
    return header["meta"], found


def unpack_sent(block: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """`unpack` of what went to the browser, which has eight bytes more: its stamp."""
    return unpack(block[:-STAMP])


def pictures(at: AppTest, key: str = "") -> list[dict[str, Any]]:
    """What each canvas whose key holds `key` was given: its header, and its arrays under `values`."""
    given = [each.proto.bytes for each in at.get("bidi_component") if key in each.proto.id and each.proto.bytes]
    return [meta | {"values": list(arrays.values())} for meta, arrays in map(unpack_sent, given)]


def address_of(at: AppTest) -> dict[str, Any]:
    """The query that the browser is told to write: each setting with its value, or a list of several."""
    [written] = [each for each in at.get("bidi_component") if each.key == "address"]
    query = parse_qs(json.loads(written.proto.json)["query"], keep_blank_values=True)
    return {key: values if len(values) > 1 else values[0] for key, values in query.items()}


def model_list(at: AppTest) -> Any:
    """The list of models in the sidebar."""
    [found] = [each for each in at.selectbox if each.key and each.key.startswith("model-list-")]
    return found


def charts(at: AppTest) -> list[pd.DataFrame]:
    """The data of each Vega chart."""
    protos = [each.proto for each in at.get("vega_lite_chart")]
    blocks = [proto.data.data or proto.datasets[0].data.data for proto in protos]
    return [pa.ipc.open_stream(io.BytesIO(block)).read_pandas() for block in blocks]


def said(at: AppTest) -> str:
    """All its paragraphs and captions."""
    return " ".join(unlinked(element.value) for element in [*at.markdown, *at.caption])


def unlinked(markdown: str) -> str:
    """Prose without its links to the glossary."""
    return LINK.sub(r"\1", markdown)


def behind(at: AppTest) -> tuple[Any, Any, Run]:
    """The page's model, tokenizer and run, loaded past every cache of the pages."""
    run: Run = at.session_state["visit"].run
    return *open_run(run), run


def look(at: AppTest, **settings: Any) -> AppTest:
    """The page after these settings were changed, hyphens as underscores; it must stand."""
    for key, value in settings.items():
        at.session_state[key.replace("_", "-")] = value
    at.run()
    assert not at.exception, (settings, at.exception[0].message)
    return at


def views(at: AppTest, setting: Setting) -> Iterator[str]:
    """Goes from view to view; each must stand, with no error, and show no number that is none."""
    for view in setting.options:
        look(at, **{setting.key: view})
        assert not at.error and "None" not in said(at) and "nan" not in said(at), (view, [e.value for e in at.error])
        yield view


def asked_twice(at: AppTest) -> list[str]:
    """Settings of the drawer that the page has too: with the same label, or with options that are all among the
    other's, unless those are the terms of the glossary."""
    drawer, page = (_asked(block) for block in (at.sidebar, at.main))
    same = [label for label, _ in drawer if label in {other for other, _ in page}]
    for label, options in drawer:
        same += [
            f"{label}, {other}"
            for other, among in page
            if among and options and (among <= options or options <= among) and other != "Term"
        ]
    return same


def _asked(block: Any) -> list[tuple[str, frozenset[str]]]:
    """The label and the options of each widget."""
    kinds = ("selectbox", "slider", "toggle", "number_input", "button_group", "select_slider", "multiselect")
    found = [each for kind in kinds for each in block.get(kind)]
    return [(each.label, frozenset(getattr(each, "options", ()))) for each in found]


def called(params: Mapping[str, object]) -> str:
    """A short name for settings, for the list of tests."""
    return " ".join(f"{key}={str(value)[:9]}" for key, value in params.items()) or "as is"
