"""The short way into the core: its numbers are those of the run, it shows itself safely, and its command works."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from core.explore import Matrix, explore
from core.topics.generate.texts import generate_tokens
from core.topics.shared.open_run import open_run, run_of_model
from core.tracing.edits import ablate_head
from core.tracing.run import execute, prepare

ROOT = Path(__file__).parents[3]
TEXT = "Once upon a time there was a little girl"
HOSTILE = ("0:<script>alert(1)</script>", '1:" onload="x', "2:&amp;")


class Words(HTMLParser):
    """The tags and the words of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_pattern_is_that_of_the_run_and_counts_from_one() -> None:
    explored = explore(TEXT)
    model, tokenizer = open_run(explored.run)
    seen = execute(model, explored.run, prepare(explored.run, tokenizer), ["pattern"])["decoder.3.pattern"][0, 0]
    found = explored.pattern(4, 1)
    allowed = np.tril(np.ones(found.values.shape, dtype=bool))
    np.testing.assert_allclose(np.where(allowed, found.values, 0), seen.numpy(), atol=1e-5)
    assert np.isnan(found.values[~allowed]).all()
    assert [row.partition(":")[2] for row in found.rows] == list(explored.tokens)


def test_a_head_that_is_switched_off_changes_what_comes_next() -> None:
    explored, without = explore(TEXT), explore(TEXT).without(5, 4)
    assert without.run.edits == (ablate_head(explored.run.config, layer=4, head=3),)
    model, tokenizer = open_run(explored.run)
    inputs = prepare(explored.run, tokenizer)
    for each in (explored, without):
        chances = execute(model, each.run, inputs, ["logits"])["logits"][0, -1].softmax(-1)
        likeliest = each.next(1)[0]
        assert likeliest.own == pytest.approx(float(chances[likeliest.id]), abs=1e-5)
    assert explored.next(1)[0].own != without.next(1)[0].own


def test_the_numbers_of_a_head_stand_in_its_row() -> None:
    found = explore(TEXT).heads()
    assert found.values.shape == (48, 7) and found.rows[24] == "layer 4 · head 1"
    previous = found.columns.index("Previous token")
    assert found.values[24, previous] > 0.8 and found.values[24, previous] == np.nanmax(found.values[:, previous])


def test_without_a_target_the_decoder_reads_what_the_model_writes() -> None:
    explored = explore("The black cat sleeps.", model="translator")
    run = run_of_model("translator", "The black cat sleeps.", "…")
    ids = [token.chosen for token in generate_tokens(*open_run(run), run) if not token.ended]
    assert explored.run.target == explored.tokenizer.target.decode(ids)
    cross = explored.pattern(2, 3, cross=True)
    assert cross.values.shape == (len(explored.written), len(explored.tokens))
    np.testing.assert_allclose(cross.values.sum(-1), 1, atol=1e-5)
    assert explore("The cat.", model="translator", target="Le chien.").written[1:3] == ("Le", "chien")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: explore(TEXT, model="nobody"), "There is no model 'nobody'. There are reader, "),
        (lambda: explore(TEXT, model="../nobody"), "There is no model"),
        (lambda: explore(""), "Type at least one word"),
        (lambda: explore(TEXT).pattern(7, 1), "layers 1 to 6 there, and no layer 7"),
        (lambda: explore(TEXT).pattern(0, 1), "no layer 0"),
        (lambda: explore(TEXT).pattern(1, 9), "heads 1 to 8 there, and no head 9"),
        (lambda: explore(TEXT).pattern(1, 1, stack="encoder"), "has no encoder"),
        (lambda: explore(TEXT).pattern(1, 1, cross=True), "no cross-attention"),
        (lambda: explore("a b", model="reader").next(), "An encoder writes nothing"),
    ],
)
def test_what_is_not_there_gets_a_sentence(call, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        print(call())


def test_labels_never_reach_html_or_svg_unescaped() -> None:
    matrix = Matrix(np.array([[0.5, np.nan, 1.0]] * 3), HOSTILE, HOSTILE, "<b>title</b>")
    page = Words(matrix.to_html())
    assert set(page.tags) <= {"html", "meta", "title", "table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert HOSTILE[0] in page.words and "0.50" in page.words and "·" in page.words
    texts = [each.text for each in ElementTree.fromstring(matrix.to_svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["<b>title</b>", *HOSTILE, *HOSTILE]
    assert "0.50" in str(matrix) and str(matrix).splitlines()[0] == "<b>title</b>"


def test_a_picture_for_paper_has_its_numbers_and_frames_a_cell() -> None:
    matrix = Matrix(np.array([[1.0, np.nan], [0.25, 0.755]]), ("a", "b"), ("c", "d"), "T")
    picture = ElementTree.fromstring(matrix.to_svg(with_numbers=True, marked=(1, 0)))
    texts = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["T", "c", "d", "a", "1.00", "·", "b", "0.25", "0.76"]
    *cells, frame = picture.iter("{http://www.w3.org/2000/svg}rect")
    assert len(cells) == 4 and [frame.get(name) for name in "xy"] == [cells[2].get(name) for name in "xy"]
    assert "stroke-width" in frame.attrib and "stroke-width" not in cells[2].attrib


def test_the_command_prints_a_head_and_writes_it(tmp_path: Path) -> None:
    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        called = [sys.executable, "-m", "core.explore", *arguments]
        return subprocess.run(called, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)

    said = command(TEXT, "--layer", "4", "--head", "1", "--out", str(tmp_path / "head.svg"))
    assert said.returncode == 0 and said.stdout.splitlines() == str(explore(TEXT).pattern(4, 1)).splitlines()
    assert (tmp_path / "head.svg").read_text() == explore(TEXT).pattern(4, 1).to_svg()
    refused = command(TEXT, "--layer", "9")
    assert refused.returncode == 1 and "no layer 9" in refused.stderr and not refused.stdout
