"""A new page is new files in a folder of its own and one line in app.py: done here, in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rooms import ROOT, problems

SETTINGS = '''"""What a visitor can set on the page Lengths."""

from pages.widgets.setting import Setting

LEAST = Setting("lengths-least", "Least letters", "int", 1, "Shorter pieces are left out.", low=1, high=20)
'''
PAGE = '''"""How long the pieces of a text are."""

from collections.abc import Iterator

import numpy as np

from core.tracing.run import Run
from pages.examples.lengths.settings import LEAST
from pages.compute.cache import check
from pages.shell.page import Page
from pages.shell.view import Shown, View
from pages.widgets.parts import Message
from pages.widgets.setting import Control, Values, control
from pages.widgets.table import Table


def controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(LEAST)


def show(run: Run, values: Values) -> Shown:
    """The letters of each piece."""
    row = check(run)[run.config.stacks[0]]
    long = [(label, len(piece)) for label, piece in zip(row.labels, row.pieces) if len(piece) >= values[LEAST]]
    if not long:
        return Shown([Message("No piece is that long.")])
    labels, lengths = zip(*long)
    return Shown(
        takeaway=f"The longest piece has {max(lengths)} letters.",
        table=Table("lengths", np.array([lengths]).T, labels, ["letters"], "piece", unfolded=True),
        source=("core.text.tokenizer.Tokenizer.encode",),
    )


PAGE = Page(
    file=__file__,
    title="Lengths",
    address="lengths",
    icon=":material/straighten:",
    question="How long are the pieces?",
    definition="A piece is a part of a text that a model reads at once.",
    introduction="A text is cut into pieces, some short and some long.",
    views=(View("all", show, controls), View("again", show, controls)),
    settings=(LEAST,),
)
'''
CHECK = """
import sys

from tests.pages.conftest import unopened
from tests.pages.screen import address_of, said

PAGE = "pages/examples/lengths/page.py"


def test_a_setting_in_the_address_is_kept_or_refused():
    app = unopened()
    app.query_params["lengths-least"] = "3"
    app.run().switch_page(PAGE).run()
    assert not app.exception and not app.warning, (app.exception, [each.value for each in app.warning])
    assert app.title[0].value == "How long are the pieces?"
    assert app.number_input(key="lengths-least").value == 3
    assert address_of(app)["lengths-least"] in ("3", ["3"])
    app = unopened()
    app.query_params["lengths-least"] = "999"
    app.run().switch_page(PAGE).run()
    assert "Least letters cannot be" in app.warning[0].value


def test_the_view_of_the_recipe_is_drawn_with_a_trained_model_and_with_random_weights():
    for model in ("translator", "random weights"):
        app = unopened()
        app.query_params.update({"heads-view": "how many keys", "model": model})
        app.run().switch_page("pages/attention/heads/page.py").run()
        assert not app.exception and not app.warning and not app.error
        assert "On average a query looks at" in said(app)
        assert app.get("vega_lite_chart")


def test_no_page_needs_the_compiler_of_pytorch():
    assert "torch._dynamo" not in sys.modules, "importing it takes a second and 70 MB"
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's code in another place, with the page Lengths added to it."""
    for room in ("core", "pages", "tests"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "app.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    for shared in ("assets", ".streamlit"):
        (tmp_path / shared).symlink_to(ROOT / shared)
    topic = tmp_path / "pages/examples/lengths"
    topic.mkdir(parents=True)
    (topic / "settings.py").write_text(SETTINGS)
    (topic / "page.py").write_text(PAGE)
    add_view(tmp_path)
    app = (tmp_path / "app.py").read_text()
    line = '    "Examples": ("pages.examples.lengths",),\n}\n'
    (tmp_path / "app.py").write_text(app.replace("\n}\n", f"\n{line}", 1))
    return tmp_path


def add_view(project: Path) -> None:
    """Add the view of CONTRIBUTING's recipe to Heads: each of its files begins with its path."""
    for path, source in recipe().items():
        (project / path).write_text(source)
    page, imports = project / "pages/attention/heads/page.py", "from pages.attention.heads import "
    view = re.search(r"`(spread\.VIEW)` among its `views`", (ROOT / "CONTRIBUTING.md").read_text())
    assert view is not None
    text = page.read_text().replace(imports, f"{imports}spread, ")
    page.write_text(text.replace("    views=(\n", f"    views=(\n        {view[1]},\n"))


def recipe() -> dict[str, str]:
    """The files of CONTRIBUTING's recipe for a view, by their paths."""
    blocks = re.findall(r"```python\n# (\S+\.py)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    return dict(blocks)


def test_a_new_page_needs_its_folder_and_one_line(copy: Path) -> None:
    (copy / "tests/pages/test_lengths.py").write_text(CHECK)
    some = "test_lengths or unlike or lengths and (opens or hostile or low)"
    files = ("tests/pages/test_lengths.py", "tests/pages/test_every_page.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *files, "-k", some],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0 and "7 passed" in done.stdout, done.stdout[-3000:] + done.stderr[-3000:]
    for path, source in (("settings.py", SETTINGS), ("page.py", PAGE)):
        assert problems(f"pages/examples/lengths/{path}", source) == []
    files_of_view = recipe()
    assert len(files_of_view) == 2
    for path, source in files_of_view.items():
        assert problems(path, source) == []
