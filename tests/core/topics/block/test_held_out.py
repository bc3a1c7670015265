"""The loss on the held-out texts against one answer at a time, worked out without batches."""

from dataclasses import replace

import pytest
import torch

from core.checkpoints import shipped
from core.checkpoints.shipped import ShippedModel
from core.checkpoints.source import Shipped
from core.device import Placement
from core.lab.live import measured_at
from core.lab.recipe import starting_recipe
from core.lab.recorded import recorded_run
from core.lab.step_source import LabStep
from core.model.transformer import Transformer
from core.registry import parse_source
from core.text.held_out import LETTERS, PAIRS, REVIEWS, STORY
from core.text.pieces import AnyTokenizer
from core.text.special import BOS, EOS, MASK
from core.topics.block.answers import AnswerHead
from core.topics.block.held_out import held_out_loss, held_out_pass, held_out_run
from core.topics.shared.loading import fresh_model
from core.tracing.run import Run

CPU = Placement("cpu", "float32")


def loaded(name: str) -> tuple[Shipped, Transformer, AnyTokenizer, AnswerHead, Run]:
    found = shipped.read(name)
    step = AnswerHead(shipped.class_layer(name), found.mask is not None)
    tokenizer = shipped.tokenizer(name)
    run = held_out_run(Run("", found.config, source=found.source, format=found.format), tokenizer)
    return found, shipped.load(name, CPU), tokenizer, step, run


def loss_of(
    step: AnswerHead, model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, name: str
) -> float | None:
    found = held_out_pass(step, model, tokenizer, run, stack)
    return None if found is None else held_out_loss(step, *found, model, tokenizer, run, name)


def minus_log(scores: torch.Tensor, right: int) -> float:
    return float(torch.logsumexp(scores.double(), -1) - scores[right].double())


def test_a_story_is_continued_piece_by_piece() -> None:
    _, model, tokenizer, step, run = loaded("storyteller-small")
    ids = tokenizer.encode(STORY).ids
    with torch.inference_mode():
        lost = [minus_log(model(target=torch.tensor([ids[:n]]))[0, -1], ids[n]) for n in range(1, len(ids))]
    expected = sum(lost) / len(lost)
    assert loss_of(step, model, tokenizer, run, "decoder", "") == pytest.approx(expected, abs=1e-4)
    assert 3 < expected < 5 < (loss_of(step, model, tokenizer, run, "decoder", "no residuals") or 0)


def test_a_translation_is_continued_from_its_source() -> None:
    _, model, tokenizer, step, run = loaded("translator")
    lost = []
    with torch.inference_mode():
        for english, french in PAIRS:
            source = torch.tensor([[*tokenizer.encode(english).ids, EOS]])
            written = [BOS, *tokenizer.encode(french).ids, EOS]
            scores = model(source, torch.tensor([written[:-1]]))[0]
            lost += [minus_log(scores[place], right) for place, right in enumerate(written[1:])]
    expected = sum(lost) / len(lost)
    assert loss_of(step, model, tokenizer, run, "decoder", "") == pytest.approx(expected, abs=1e-4)
    assert expected < 1.5


def test_each_piece_is_hidden_once() -> None:
    _, model, tokenizer, step, run = loaded("reader")
    ids, lost = tokenizer.encode(STORY).ids[:63], []
    with torch.inference_mode():
        for first in range(7):
            hidden = range(first, 63, 7)
            final = model(torch.tensor([[MASK if place in hidden else piece for place, piece in enumerate(ids)]]))[0]
            lost += [minus_log(final[place] @ model.embed.weight.T, ids[place]) for place in hidden]
    assert len(lost) == 63
    expected = sum(lost) / 63
    assert loss_of(step, model, tokenizer, run, "encoder", "") == pytest.approx(expected, abs=1e-4)


def test_reviews_are_judged_one_by_one() -> None:
    _, model, tokenizer, step, run = loaded("sentiment")
    assert step.classes is not None
    lost = []
    with torch.inference_mode():
        for text, good in REVIEWS:
            mean = model(torch.tensor([tokenizer.encode(text).ids]))[0].mean(0)
            lost.append(
                minus_log(step.classes.linear(mean), step.classes.labels.index("positive" if good else "negative"))
            )
    expected = sum(lost) / len(lost)
    assert loss_of(step, model, tokenizer, run, "encoder", "") == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("name", "answer"), [("toy-reverse", "ehawtmbzqk"), ("toy-sort", "abehkmqtwz")])
def test_letters_are_written_backwards_or_in_order(name: str, answer: str) -> None:
    _, model, tokenizer, step, run = loaded(name)
    found = loss_of(step, model, tokenizer, run, "decoder", "")
    assert found is not None and found < 0.01
    source = torch.tensor([[*tokenizer.encode(LETTERS[0]).ids, EOS]])
    target = torch.tensor([[BOS, *tokenizer.encode(answer).ids]])
    with torch.inference_mode():
        assert tokenizer.decode(model(source, target)[0, :-1].argmax(-1).tolist()) == answer


def test_letters_that_come_again_are_known_and_fresh_ones_are_not_asked_for() -> None:
    _, model, tokenizer, step, run = loaded("toy-copy")
    found = loss_of(step, model, tokenizer, run, "decoder", "")
    assert found is not None and found < 0.01


def test_a_step_of_the_lab_has_the_loss_that_the_lab_measured() -> None:
    """What the lab measured is rounded to five digits, and was measured before the weights were float16."""
    name, step = "recorded:induction-2-layers@3000", AnswerHead()
    found, tokenizer = parse_source(name).open()
    model = found.source.load(CPU)
    run = held_out_run(Run("", found.config, source=found.source, format=found.format), tokenizer)
    measured = recorded_run("induction-2-layers").history[-1]["held_out_loss"]
    assert loss_of(step, model, tokenizer, run, "decoder", "") == pytest.approx(measured, abs=2e-3)
    stranger = ShippedModel("lab-induction")
    unknown = held_out_run(Run("a b", found.config, source=stranger, format=found.format), tokenizer)
    assert unknown.text == "a b" and loss_of(step, model, tokenizer, unknown, "decoder", "") is None


def test_an_encoder_decoder_of_the_lab_has_the_loss_that_the_lab_measures() -> None:
    recipe = starting_recipe("reverse", architecture="encoder-decoder", steps=40)
    [measured] = measured_at(recipe, 30)
    name, step = LabStep(recipe, 30).address, AnswerHead()
    found, tokenizer = parse_source(name).open()
    model = found.source.load(CPU)
    run = held_out_run(Run("", found.config, source=found.source, format=found.format), tokenizer)
    assert "→" not in run.text and len(run.text.split()) == len(run.target.split()) == 6
    found_loss = loss_of(step, model, tokenizer, run, "decoder", "")
    assert found_loss == pytest.approx(measured.held_out_loss, abs=1e-5)


def test_random_weights_have_a_loss_where_they_answer_and_none_where_not() -> None:
    _, _, tokenizer, _, run = loaded("storyteller-small")
    config = replace(run.config, layers=1, d_model=8, heads=2, seed=3)
    plain = replace(run, config=config, source=None)
    loss = loss_of(AnswerHead(), fresh_model(config, CPU), tokenizer, plain, "decoder", "")
    assert loss is not None and loss > 6
    encoder = replace(config, architecture="encoder")
    silent = replace(plain, config=encoder)
    assert loss_of(AnswerHead(), fresh_model(encoder, CPU), tokenizer, silent, "encoder", "") is None
