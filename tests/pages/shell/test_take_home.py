"""Take it home: which views have it, that its scripts give the core's numbers, and what its panel says."""

import contextlib
import runpy
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.export.asked import Asked
from core.export.bundle import files
from core.export.dialect import NUMPY
from core.export.script import cells, joined
from core.topics.shared.open_run import class_layer, open_run
from pages.shell.take_home import NOTHING, shows_run
from pages.widgets import Values, place_of
from tests.core.export.written import assert_same
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, PAGES
from tests.pages.sentences import run_for
from tests.rooms import ROOT


def test_every_page_that_has_it_gives_the_numbers_of_its_run(tmp_path: Path) -> None:
    seen = set()
    for page in PAGES:
        if not any(shows_run(page, page.view(view.name)) for view in page.views):
            continue
        run = run_for(page, page.text or "The black cat sleeps on the red chair.")
        place = place_of(run, Values())
        if (run, place) in seen:
            continue
        seen.add((run, place))
        model, tokenizer = open_run(run)
        asked = Asked(run, place, tokenizer, class_layer(run))
        for name, data in files(asked, model):
            (tmp_path / name).write_bytes(data)
        text = joined({name: part for name, part in cells(asked, NUMPY).items() if name != "figure"})
        (tmp_path / "numbers.py").write_text(text)
        with contextlib.chdir(tmp_path), contextlib.redirect_stdout(None):
            runpy.run_path("numbers.py")
        assert_same(tmp_path, asked, model)
    assert len(seen) > 4


def test_the_panel_has_both_scripts_of_the_chosen_head(open_page: Open) -> None:
    key = "heads-all-heads-take-home"
    at = open_page("pages/attention/heads/page.py", t="the cat sat on the mat", layer="2", head="3")
    assert not any("import torch" in block.value for block in at.code)
    at.session_state[key] = True
    at.run()
    torch_script, numpy_script = (block.value for block in at.code if "load_file" in block.value)
    assert "import torch" in torch_script and "import numpy as np" in numpy_script
    assert 'PATTERNS["encoder.1"][2]' in torch_script and 'PATTERNS["encoder.1"][2]' in numpy_script
    assert any("layer 2 · head 3" in caption.value for caption in at.caption)
    copied = next(block.value for block in at.code if "Rows are queries" in block.value)
    assert copied.startswith("Attention weights of layer 2 · head 3 of ") and "“the cat sat on the mat”" in copied


def opened_panel(open_page: Open, address: str, view: str, **chosen: str) -> tuple[str, str, str]:
    """What the panel of a view says, and its scripts in PyTorch and in NumPy."""
    file = Path(BY_ADDRESS[address].file).relative_to(ROOT)
    at = open_page(str(file), **{f"{address}-view": view}, **chosen)
    at.session_state[f"{address}-{view}-take-home".replace(" ", "-")] = True
    at.run()
    assert not at.exception and not at.error
    [torch_script, numpy_script] = (block.value for block in at.code if "save_file" in block.value)
    [panel] = (caption.value for caption in at.caption if "needs nothing of this app" in caption.value)
    return panel, torch_script, numpy_script


@pytest.mark.parametrize(
    ("address", "view", "chosen", "line", "said"),
    [
        ("self-attention", "six steps", {}, "VECTORS = [", "The queries, keys and values of"),
        ("self-attention", "six steps", {"self-attention-step": "3 scale"}, "scores = SHOWN[", "The scores of"),
        ("self-attention", "six steps", {"self-attention-step": "5 softmax"}, "pattern = PATTERNS[", "What layer"),
        ("heads", "Q, K, V", {}, "VECTORS = [", "The queries, keys and values of"),
        ("scaling", "four scores", {"scaling-show": "scores"}, "scores = SHOWN[", "The scores of"),
        ("generate", "layer by layer", {}, "streams.append(x)", "What each layer of"),
    ],
)
def test_a_view_exports_the_numbers_that_it_shows(
    open_page: Open, address: str, view: str, chosen: dict[str, str], line: str, said: str
) -> None:
    panel, torch_script, numpy_script = opened_panel(open_page, address, view, t="Once upon a time there was", **chosen)
    assert line in torch_script and line in numpy_script and torch_script.startswith(f'"""{said}')
    assert "nothing else of this view is in it" in panel and ("SHOWN" in panel) == ("SHOWN" in torch_script)


