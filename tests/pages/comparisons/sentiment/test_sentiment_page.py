"""The page Sentiment: every view on its own numbers, and for encoders that give no verdict."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.checkpoints import shipped
from core.checkpoints.measured import load_measured
from core.text.labels import ORDINALS
from core.topics.sentiment.labels import label_curve
from core.topics.sentiment.readings import name_verdict, read_score
from core.tracing.run import Run
from pages.canvas import Matrices, TokenButtons
from pages.comparisons.sentiment import queries, settings
from pages.comparisons.sentiment.page import PAGE
from pages.shell import MODEL, TEXT
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.widgets import Button, Caption, Chart, Message, Row, Values, plain
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import HOSTILE, said

SENTENCE = "the plot is thin but the actors are wonderful"
OF_A_VERDICT = ("verdict", "why", "permuted", "negations")


def run_of(text: str = SENTENCE, model: str = "sentiment") -> Run:
    return make_run(DEFAULTS, text, "", shipped.read(model))


def shown(view: str, values: dict[Any, Any] | None = None, run: Run | None = None) -> Shown:
    found: Shown = PAGE.view(view).show(run or run_of(), Values(values))
    return found


def part(found: Shown, kind: type) -> Any:
    return next(each for each in found.pictures if isinstance(each, kind))


def test_every_other_classifier_judges_the_same_text_and_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of()
    known, found = queries.listed()["sentiment"], queries.growing_verdict(run)
    monkeypatch.setattr(queries, "listed", lambda: {"sentiment": known})
    assert not queries.other_verdicts(run), "it is the only one"
    others = queries.other_verdicts(replace(run, source=shipped.ShippedModel("reader")))
    assert list(others) == ["sentiment"]
    np.testing.assert_array_equal(others["sentiment"].probabilities, found.probabilities)
    monkeypatch.setattr(queries, "other_verdicts", lambda run: {"other": found})
    (row,) = [each for each in shown("verdict").pictures if isinstance(each, Row)]
    said, button = row.parts
    assert isinstance(said, Caption) and isinstance(button, Button)
    assert said.text == f"“other” says: {plain(name_verdict(found.labels, float(found.probabilities[-1])))}"
    assert button.sets() == {MODEL.key: "other"}


@pytest.mark.parametrize("text", [PAGE.text, SENTENCE, "good, good! not bad, just awful.", "It was fine..."])
def test_the_headline_says_of_a_word_what_is_drawn_at_it(text: str) -> None:
    found = shown("verdict", run=run_of(text, "sentiment-reader"))
    (moved,) = re.findall(r"(?i)(?:the (\w+) )?“([^”]+)” moved it.* went from (.+) to (.+)\.$", found.said[1])
    ordinal, word, *shares = moved
    tokens = part(found, TokenButtons).tokens
    places = [place for place, token in enumerate(tokens) if token.piece == word]
    place = places[ORDINALS.index(ordinal) if ordinal else 0]
    assert [token.under for token in tokens[place - 1 : place + 1]] == shares


@pytest.mark.parametrize("view", OF_A_VERDICT)
def test_an_encoder_without_classes_says_what_to_choose(view: str) -> None:
    run = run_of(model="reader")
    (message,) = shown(view, run=run).pictures
    assert isinstance(message, Message) and "Classifier of film reviews" in message.text
    assert list(PAGE.view(view).controls(run, Values())) == []
    seconds = PAGE.view(view).seconds
    assert seconds is None or seconds(run, Values()) == 0


def test_a_click_leaves_a_word_out_and_a_second_brings_it_back() -> None:
    line = part(shown("why"), TokenButtons)
    assert line.sets(3) == {settings.WORD.key: "3", settings.REPLACEMENT.key: ""}
    found = shown("why", {settings.WORD: "3"})
    line, chart = part(found, TokenButtons), part(found, Chart)
    assert [token.struck for token in line.tokens].index(True) == 3
    assert line.sets(3)[settings.WORD.key] == "none" == chart.sets(3)[settings.WORD.key]
    assert found.said[0].startswith("Without “thin”, “positive” goes from")
    assert (chart.data[chart.data["place"] == 3]["value"] == 0).all() and chart.data["here"].sum() == 4
    put = shown("why", {settings.WORD: "3", settings.REPLACEMENT: "Wonderful"})
    assert put.said[0].startswith("With “wonderful” in place of “thin”")
    assert part(put, TokenButtons).tokens[3].new and part(put, Matrices).panels[1].values.shape[0] >= 9


def test_bars_reach_up_to_the_longest_of_their_row() -> None:
    data = part(shown("why"), Chart).data
    for _, row in data.groupby("method"):
        at = row["value"].abs().idxmax()
        share = (row["high"] - row["low"]) / (row.loc[at, "high"] - row.loc[at, "low"])
        assert np.allclose(share, row["value"] / row.loc[at, "value"])


def test_a_sentence_of_the_list_can_be_taken_as_the_text() -> None:
    found = shown("negations", {settings.SENTENCE: 31})
    row = part(found, Row)
    button = next(each for each in row.parts if isinstance(each, Button))
    assert button.sets() == {TEXT.key: "this is not a bad film."}
    assert part(found, Chart).data.query("chosen").place.tolist() == [30]
    assert part(found, Chart).sets(30) == {settings.SENTENCE.key: 31}
    tables: Any = found.table
    judged, alone, others = tables
    right = list(judged.columns["judged"]).count("right")
    assert alone.columns["text"] == ["not good", "not bad"] and others.columns["judged right"]
    assert found.said[0].startswith(f"{right} of 60 sentences")


def test_both_classifiers_stand_beside_each_other_with_the_numbers_of_their_cards() -> None:
    found, other = (shown("negations", run=run_of(model=name)) for name in ("sentiment", "sentiment-reader"))
    right = shipped.read("sentiment-reader").card.scores["negations"].partition(" ")[0]
    assert other.said[0].startswith(f"{right} of 60") and f"pre-trained” judges {right} right." in found.said[1]
    probability = float(queries.growing_verdict(run_of("not good")).probabilities[-1])
    assert name_verdict(("negative", "positive"), probability) in found.said[2] and found.said[2] != other.said[2]
    scores = [shipped.read(name).card.scores for name in ("sentiment", "sentiment-reader")]
    assert all(f"{each['accuracy_dev']:.1f}% (95% interval" in shown("pre-training").said[-1] for each in scores)
    assert plain(read_score(scores[0])) in shown("verdict").about[0]


def test_pre_training_shows_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"pretrained": [[80, 82], [84, 84]], "fresh": [[60, 62], [70, 72]]}
    curve = label_curve({"sizes": [50, 100], "accuracy": rows, "base": "reader", "command": "c"})
    monkeypatch.setattr(queries, "label_curve", lambda: curve)
    found = shown("pre-training")
    bars, lines = (each for each in found.pictures if isinstance(each, Chart))
    data, counts = lines.data, dict(zip(bars.data.label, bars.data.value, strict=True))
    for name, label in (("sentiment", "good or bad"), ("sentiment-reader", "pre-trained")):
        assert shipped.read(name).card.scores["negations"] == f"{counts[label]:.0f} of 60"
    most, least = (f"{pick(counts.values()):.0f}" for pick in (max, min))
    assert found.said[0] == (
        f"The “pre-trained” classifier judges {most} sentences with a negation right, the “good or bad” one only "
        f"{least}."
    )
    assert len(data) == 8 and "20.0 points" in found.said[2]
    assert found.said[1] == "With 50 labelled sentences the pre-trained network judges better."
    assert data[(data["arm"] == "without") & (data["size"] == 100)]["accuracy"].tolist() == [70, 72]
    tables: Any = found.table
    labels, gain, _ = tables
    assert labels.values.shape == (4, 2) and gain.values[0].tolist() == [20, 13]


def test_what_is_wrong_with_the_measured_file_is_said_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "load_measured", lambda name: load_measured(name, tmp_path))
    for text, why in (("", "is missing"), ("{", "cannot be read"), ("{}", "does not hold what it should")):
        if text:
            (tmp_path / "labels.json").write_text(text)
        said = part(shown("pre-training"), Message).text.replace("\\", "")
        assert f"The file labels.json {why}" in said and "python -m core.training labels --data DIR" in said


@pytest.mark.parametrize("view", OF_A_VERDICT[:3])
@pytest.mark.parametrize("text", ["x", "<script>alert(1)</script> **bold** $x$ good", "film " * 300])
def test_any_text_has_a_verdict(view: str, text: str) -> None:
    found = (
        shown(view, {settings.WORD: "0", settings.REPLACEMENT: "_good_ " * 3}, run_of(text))
        if text != "film " * 300
        else None
    )
    found = found or shown(view, run=run_of(text))
    assert found.pictures and all("nan" not in sentence for sentence in found.said)
    if len(text) > 1000:
        assert any(note and "96" in note for note in found.notes)


def test_hostile_words_stand_as_text(open_page: Open) -> None:
    asked = {"t": HOSTILE, PAGE.look_at.key: "why", settings.WORD.key: "1", settings.REPLACEMENT.key: "<script>x"}
    at = open_page(path_of(PAGE), model="sentiment", **asked)
    assert not at.exception and not at.error
    assert "in place of" in said(at) and "<script" not in said(at).replace("\\<script", "")
