"""Every view stands as it opens and shows functions that there are; its Python runs as it stands, without Streamlit,
and gives the numbers on the screen."""

import ast
import io
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from core.topics.architecture.memory import TrainingMemory, WritingMemory
from pages.compute.as_python import REST_COMMENT, write_python, written_piece
from pages.compute.expressions import CallLog
from pages.shell.page import Page
from pages.transformer.architecture.settings import COSTS_OF, TRAINING, WRITING
from pages.widgets import Setting, Table
from pages.widgets.source import show_source, source
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, PAGES, path_of
from tests.pages.test_every_page import through_views
from tests.rooms import ROOT

LONGEST = 70  # lines: three models on three texts
WITHOUT_NUMBERS = ("A to Z",)  # views that show words alone


class Logs(list[CallLog]):
    """The log of each view that is drawn, in order. named: the functions of all views."""

    def __init__(self) -> None:
        self.named: set[str] = set()


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> Logs:
    found = Logs()

    def told(paths: Sequence[str], key: str, write_piece: Callable[[], str]) -> None:
        assert isinstance(write_piece, partial) and write_piece.func is write_python
        found.extend(write_piece.args)
        found.named.update(paths)
        show_source(paths, key, write_piece)

    monkeypatch.setattr("pages.shell.layout.show_source", told)
    return found


def drawn_settings(page: Page) -> dict[str, Any]:
    """Another value of every setting of a page that has options or bounds, drawn by the page's name."""
    draw = random.Random(page.address)
    return {
        each.key: drawn_value(each, draw)
        for each in page.settings
        if each.kind not in ("text", "multi_pills", "multiselect")
    }


def drawn_value(setting: Setting, draw: random.Random) -> str:
    if setting.options:
        return draw.choice(setting.options)
    if setting.kind == "toggle":
        return draw.choice(("true", "false"))
    return f"{draw.randint(int(setting.low), int(min(setting.high, setting.low + 9)))}"


@pytest.mark.parametrize("drawn", [False, True], ids=["as it opens", "as drawn"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_the_python_of_every_view_gives_its_numbers(page: Page, drawn: bool, open_page: Open, logs: Logs) -> None:
    asked = drawn_settings(page) if drawn else {}
    at = open_page(path_of(page), **({"model": page.model} if page.model else {}), **asked)
    assert drawn or not at.warning, [warning.value for warning in at.warning]
    seen = 0
    for view in through_views(at, page):
        seen += 1
        if not logs:  # it shows no source, as where it says only why there is nothing to see
            assert drawn or view in WITHOUT_NUMBERS, view
            continue
        piece = written_piece(logs[-1])
        assert piece.text, view
        assert drawn or len(piece.text.splitlines()) <= LONGEST, (view, piece.text)
        assert_gives(piece.text, piece.results, view)
        logs.clear()
    assert seen == len(page.views)
    assert logs.named and all(source(path) for path in logs.named)


def assert_gives(text: str, results: Mapping[str, Any], view: str) -> None:
    """Run a piece in a namespace of its own, and compare what it computes with what the view got."""
    imported = {node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    assert all(name.startswith("core.") or name in ("core", "dataclasses") for name in imported), (view, imported)
    namespace: dict[str, Any] = {}
    try:
        with redirect_stdout(io.StringIO()):
            exec(compile(text, view, "exec"), namespace)
    except Exception as mistake:
        raise AssertionError(f"{view}: {mistake!r}\n{text}") from mistake
    for name, value in results.items():
        assert same(eval(name, namespace), value), (view, name, text)


def same(one: Any, two: Any) -> bool:
    """Whether two results are alike, to the rounding of another order of summation."""
    if isinstance(two, torch.Tensor):
        one, two = one.detach().float().cpu().numpy(), two.detach().float().cpu().numpy()
    if isinstance(two, np.ma.MaskedArray):  # of which NumPy calls two alike only where a number is left
        return (
            isinstance(one, np.ma.MaskedArray)
            and same(np.ma.getmaskarray(one), np.ma.getmaskarray(two))
            and same(one.filled(0), two.filled(0))
        )
    if (isinstance(two, np.ndarray) and two.dtype.kind in "fc") or isinstance(two, float):
        return np.shape(one) == np.shape(two) and np.allclose(one, two, 1e-3, 1e-4, equal_nan=True)
    if isinstance(two, np.ndarray):
        return bool(np.array_equal(one, two))
    if is_dataclass(two) and not isinstance(two, type):
        names = [each.name for each in fields(two) if each.compare]
        return type(one) is type(two) and all(same(getattr(one, name), getattr(two, name)) for name in names)
    if isinstance(two, Mapping):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in two)
    if isinstance(two, tuple | list):
        return len(one) == len(two) and all(map(same, one, two))
    return isinstance(two, torch.nn.Module) or type(two).__module__.startswith("core.text") or bool(one == two)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("depth", {"depth-view": "what is left"}),
        ("depth", {"depth-view": "signal and gradient"}),
        ("depth", {"depth-view": "tokens grow alike"}),
        ("depth", {"depth-view": "recurrent net"}),
    ],
)
def test_the_python_ends_with_what_is_drawn_not_with_what_it_is_the_mean_of(
    address: str, asked: dict[str, str], open_page: Open, logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = list[Table]()
    monkeypatch.setattr("pages.shell.layout.data_table", lambda table, key, several: tables.append(table))
    open_page(path_of(BY_ADDRESS[address]), **asked)
    piece, (table,) = written_piece(logs[-1]), tables
    ends = [value for name, value in piece.results.items() if f"print({name})" in piece.text]
    assert piece.text.endswith(REST_COMMENT)
    found = np.unique(np.concatenate([*numbers_in(ends)]))
    shown = np.asarray(table.values, float)
    shown = shown[np.isfinite(shown)]
    assert all(np.isclose(found, number, 1e-3, 1e-6).any() for number in shown)


def numbers_in(value: Any) -> Iterator[np.ndarray]:
    """The numbers of a result and of its parts."""
    if isinstance(value, np.ndarray | int | float):
        yield np.ravel(value).astype(float)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from numbers_in(part)
    elif is_dataclass(value):
        for each in fields(value):
            yield from numbers_in(getattr(value, each.name))


@pytest.mark.parametrize("way", [TRAINING, WRITING])
def test_the_python_of_a_models_memory_computes_its_bytes(way: str, open_page: Open, logs: Logs) -> None:
    page = BY_ADDRESS["architecture"]
    open_page(path_of(page), model="storyteller", **{page.look_at.key: "what each part costs", COSTS_OF.key: way})
    results = written_piece(logs[-1]).results
    assert any(isinstance(value, TrainingMemory | WritingMemory) for value in results.values())


@pytest.mark.parametrize(("address", "view"), [("heads", "all heads"), ("translate", "beam")])
def test_a_copied_piece_runs_in_python_by_itself_without_streamlit(
    address: str, view: str, open_page: Open, logs: Logs
) -> None:
    page = BY_ADDRESS[address]
    open_page(path_of(page), **{"model": page.model, page.look_at.key: view})
    ends = "\nimport sys\nassert not {'streamlit', 'pages'} & set(sys.modules)\nprint('done')\n"
    command = [sys.executable, "-c", write_python(logs[-1]) + ends]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=True)
    assert done.stdout.endswith("done\n") and len(done.stdout) > 100