def test_a_page_that_translates_exports_the_translation(open_page: Open) -> None:
    at = open_page("pages/transformer/translate/page.py", model="translator", t="The black cat sleeps.")
    at.session_state["translate-step-by-step-take-home"] = True
    at.run()
    [script, _] = (block.value for block in at.code if "load_file" in block.value)
    assert 'DECODER_TOKENS = ["(start)", "Le", "chat", "noir"' in script
    assert 'PATTERNS["decoder.0.cross"][0]' in script
    assert any("the translation that the model writes" in caption.value for caption in at.caption)


@pytest.mark.parametrize(
    ("address", "view", "chosen", "line", "said"),
    [
        ("positions", "heatmap", {}, "table = positions(L)", "Sinusoidal positions, 64 positions, 64 dimensions"),
        ("positions", "waves", {"positions-encoding": "rotary"}, "COLUMNS = [0, 1, 16, 17]", "Rotary positions"),
        ("positions", "how alike", {"positions-encoding": "alibi"}, "table = alibi(L)[HEAD]", "Penalties of ALiBi"),
        (
            "word-vectors",
            "neighbours",
            {"word-vectors-word": "ship"},
            'WORD, COUNT = "ship"',
            "The words nearest to “ship”",
        ),
        ("word-vectors", "analogies", {}, 'ASKED = ["man", "king", "woman"]', "man is to king as woman is to what"),
        ("word-vectors", "similarity", {}, "cosines = X @ X.mT", "The cosines of"),
        ("word-vectors", "bias", {}, 'ENDS = ["', "Which words lean to"),
        ("sequence-to-sequence", "hidden states", {}, 'read("forwards", SOURCE_IDS)', "What rnn-bottleneck keeps"),
        ("sequence-to-sequence", "additive attention", {}, "def attend(s, h, keys):", "Where rnn-attention looks"),
    ],
)
def test_a_view_without_a_run_exports_what_it_shows(
    open_page: Open, address: str, view: str, chosen: dict[str, str], line: str, said: str
) -> None:
    panel, torch_script, numpy_script = opened_panel(open_page, address, view, **chosen)
    assert line in torch_script and line in numpy_script and torch_script.startswith(f'"""{said}')
    assert f"Now: {said}" in panel.replace("\\", "")


def test_a_table_without_a_formula_says_so(open_page: Open) -> None:
    chosen = {"positions-view": "heatmap", "positions-encoding": "learned"}
    at = open_page("pages/attention/positions/page.py", **chosen)
    at.session_state["positions-heatmap-take-home"] = True
    at.run()
    [error] = at.error
    assert "numbers are random, and no formula gives them" in error.value.replace("\\", "")


def test_a_view_without_a_script_says_so(open_page: Open) -> None:
    at = open_page("pages/attention/positions/page.py", **{"positions-view": "shuffle"})
    assert any(caption.value == NOTHING for caption in at.caption)
    for address in ("lessons", "sources", "layer-costs"):
        page = BY_ADDRESS[address]
        assert not any(shows_run(page, page.view(view.name)) or view.script for view in page.views)


def test_a_run_that_has_no_script_says_why(open_page: Open) -> None:
    at = open_page("pages/attention/heads/page.py", t="the cat sat", dtype="bfloat16")
    at.session_state["heads-all-heads-take-home"] = True
    at.run()
    assert any("There is no script of a run in bfloat16" in error.value for error in at.error)


def test_the_zip_has_the_picture_of_the_view_which_answers_clicks(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[Callable[[], bytes]]()

    def download_button(label: str, make: Callable[[], bytes], **options: object) -> None:
        made.append(make)

    monkeypatch.setattr("pages.shell.take_home.st.download_button", download_button)
    at = open_page("pages/attention/heads/page.py", t="the cat sat on the mat", layer="2", head="3")
    at.session_state["heads-all-heads-take-home"] = True
    at.run()
    with ZipFile(BytesIO(made[-1]())) as held:
        picture, notebook = held.read("picture.html").decode(), held.read("notebook.ipynb").decode()
    assert 'data-drawing="head_grid"' in picture and "the cat sat on the mat" in picture
    assert "picture.html" in notebook
