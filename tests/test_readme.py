"""What README and docs say can be done, works as written."""

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from core.checkpoints.real.places import PLACE_VARIABLE
from tests.core.checkpoints.real.real_place import fill_place
from tests.pages.house import PAGES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
DOCS = {path.stem: path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))}
ALL = "\n".join([README, *DOCS.values(), (ROOT / "CONTRIBUTING.md").read_text()])


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def printed(example: str) -> list[str]:
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(example, "README.md", "exec"), {})
    return said.getvalue().splitlines()


def test_the_example_runs_and_prints_what_its_comments_say() -> None:
    (example,) = blocks("python")
    said = printed(example)
    assert said[0] == "storyteller, layer 4 · head 1: attention weights"
    assert said[-2] == "who" and 0 < float(said[-1]) < 1


def test_every_example_of_the_core_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_place(tmp_path)
    monkeypatch.setenv(PLACE_VARIABLE, str(tmp_path))
    said = [printed(example) for example in blocks("python", DOCS["core"])]
    looked, recorded, there, real, off, patched, forced, beams, slopes, written, placed, trained = said
    assert "def positions(L):" in placed and "import numpy as np" in placed
    assert "import torch" in written and "'numpy_run.py'" in written[-1] and "'weights.safetensors'" in written[-1]
    assert (
        looked[1] == "storyteller, layer 4 · head 1: attention weights"
        and "'who'" in looked[-1]
        and "layer 4 · head 1" in looked
    )
    assert recorded[:3] == ["torch.Size([1, 8, 9, 9])", "torch.Size([1, 9, 320])", "('who',)"]
    assert recorded[-1].startswith("logits ('B', 'L', 'V') ")
    assert there[0].endswith("'who']") and there[1].startswith("who ")
    logit, total = map(float, there[1].split()[1:])
    assert logit == pytest.approx(total, abs=1e-5)
    assert float(there[3].removeprefix("loss ")) < float(there[5].removeprefix("loss "))
    assert "real:gpt2, layer 1 · head 1" in real[1]
    assert off[0].startswith("tree ") and float(off[0].split()[1]) > float(off[1].split()[1])
    by_layer = json.loads(patched[0])
    assert len(by_layer) == 6 and by_layer[0] > by_layer[-1]
    assert forced[0].startswith("tensor([1., 0., 0.")
    assert beams[0].endswith("Le chat noir dort sur la chaise rouge.") and len(beams) == 4
    assert slopes == recorded[:1]
    first, last = map(float, trained[-1].split())
    assert last < first


def test_the_two_commands_are_those_of_the_makefile_and_of_ci() -> None:
    makefile = (ROOT / "Makefile").read_text()
    commands = [block.strip() for block in blocks("sh")[:2]]
    assert commands == ["make run", "make test"]
    assert all(f"\n{command.removeprefix('make ')}:" in makefile for command in commands)
    assert "make test" in (ROOT / ".ci/run").read_text()


def test_every_file_and_module_that_is_named_is_there() -> None:
    for path in re.findall(r"`((?:core|pages|tests|assets)/[\w/.]+)`", ALL):
        assert (ROOT / path).exists(), path
    for file in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", file.read_text()):
            assert (file.parent / link).exists(), (file.name, link)
    for module in re.findall(r"python -m ((?:core|tests)[\w.]+)", ALL):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists() or (ROOT / module.replace(".", "/")).is_dir(), module


def test_the_scores_in_the_docs_are_those_of_the_cards() -> None:
    table = DOCS["models"].split("## Trained models")[1].split("## ")[0]
    rows = re.findall(r"^\| ([a-z-]+) \|.*\|([^|]+)\|$", table, re.MULTILINE)
    shipped = {card.parent.name for card in (ROOT / "assets/models").glob("*/card.json")}
    assert {name for name, _ in rows if name != "model"} == shipped
    for name, said in rows:
        if name in shipped:
            scores = json.loads((ROOT / f"assets/models/{name}/card.json").read_text())["scores"].values()
            for number in re.findall(r"\d+\.\d+", said):
                places = len(number.partition(".")[2])
                assert float(number) in {round(score, places) for score in scores if isinstance(score, float)}, (
                    name,
                    number,
                )


def test_the_rooms_are_those_of_the_tree() -> None:
    table = DOCS["design"].split("## The rooms")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    named = {room.rstrip("/") for cell in cells for room in re.findall(r"`([^`]+)`", cell)}
    assert {"app.py", "assets", "tests"} <= named
    assert all((ROOT / room).exists() for room in named), named
    there = {path.relative_to(ROOT).as_posix() for room in ("pages", "core") for path in (ROOT / room).iterdir()}
    there = {path for path in there if "__" not in path}
    assert there <= named, there - named


def test_the_readme_is_short_and_leads_to_every_document() -> None:
    assert len(README.splitlines()) < 200
    assert set(re.findall(r"\(docs/([\w-]+)\.md\)", README)) == set(DOCS)


def test_every_page_has_its_row() -> None:
    table = README.split("## The pages")[1].split("\n## ")[0]
    assert re.findall(r"^\| \*\*(.+?)\*\* \|", table, re.MULTILINE) == [page.title for page in PAGES]
