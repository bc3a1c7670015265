"""The sentences that a translator is known to translate well, with the weights that are shipped."""

import json
from pathlib import Path

import pytest

from core.checkpoints import shipped
from core.checkpoints.measured import load_measured
from core.checkpoints.sentences import known_sentences
from core.device import Placement
from core.text.own_text import broken_words, repeated_words
from core.tracing.run import Run, prepare
from core.training.sentences import KEPT_SENTENCES, LEAST, MOST, exact_pairs
from core.training.translation import Parallel, translate

MODEL = "translator"
EVERY = 20  # sentences, of which one is translated again


def test_the_shipped_model_translates_them_as_the_file_says() -> None:
    measured = load_measured(f"sentences-{MODEL}")
    assert measured["steps"] == shipped.read(MODEL).card.steps
    assert len(measured["pairs"]) > KEPT_SENTENCES // 2
    pairs = measured["pairs"][::EVERY]
    model, tokenizer = shipped.load(MODEL, Placement("cpu", "float32")), shipped.tokenizer(MODEL)
    found = translate(model, tokenizer, [english for english, _ in pairs], width=1)  # type: ignore[arg-type]
    assert found == [french for _, french in pairs]


def test_none_of_them_would_be_warned_of() -> None:
    found, tokenizer = shipped.read(MODEL), shipped.tokenizer(MODEL)
    for english, french in load_measured(f"sentences-{MODEL}")["pairs"]:
        run = Run(english, found.config, english, source=found.source, format=found.format)
        row = prepare(run, tokenizer).rows["encoder"]
        assert not repeated_words(french)
        assert len(broken_words(row.word_labels, row.words)) < 2, english


def test_only_exact_translations_of_some_words_are_kept() -> None:
    words = ["one", "two", "three", "four"]
    english = (" ".join(words), " ".join(words[: LEAST - 1]), " ".join(words * MOST), "five six seven eight")
    test = Parallel(english, (("un",), ("deux",), ("trois",), ("quatre", "cinq")))
    assert exact_pairs(test, ["un", "deux", "trois", "cinq"]) == [(english[0], "un"), (english[3], "cinq")]
    assert exact_pairs(test, ["Un", "", "", "six"]) == []
    many = Parallel(tuple(f"a b c {n}" for n in range(2 * KEPT_SENTENCES)), (("x",),) * (2 * KEPT_SENTENCES))
    kept = exact_pairs(many, ["x"] * (2 * KEPT_SENTENCES))
    assert len(kept) == KEPT_SENTENCES and kept[1][0] == "a b c 2"


@pytest.mark.parametrize("damaged", ["{}", "[]", '{"pairs": 1}', '{"pairs": [1]}', "{"])
def test_a_damaged_file_offers_none(damaged: str, tmp_path: Path) -> None:
    assert known_sentences("x", tmp_path) == ()
    (tmp_path / "sentences-y.json").write_text(damaged)
    assert known_sentences("y", tmp_path) == ()
    (tmp_path / "sentences-z.json").write_text(json.dumps({"pairs": [["a", "b"]]}))
    assert known_sentences("z", tmp_path) == ("a",)
