"""The arrows between the rooms run one way, read from the imports of every file; importing the core does nothing."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rooms import CORE, PAGES, ROOT, WRITERS, imports, inside, module, problems, reaching, sources


def test_each_file_keeps_to_its_room():
    assert [problem for path, source in sources().items() for problem in problems(path, source)] == []


def test_no_chart_reaches_torch_by_a_detour():
    assert reaching(sources(), "core.charts", "torch", "core.model", "core.analysis") == []


def test_every_room_has_its_rule():
    rooms = {".".join(module(path).split(".")[:2]) for path in sources() if path.startswith("core/")} - {"core"}
    assert rooms == CORE.keys()
    assert all((ROOT / room.replace(".", "/")).is_dir() for room in PAGES)


def test_each_writer_needs_its_leave():
    files = {module(path): (path, source) for path, source in sources().items()}
    for name in WRITERS:
        path, source = files[name]
        assert any("readings" in each.split(".") for each in imports(path, ast.parse(source))), name


BROKEN = [
    ("core/x.py", "import streamlit as st", "imports streamlit"),
    ("core/x.py", "from pages.shell import frame", "imports pages.shell"),
    ("core/model/x.py", "def f():\n    from pages.shell import frame", "imports pages.shell"),
    ("core/model/x.py", "import core.analysis.costs", "imports core.analysis.costs"),
    ("core/model/x.py", "from core.tracing.taps import Tap", "imports core.tracing.taps"),
    ("core/model/x.py", "from core.text.special import PAD", "imports core.text.special"),
    ("core/text/x.py", "from core.model import config", "imports core.model"),
    ("core/tracing/x.py", "from core.topics.shared import places", "imports core.topics.shared"),
    ("core/checkpoints/x.py", "from core.training import recipe", "imports core.training"),
    ("core/decoding/x.py", "from core.tracing import run", "imports core.tracing"),
    ("core/memory.py", "from core.device import choose", "imports core.device"),
    ("core/memory.py", "from core.device import processors", "imports core.device"),
    ("core/analysis/x.py", "from core.topics import shared", "imports core.topics"),
    ("core/analysis/x.py", "from . import heads\nfrom .. import charts", "imports core.charts"),
    ("core/analysis/x.py", "from core.readings.words import number", "imports core.readings.words"),
    ("core/analysis/x.py", "import streamlit", "imports streamlit"),
    ("core/analysis/x.py", "import os", "imports os"),
    ("core/analysis/x.py", "from pathlib import Path", "imports pathlib"),
    ("core/analysis/x.py", "import subprocess", "imports subprocess"),
    ("core/analysis/x.py", "text = open('/proc/meminfo').read()", "uses open"),
    ("core/readings/x.py", "import os.path", "imports os.path"),
    ("core/readings/x.py", "from core.charts import bars", "imports core.charts"),
    ("core/charts/x.py", "import torch.nn.functional as F", "imports torch.nn.functional"),
    ("core/charts/x.py", "from core import model", "imports core.model"),
    ("core/charts/x.py", "from ..model.config import TransformerConfig", "imports core.model.config"),
    ("core/charts/x.py", "from core.topics.scaling.analysis import WIDTHS", "imports core.topics.scaling.analysis"),
    ("core/charts/x.py", "from streamlit import cache_data", "imports streamlit"),
    ("core/topics/heads/x.py", "from core.topics.masks import batch", "imports core.topics.masks"),
    ("core/topics/shared/x.py", "from core.topics.heads import ablation", "imports core.topics.heads"),
    ("core/topics/self_attention/x.py", "from ..journey.records import Stage", "imports core.topics.journey.records"),
    ("core/topics/masks/x.py", "from core.charts import bars", "imports core.charts"),
    ("core/topics/masks/x.py", "from core.training import loop", "imports core.training"),
    ("core/topics/masks/charts.py", "import torch", "imports torch"),
    ("core/topics/masks/charts/x.py", "import core.topics.masks.records", "imports core.topics.masks.records"),
    ("core/topics/masks/readings.py", "import os", "imports os"),
    ("core/topics/masks/x.py", "from core.topics.masks.charts import rows", "imports core.topics.masks.charts"),
    ("core/topics/masks/x.py", "from core.readings.words import number", "imports core.readings.words"),
    ("core/topics/masks/x.py", "from .readings import read_mask", "imports core.topics.masks.readings"),
    ("core/topics/masks/analysis/x.py", "import core.topics.masks.readings", "imports core.topics.masks.readings"),
    ("core/charts/x.py", "from core.topics.masks.charts import rows", "imports core.topics.masks.charts"),
    ("pages/words/tokens/x.py", "from core.topics.masks.analysis import x", "imports core.topics.masks.analysis"),
    ("core/training/x.py", "from core.topics.self_attention import one_head", "imports core.topics.self_attention"),
    ("pages/words/tokens/x.py", "import torch", "imports torch"),
    ("pages/words/tokens/x.py", "torch = __import__('torch')", "imports torch"),
    ("pages/words/tokens/x.py", "import importlib\nimportlib.import_module('torch')", "imports torch"),
    ("pages/words/tokens/x.py", "from core.model.config import SCORES", "imports core.model.config"),
    ("pages/words/tokens/x.py", "from core import analysis", "imports core.analysis"),
    ("pages/shell/x.py", "from core.model.config import SCORES", "imports core.model.config"),
    ("pages/words/tokens/x.py", "from pages.words.pieces import page", "imports pages.words.pieces"),
    ("pages/words/tokens/x.py", "from pages.attention.heads.page import PAGE", "imports pages.attention.heads.page"),
    ("pages/words/tokens/x.py", "from ..pieces import page", "imports pages.words.pieces"),
    ("pages/shell/x.py", "from pages.words.tokens import page", "imports pages.words.tokens"),
    ("pages/widgets/x.py", "from pages.words.tokens import page", "imports pages.words.tokens"),
    ("pages/compute/x.py", "from pages.words.tokens import page", "imports pages.words.tokens"),
    ("pages/canvas/lines/x.py", "from pages.words.tokens import page", "imports pages.words.tokens"),
    ("pages/widgets/x.py", "from pages.shell import frame", "imports pages.shell"),
    ("pages/canvas/x.py", "from pages.shell import frame", "imports pages.shell"),
    ("pages/canvas/lines/x.py", "from pages.widgets import table", "imports pages.widgets"),
    ("pages/compute/x.py", "from pages.widgets import table", "imports pages.widgets"),
    ("pages/words/tokens/x.py", "import app", "imports app"),
    ("pages/words/tokens/x.py", "import streamlit as st", "imports streamlit"),
    ("pages/words/tokens/page.py", "@st.cache_data\ndef f(): ...", "uses st.cache_data"),
    ("pages/widgets/x.py", "from streamlit import cache_resource", "uses streamlit.cache_resource"),
    ("pages/tokens.py", "", "stands in no topic's folder"),
    ("pages/words/tokens.py", "", "stands in no topic's folder"),
    ("app.py", "from streamlit import cache_resource", "uses streamlit.cache_resource"),
    ("app.py", "import torch", "imports torch"),
    ("core/x.py", "import pickle", "imports pickle"),
    ("tests/x.py", "weights = torch.load(path)", "uses torch.load"),
    ("core/x.py", "model.layer.register_forward_hook(f)", "uses model.layer.register_forward_hook"),
    ("core/x.py", "\n" * 401, "has 401 lines, more than 400"),
]


@pytest.mark.parametrize(("path", "source", "problem"), BROKEN)
def test_the_checker_sees_a_broken_rule(path, source, problem):
    assert f"{path} {problem}" in problems(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/charts/x.py", "import altair as alt\nfrom core.charts import style"),
        ("core/analysis/x.py", "import torch\nfrom core.model.config import TransformerConfig"),
        (
            "core/topics/heads/x.py",
            "from core.topics.shared.places import HeadAddress\nimport core.topics.self_attention.cells",
        ),
        ("core/topics/heads/x.py", "from core.topics.generate import texts\nfrom .records import Patterns"),
        (
            "core/topics/self_attention/steps.py",
            "from core.readings.words import number\nfrom core.analysis import arithmetic",
        ),
        ("core/memory.py", "import os\nfrom pathlib import Path"),
        ("pages/words/tokens/queries.py", "import streamlit as st\n@st.cache_data\ndef f(): ..."),
        ("pages/compute/x.py", "import streamlit as st\nst.cache_resource(f)"),
        ("pages/shell/x.py", "import streamlit as st\nfrom pages.widgets import table\nst.cache_data(table)"),
        (
            "pages/words/tokens/x.py",
            "import torchlike\nfrom pages.compute.one_head import head\nimport core.text.words",
        ),
        ("pages/words/tokens/x.py", "from pages.words.tokens.settings import ROW\nfrom pages.shell.view import Shown"),
        ("pages/widgets/x.py", "from pages.canvas.ticker.ticker import ticker"),
        ("app.py", "from pages.words.tokens import page"),
        ("tests/x.py", "import torch\nfrom pages.words.tokens import page\nfrom core.analysis import heads"),
    ],
)
def test_the_checker_lets_right_arrows_pass(path, source):
    assert problems(path, source) == []


def test_the_checker_sees_a_detour():
    files = {"core/charts/x.py": "from core.text.words import name", "core/text/words.py": "import torch"}
    assert reaching(files, "core.charts", "torch") == ["core.charts.x"]


WATCHED_IMPORTS = """
import contextlib, importlib, io, json, random, sys
import numpy, torch

