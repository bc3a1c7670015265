"""Scripts that run no transformer: positions, word vectors, and recurrent translators give the core's numbers."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import cycle
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from PIL import Image

from core.checkpoints import shipped
from core.checkpoints.card import read_card
from core.export.bundle import parts_files, take_parts_home
from core.export.dialect import DIALECTS, Dialect
from core.export.encodings import columns_script, distances_script, table_script
from core.export.notebook import Around
from core.export.recurrent import alignment_script, recurrent_weights, states_script
from core.export.script_parts import ScriptParts
from core.export.word_vectors import analogy_script, cosines_script, leaning_script, nearest_script
from core.model.recurrent import Recurrent
from core.text.pieces import AnyTokenizer
from core.topics.positions.encodings import Encoding, dot_products, encode
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, Passage
from core.topics.sequence_to_sequence.steps import states_left
from core.topics.sequence_to_sequence.translations import recurrent_passage, source_row
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.word_vectors.relations import analogy, cosines, leaning, neighbours
from core.topics.word_vectors.table import WordTable, read_table
from core.tracing.run import TokenRow
from tests.core.export.test_shipped_models import LONGEST, imported
from tests.core.export.written import numbers, run_alone

AROUND = Around("How?", "It is so.", "a = b", "<p>a picture</p>")
CLOSE = 1e-5
COLUMNS = [0, 1, 5]
ENCODINGS = (
    Encoding("sinusoidal"),
    Encoding("sinusoidal", 12, 9, 500.0),
    Encoding("rotary", 20, 8, 200.0),
    Encoding("binary", 20, 18),
    Encoding("alibi", 20, 8, head=1),
    Encoding("alibi", 20, 8, head=2, heads=6),
)
SENTENCE = "Two dogs are playing on the beach."


@cache
def table() -> WordTable:
    return read_table()


@cache
def translator(name: str) -> tuple[Recurrent, AnyTokenizer, TokenRow, Passage]:
    """A recurrent translator, its tokenizer, a sentence, and what it writes for it."""
    _, tokenizer = open_run(run_of_model("translator", SENTENCE, SENTENCE))
    model, source = shipped.load_recurrent(name), source_row(SENTENCE, tokenizer)
    return model, tokenizer, source, recurrent_passage(model, tokenizer, source)


def alignment() -> ScriptParts:
    model, _, source, passage = translator(ADDITIVE)
    return alignment_script(model, read_card(shipped.MODELS_FOLDER / ADDITIVE), SENTENCE, source, passage)


def states() -> ScriptParts:
    model, _, source, _ = translator(BOTTLENECK)
    return states_script(model, read_card(shipped.MODELS_FOLDER / BOTTLENECK), SENTENCE, source)


def written(folder: Path, parts: ScriptParts) -> Path:
    for name, data in parts_files(parts, AROUND):
        (folder / name).write_bytes(data)
    return folder


def without_figure(folder: Path, parts: ScriptParts, dialect: Dialect) -> dict[str, np.ndarray]:
    """The numbers of a script that is run without its figure, which takes a second."""
    text = parts.script(dialect)
    (folder / "numbers.py").write_text(text[: text.index("plt.rc(")])
    run_alone(folder, "numbers.py")
    return numbers(folder)


def same(found: np.ndarray, expected: np.ndarray) -> None:
    slack = CLOSE * max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found, expected, rtol=CLOSE, atol=slack)


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: f"{encoding.kind}-{encoding.width}")
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_an_encoding_is_the_cores(tmp_path: Path, dialect: Dialect, encoding: Encoding) -> None:
    expected, products = encode(encoding), dot_products(encoding)
    same(without_figure(tmp_path, table_script(encoding), dialect)["table"], expected)
    columns = without_figure(tmp_path, columns_script(encoding, COLUMNS), dialect)["columns"]
    same(columns, expected[:, COLUMNS].T)
    found = without_figure(tmp_path, distances_script(encoding), dialect)
    same(found["products"], products.square)
    same(found["means"], products.measured.mean)
    np.testing.assert_allclose(found["spreads"], products.measured.spread, atol=1e-3)  # a root of rounding


@pytest.mark.parametrize("kind", ["learned", "none"])
def test_an_encoding_without_a_formula_has_no_script(kind: str) -> None:
    for make in (table_script, distances_script, partial(columns_script, numbers=COLUMNS)):
        with pytest.raises(ValueError, match="There is no script"):
            make(Encoding(kind))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_words_are_those_of_the_page(tmp_path: Path, dialect: Dialect) -> None:
    parts = nearest_script(table(), "king", 10)
    written(tmp_path, parts)
    found = without_figure(tmp_path, parts, dialect)
    printed = [line.split() for line in run_alone(tmp_path, "numbers.py").splitlines()[1:]]
    for method, rows in (("skip-gram", printed[:10]), ("CBOW", printed[10:])):
        near = neighbours(table(), method, "king", 10)
        same(found[method], near.cosines)
        assert [row[:2] for row in rows] == [[method, word] for word in near.words]
    asked = ("man", "king", "woman")
    parts = analogy_script(table(), "CBOW", asked, 8)
    written(tmp_path, parts)
    answer = analogy(table(), "CBOW", asked, 8)
    found = without_figure(tmp_path, parts, dialect)
    same(found["cosines"], answer.near.cosines)
    same(found["t"], answer.terms[3])
    assert [line.split()[0] for line in run_alone(tmp_path, "numbers.py").splitlines()[1:]] == [*answer.near.words]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_cosines_are_those_of_the_page(tmp_path: Path, dialect: Dialect) -> None:
    words = ("cat", "dog", "ship", "queen")
    parts = cosines_script(table(), "skip-gram", words)
    written(tmp_path, parts)
    same(without_figure(tmp_path, parts, dialect)["cosines"], cosines(table(), "skip-gram", words))
    shown = leaning(table(), "skip-gram", ("man", "woman"), words)
    parts = leaning_script(table(), "skip-gram", ("man", "woman"), shown.words)
    same(without_figure(tmp_path, parts, dialect)["cosines"], shown.cosines)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_recurrent_translators_numbers_are_the_cores(tmp_path: Path, dialect: Dialect) -> None:
    passage = translator(ADDITIVE)[3]
    found = without_figure(written(tmp_path, alignment()), alignment(), dialect)
    same(found["pattern"], passage.states["decoder.pattern"])
    np.testing.assert_allclose(found["states"], passage.states["decoder.state"], atol=5e-5)  # rounding grows by step
    passage = translator(BOTTLENECK)[3]
    found = without_figure(written(tmp_path, states()), states(), dialect)
    same(found["states"], passage.states["forwards.state"])
    same(found["cosines"], states_left(passage, len(passage.source)))


def test_their_weights_are_handed_out_as_they_were_saved() -> None:
    for name in (ADDITIVE, BOTTLENECK):
        model = translator(name)[0]
        given = recurrent_weights(model).values()
        assert all(torch.equal(weight.half().float(), weight) for weight in given)  # float16 holds them exactly
        unused = model.out.parameters()  # no script comes to the logits
        assert sum(w.numel() for w in (*given, *unused)) == sum(w.numel() for w in model.parameters())


SCRIPTS: dict[str, Callable[[], ScriptParts]] = {
    "table": lambda: table_script(ENCODINGS[0]),
    "rotary": lambda: table_script(ENCODINGS[2]),
    "columns": lambda: columns_script(ENCODINGS[0], COLUMNS),
    "distances": lambda: distances_script(ENCODINGS[4]),
    "nearest": lambda: nearest_script(table(), "king", 10),
    "analogy": lambda: analogy_script(table(), "CBOW", ("man", "king", "woman"), 8),
    "cosines": lambda: cosines_script(table(), "CBOW", ("cat", "dog")),
    "leaning": lambda: leaning_script(table(), "CBOW", ("man", "woman"), ("nurse", "king")),
    "alignment": alignment,
    "states": states,
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_short_and_clean(tmp_path: Path, name: str) -> None:
    for dialect in DIALECTS:
        text = SCRIPTS[name]().script(dialect)
        assert 30 <= len(text.splitlines()) <= LONGEST
        library = {dialect.key, f"safetensors.{dialect.key}", "matplotlib.pyplot"}
        assert imported(text) <= {"json", "math", "pathlib", *library}
        (tmp_path / f"{dialect.key}_script.py").write_text(text)
    for command in (["check", "--select", "E,F,I,B,UP,SIM,C4,PIE,RET,PTH,W"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "100", tmp_path],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("name", "dialect"), zip(SCRIPTS, cycle(DIALECTS)))
def test_scripts_draw_a_figure_with_its_caption(tmp_path: Path, name: str, dialect: Dialect) -> None:
    parts = SCRIPTS[name]()
    written(tmp_path, parts)
    assert run_alone(tmp_path, f"{dialect.key}_run.py").startswith(parts.caption)
    with Image.open(tmp_path / "slide.png") as picture:
        assert picture.size == (1280, 720) and picture.info["Description"] == parts.caption


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_notebook_is_valid_and_has_the_script(name: str) -> None:
    parts = SCRIPTS[name]()
    files = dict(parts_files(parts, AROUND))
    notebook = nbformat.reads(files["notebook.ipynb"].decode(), as_version=4)
    nbformat.validate(notebook)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert all(text in code for text in parts.cells(DIALECTS[0]).values())
    said = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert AROUND.question in said and parts.title in said and parts.exercise in said
    assert {"caption.txt", "requirements.txt", "picture.html", "torch_run.py", "numpy_run.py"} <= {*files}
    assert take_parts_home(parts, AROUND)[:2] == b"PK"


def test_the_files_of_a_translator_name_its_licences() -> None:
    files = dict(alignment().files())
    assert json.loads(files["card.json"])["name"] == ADDITIVE and "trained on" in files["LICENCES.txt"].decode()
