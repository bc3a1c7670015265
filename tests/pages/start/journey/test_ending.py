"""How the journey ends: next tokens, a verdict, guesses, or a translation."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.checkpoints import shipped, weights
from core.checkpoints.shipped import MODELS_FOLDER
from core.model.masks import PaddingMask
from core.readings.words import percent
from core.text.special import BOS, EOS, MASK
from core.tracing.run import Run
from pages.compute.cache import trained
from pages.shell.run_plan import DEFAULTS, make_run
from pages.start.journey import queries
from pages.start.journey.page import PAGE
from pages.widgets.chart import Chart
from pages.widgets.parts import Cards, Markdown
from pages.widgets.place import ATTENTION
from pages.widgets.setting import Values
from pages.widgets.words import plain
from tests.pages.start.journey.test_stages import parts
from tests.pages.start.journey.test_words import told

show_journey = PAGE.view("stages").show


def test_a_decoder_shows_the_likeliest_next_tokens() -> None:
    run, record = told(kind="decoder")
    (chart,) = (part for part in parts(show_journey(run, Values())) if isinstance(part, Chart))
    pieces, probabilities = zip(*record.next_pieces, strict=True)
    assert [label.partition(": ")[2] for label in chart.data["label"]] == list(pieces)
    np.testing.assert_allclose(chart.data["value"], probabilities, rtol=1e-6)
    assert not any(isinstance(part, Chart) for part in parts(show_journey(told()[0], Values())))


def ends_with(run: Run) -> list[str]:
    """What is written under the last stage."""
    (cards,) = show_journey(run, Values({ATTENTION: "cross"})).pictures
    assert isinstance(cards, Cards)
    return [part.text for part in cards.cards[-1][1:] if isinstance(part, Markdown)]


def test_a_classifier_ends_with_its_verdict() -> None:
    run = make_run(DEFAULTS, "a gripping film", "", trained("sentiment"))
    whole, card = weights.load(MODELS_FOLDER / "sentiment")
    ids = torch.tensor([shipped.tokenizer("sentiment").encode("a gripping film").ids])
    probabilities = whole(ids)[0].softmax(-1).tolist()
    shares = {
        label: percent(probability) for label, probability in zip(card.config["labels"], probabilities, strict=True)
    }
    best, worst = sorted(shares, key=lambda label: -probabilities[card.config["labels"].index(label)])
    assert ends_with(run) == [f"**The verdict: {best}, {shares[best]}** ({worst} {shares[worst]})"]
    assert "these rows are its answer" in cards_text(told()[0]) and ends_with(told()[0]) == []
    assert "gives each class its chance" in cards_text(run)


def cards_text(run: Run) -> str:
    return " ".join(part.text for part in parts(show_journey(run, Values())) if isinstance(part, Markdown))


def test_a_reader_ends_with_its_guesses_for_what_is_hidden() -> None:
    run = make_run(DEFAULTS, "She opened the [MASK] and went into the house.", "", trained("reader"))
    model, tokenizer = shipped.load("reader", run.placement), shipped.tokenizer("reader")
    ids = tokenizer.encode(run.text).ids
    probabilities = (model(torch.tensor([ids]))[0, ids.index(MASK)] @ model.embed.weight.T).softmax(-1)
    best = probabilities.topk(8)
    (chart,) = (part for part in parts(show_journey(run, Values())) if isinstance(part, Chart))
    assert [label.partition(": ")[2] for label in chart.data["label"]] == list(tokenizer.labels(best.indices.tolist()))
    np.testing.assert_allclose(chart.data["value"], best.values, rtol=1e-4)
    assert "these are the likeliest to be hidden there" in cards_text(run)
    whole = replace(run, text="She opened the door.")
    assert "write [MASK] in place of a word" in cards_text(whole)
    assert not any(isinstance(part, Chart) for part in parts(show_journey(whole, Values())))


def test_padding_has_no_part_in_the_verdict() -> None:
    alone = make_run(DEFAULTS, "a dull film", "", trained("sentiment"))
    padded = replace(alone, masks=(PaddingMask(),), pads=4)
    for (label, probability), (other, share) in zip(queries.judged(alone), queries.judged(padded), strict=True):
        assert label == other and share == pytest.approx(probability, abs=1e-5)


def test_a_translator_ends_with_its_own_translation_whatever_its_decoder_reads() -> None:
    run = make_run(DEFAULTS, "I see a dog.", "Bonjour", trained("translator"))
    model, tokenizer = shipped.load("translator", run.placement), shipped.tokenizer("translator")
    source = torch.tensor([[*tokenizer.encode(run.text).ids, EOS]])
    ids = [BOS]
    while ids[-1] != EOS and len(ids) < 40:
        ids.append(int(model(source, torch.tensor([ids]))[0, -1].argmax()))
    (said,) = ends_with(run)
    assert said == f"**From your text the model writes:** {plain(tokenizer.decode(tuple(ids[1:-1])))}"
    (fresh,) = ends_with(told(kind="encoder-decoder")[0])
    assert fresh.startswith("Its weights are random, so what it writes from your text means nothing: ")
