"""A text's step is explained by the passes that wrote it, so that bfloat16, too, explains the token that it wrote."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.decoding.sampling import Sampling
from core.device import Placement
from core.topics.generate import setup
from core.topics.generate import texts as text_verbs
from core.topics.generate import views as view_verbs
from core.topics.generate.records import GeneratedToken, GenerationStep
from core.topics.generate.samples import samples as draw_texts
from core.tracing.run import Run

texts: Any = text_verbs
samples: Any = draw_texts
views: Any = view_verbs
COUNT = 20
DRAWN = Sampling(0.9, 50, 0.95, seed=5)


@pytest.fixture(scope="module", params=["bfloat16", "float32"])
def written(request: pytest.FixtureRequest) -> Any:
    """A model with its tokenizer and run, and a text that it wrote at once."""
    found, place = shipped.read("storyteller"), Placement("cpu", request.param)
    run = Run("Once upon a time a girl", found.config, source=found.source, placement=place, format=found.format)
    behind = shipped.load("storyteller", place), shipped.tokenizer("storyteller"), run
    return behind, list(texts.generate(*behind, DRAWN, max_tokens=COUNT))


def token_of(step: GenerationStep) -> GeneratedToken:
    return GeneratedToken(**{field.name: getattr(step, field.name) for field in fields(GeneratedToken)})


def test_a_step_has_the_numbers_from_which_its_token_was_drawn(written: Any) -> None:
    behind, made = written
    assert len(made) == COUNT > 2 * setup.STRETCH_TOKENS
    for each in made:
        alone = texts.step(*behind, each.ids, DRAWN, each.number)
        assert token_of(alone) == token_of(each) and alone.likely == each.likely
        assert all(np.array_equal(a.logits, b.logits) for a, b in zip(alone.stages, each.stages, strict=True))


@pytest.mark.parametrize("before", [1, 8, 13])
def test_a_text_goes_on_as_if_it_had_been_written_at_once(written: Any, before: int) -> None:
    behind, made = written
    done = tuple(each.chosen for each in made[:before])
    after = texts.generate_tokens(*behind, DRAWN, max_tokens=COUNT - before, written=done)
    assert list(after) == [token_of(each) for each in made[before:]]


def test_a_text_drawn_among_others_is_the_text_alone(written: Any) -> None:
    behind, made = written
    first, second = samples(*behind, DRAWN, 2, COUNT)
    assert list(first.ids) == [each.chosen for each in made] != list(second.ids)
    assert first.log_probability == pytest.approx(sum(np.log(each.own) for each in made), rel=1e-5)


def test_the_lens_ends_in_the_chance_at_which_the_token_was_written(written: Any) -> None:
    behind, made = written
    for each in made[7:10]:
        found = views.lens(*behind, each.ids, each.number, each.chosen)
        assert found.probability.shape == (7, len(each.ids)) == found.chosen.shape
        assert found.chosen[-1, -1] == pytest.approx(each.own, rel=1e-6)


def test_bfloat16_depends_on_how_a_text_is_read(written: Any) -> None:
    (model, tokenizer, run), made = written
    ready = setup.text_generator(model, tokenizer, run)
    whole = [ready.logits(torch.tensor([each.ids]))[0].float() for each in made]
    same = [np.array_equal(logits, each.stages[0].logits) for logits, each in zip(whole, made, strict=True)]
    assert run.placement.dtype == "float32" or not all(same)
