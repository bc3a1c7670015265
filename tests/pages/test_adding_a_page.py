"""A new page is a few files and one line in app.py: done here from the recipes in docs, in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rooms import ROOT, problems

RECIPES = ("docs/new_page.md", "docs/harder_page.md")
CHECK = """
import re
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from core.topics.shared.open_run import open_run, run_of_model
from core.topics.sparse.strided import StridedMask, influence
from tests.pages.conftest import unopened
from tests.pages.screen import address_of, said

PAGE = "pages/examples/order/page.py"


def test_a_setting_in_the_address_is_kept_or_refused():
    app = unopened()
    app.query_params["order-shuffles"] = "3"
    app.run().switch_page(PAGE).run()
    assert not app.exception and not app.warning, (app.exception, [each.value for each in app.warning])
    assert app.title[0].value == "Does a head need the words in their order?"
    assert app.number_input(key="order-shuffles").value == 3
    assert address_of(app)["order-shuffles"] in ("3", ["3"])
    app = unopened()
    app.query_params["order-shuffles"] = "999"
    app.run().switch_page(PAGE).run()
    assert "Shuffles cannot be" in app.warning[0].value


def test_the_job_counts_every_order_and_its_mean_is_shown():
    app = unopened()
    app.query_params["order-shuffles"] = "5"
    app.run().switch_page(PAGE).run()
    assert app.get("vega_lite_chart") and "looks at" in said(app) and "words shuffled" not in said(app)
    app.button(key="order-job-shuffle").click().run()
    end = time.monotonic() + 60
    while app.button(key="order-job-shuffle").label == "Stop" and time.monotonic() < end:
        time.sleep(0.05)
        app.run()
    assert not app.exception and not app.error and "words shuffled" in said(app)


def test_the_view_of_the_recipe_is_drawn_with_a_trained_model_and_with_random_weights():
    for model in ("translator", "random weights"):
        app = unopened()
        app.query_params.update({"heads-view": "how many keys", "model": model})
        app.run().switch_page("pages/attention/heads/page.py").run()
        assert not app.exception and not app.warning and not app.error
        assert "On average a query looks at" in said(app)
        assert app.get("vega_lite_chart")


def test_a_mask_of_its_own_a_gradient_and_a_second_text():
    app = unopened()
    app.query_params.update({"sparse-step": "2", "sparse-second": "A dog saw a cat.", "t": "Once upon a time"})
    app.run().switch_page("pages/examples/sparse/page.py").run()
    assert not app.exception and not app.warning and not app.error
    assert len(app.get("vega_lite_chart")) == 2
    counts = [(int(some), int(each)) for some, each in re.findall(r"(\\d+) of (\\d+) tokens", said(app))]
    assert len(counts) == 2 and all(some == -(-each // 2) for some, each in counts), "every other token, and the last"


def test_no_gradient_reaches_what_a_strided_mask_hides():
    run = run_of_model("storyteller", "Once upon a time there was a girl")
    model, tokenizer = open_run(run)
    assert (influence(model, tokenizer, run).lengths > 0).all()
    lengths = influence(model, tokenizer, replace(run, masks=(*run.masks, StridedMask(3)))).lengths
    back = np.arange(len(lengths))[::-1]
    assert ((lengths > 0) == (back % 3 == 0)).all()


def test_no_page_needs_the_compiler_of_pytorch():
    assert "torch._dynamo" not in sys.modules, "importing it takes a second and 70 MB"
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's code in another place, with the pages of the recipes and the view of CONTRIBUTING added to it."""
    for room in ("core", "pages", "tests"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "app.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    for shared in ("assets", ".streamlit"):
        (tmp_path / shared).symlink_to(ROOT / shared)
    for recipe in RECIPES:
        add_page(tmp_path, recipe)
    add_view(tmp_path)
    return tmp_path


def add_page(project: Path, recipe: str) -> None:
    """Add the page of a recipe: its files, and its line in app.py."""
    for path, source in blocks(recipe).items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(source)
    app = project / "app.py"
    line = re.search(r"^    \"\w+\": \(\"pages\.examples\..*$", (ROOT / recipe).read_text(), re.MULTILINE)
    assert line is not None
    app.write_text(app.read_text().replace("\n}\n", f"\n{line[0]}\n}}\n", 1))


def add_view(project: Path) -> None:
    """Add the view of CONTRIBUTING's recipe to Heads: each of its files begins with its path."""
    for path, source in blocks("CONTRIBUTING.md").items():
        (project / path).write_text(source)
    page, imports = project / "pages/attention/heads/page.py", "from pages.attention.heads import (\n"
    view = re.search(r"`(spread\.VIEW)` among its `views`", (ROOT / "CONTRIBUTING.md").read_text())
    assert view is not None
    text = page.read_text().replace(imports, f"{imports}    spread,\n")
    page.write_text(text.replace("    views=(\n", f"    views=(\n        {view[1]},\n"))


def blocks(document: str) -> dict[str, str]:
    """The files in a document's blocks of code, by the path in the first line of each."""
    return dict(re.findall(r"```python\n# (\S+\.py)\n(.*?)```", (ROOT / document).read_text(), re.DOTALL))


def test_a_new_page_needs_a_few_files_and_one_line(copy: Path) -> None:
    (copy / "tests/pages/test_order.py").write_text(CHECK)
    some = "test_order or unlike or (order or sparse) and (opens or hostile or low) or python and sparse"
    files = [f"tests/pages/test_{name}.py" for name in ("order", "every_page", "python_that_ran")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *files, "-k", some],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0 and "14 passed" in done.stdout, done.stdout[-3000:] + done.stderr[-3000:]
    of_order, of_sparse, of_view = (blocks(document) for document in (*RECIPES, "CONTRIBUTING.md"))
    assert (len(of_order), len(of_sparse), len(of_view)) == (6, 5, 2)
    for path, source in {**of_order, **of_sparse, **of_view}.items():
        assert problems(path, source) == []
