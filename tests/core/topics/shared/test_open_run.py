"""Runs of trained models made without the app: they read a text as in training."""

from dataclasses import replace

import pytest

from core.checkpoints.shipped import ShippedModel
from core.model.masks import CausalMask, explicit_mask
from core.text.special import BOS, EOS
from core.topics.shared.open_run import open_run, run_of_model, trained_config
from core.tracing.run import Run, execute, prepare

STORY, ENGLISH = "Once upon a time there was a little girl", "A woman reads a red book in the garden."


def test_a_story_is_read_without_looking_ahead():
    run = run_of_model("storyteller", STORY)
    model, tokenizer = open_run(run)
    pattern = execute(model, run, prepare(run, tokenizer), ["decoder.0.pattern"])["decoder.0.pattern"]
    assert pattern.triu(1).abs().max() == 0 and pattern.tril().sum(-1).sub(1).abs().max() < 1e-5


def test_another_mask_is_the_callers_word():
    run = run_of_model("storyteller", STORY, masks=())
    model, tokenizer = open_run(run)
    pattern = execute(model, run, prepare(run, tokenizer), ["decoder.0.pattern"])["decoder.0.pattern"]
    assert run.masks == () and pattern[0, 0, 0, 1:].sum() > 0.5


def test_a_translator_reads_the_end_of_its_source_and_writes_without_looking_ahead():
    run = run_of_model("translator", ENGLISH, "Une femme lit un livre rouge.")
    rows = prepare(run, open_run(run)[1]).rows
    assert rows["encoder"].ids[-1] == EOS and rows["decoder"].ids[0] == BOS and run.masks == (CausalMask(),)
    with pytest.raises(ValueError, match="translator is an encoder-decoder: give the decoder's text as target"):
        run_of_model("translator", ENGLISH)


def test_a_model_of_lower_case_gets_lower_case():
    run = run_of_model("sentiment", "A GREAT Film")
    assert run.format.lower and run.text == "a great film" and run.masks == ()
    assert replace(run, text="WARM").text == "warm"


def test_a_trained_model_without_its_form_of_text_is_refused():
    with pytest.raises(ValueError, match=r"A run of storyteller needs the form .*run_of_model"):
        Run(STORY, trained_config("storyteller"), source=ShippedModel("storyteller"))


def test_a_step_of_training_is_read_as_its_model_is():
    early, last = (run_of_model(name, "d b a", "d b") for name in ("toy-copy/steps/000100", "toy-copy"))
    assert early.source == ShippedModel("toy-copy", 100) and early == replace(last, source=early.source)
    logits = []
    for run in (early, last):
        model, tokenizer = open_run(run)
        logits.append(execute(model, run, prepare(run, tokenizer), ["logits"]).output)
    assert (logits[0] - logits[1]).abs().max() > 1


def test_there_is_no_run_of_a_model_that_is_not_there():
    with pytest.raises(ValueError, match="gone"):
        run_of_model("gone", STORY)


def test_the_mask_of_fresh_weights_is_that_of_their_architecture():
    config = trained_config("storyteller")
    assert Run(STORY, config).masks == (CausalMask(),)
    assert Run(STORY, replace(config, architecture="encoder")).masks == ()
    assert explicit_mask(Run(STORY, config).masks, 3, 3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True] * 3,
    ]