def state():
    return (torch.get_rng_state().tolist(), torch.get_num_threads(), torch.get_default_dtype(),
            torch.is_grad_enabled(), random.getstate(), str(numpy.random.get_state()))

found = []
for name in json.loads(sys.argv[1]):
    before, said = state(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        importlib.import_module(name)
    if said.getvalue():
        found.append(f"importing {name} prints {said.getvalue()!r}")
    if state() != before:
        found.append(f"importing {name} changes the state of torch, numpy or random")
print(json.dumps(found))
"""


def side_effects(modules: list[str], room: Path = ROOT) -> list[str]:
    """What importing each module does beside defining things, in a process of its own."""
    command = [sys.executable, "-c", WATCHED_IMPORTS, json.dumps(modules)]
    done = subprocess.run(command, cwd=room, capture_output=True, text=True, check=True, timeout=280)
    return json.loads(done.stdout)


def test_importing_the_core_does_nothing():
    assert side_effects([module(path) for path in sources() if inside(module(path), "core")]) == []


def test_the_watch_over_imports_sees_a_side_effect(tmp_path):
    sources = {"says": "print('hello')", "seeds": "torch.manual_seed(0)", "sets": "torch.set_num_threads(3)"}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(f"import torch\n{source}")
    found = side_effects([*sources], tmp_path)
    assert [each.split()[1] for each in found] == [*sources]
