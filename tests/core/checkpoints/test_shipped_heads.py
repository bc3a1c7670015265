"""The trained models that are shipped: they hold what their cards claim, and their heads do what is said of them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis.heads import HeadTable
from core.checkpoints import shipped, weights
from core.device import Placement
from core.model.masks import CausalMask
from core.topics.heads import all_heads
from core.topics.journey import stages
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from core.training.recipes.toys import TOYS

CPU = Placement("cpu", "float32")
NAMES = shipped.names()


def run_of(name: str, text: str, target: str = "") -> Run:
    found = shipped.read(name)
    mask = (CausalMask(),) if "decoder" in found.config.stacks else ()
    return Run(text, found.config, target, masks=mask, source=found.source, format=found.format)


def behaviours(run: Run, place: HeadAddress, step: int | None = None) -> HeadTable:
    assert run.source
    run = run if step is None else replace(run, source=run.source.at(step))
    return all_heads.behaviours(*open_run(run), run, place).table


def best_cross_head(run: Run, wanted: list[int]) -> float:
    """The largest mean weight, over the heads of all layers, that the first queries give to the wanted keys."""
    model, tokenizer = open_run(run)
    weights = [
        all_heads.patterns(model, tokenizer, run, HeadAddress("decoder", layer, cross=True)).pattern
        for layer in range(run.config.layers)
    ]
    asked = np.stack(weights)[:, :, np.arange(len(wanted)), wanted]  # (N, H, queries)
    return float(asked.mean(-1).max())


@pytest.mark.parametrize("recipe", TOYS, ids=lambda recipe: recipe.name)
def test_the_toys_have_the_scores_of_their_cards(recipe) -> None:
    model, card = weights.load(shipped.MODELS_FOLDER / recipe.name)
    scores = recipe.task(Path(), Path(), card.seed).evaluate(model)
    assert scores == pytest.approx(card.scores, abs=2e-4)
    assert card.scores["exact_match"] > 0.99


def test_the_copier_has_an_induction_head_and_training_made_it() -> None:
    run = run_of("toy-copy", "kqzbmtwkqzb")
    place = HeadAddress("decoder")
    score = [float(behaviours(run, place, step).induction.max()) for step in (0, None)]
    assert score[0] < 0.3 < 0.95 < score[1]


def test_the_copier_goes_on_with_the_row() -> None:
    run = run_of("toy-copy", "kqzbmtwkqzb")
    model, tokenizer = shipped.load("toy-copy", CPU), shipped.tokenizer("toy-copy")
    piece, probability = stages.journey(model, tokenizer, run, HeadAddress("decoder")).next_pieces[0]
    assert piece == "m" and probability > 0.9


def test_the_reverser_looks_along_the_other_diagonal() -> None:
    text = "kqzbmtwa"
    assert best_cross_head(run_of("toy-reverse", text, text[::-1]), list(range(len(text)))[::-1]) > 0.9


def test_the_sorter_looks_by_rank() -> None:
    text = "kqzbmtwa"
    wanted = sorted(range(len(text)), key=text.__getitem__)
    assert best_cross_head(run_of("toy-sort", text, "".join(sorted(text))), wanted) > 0.8


FOX = "“Good morning, Mr. Fox,” said the hen. “Good morning,” said Mr. Fox, “and how is the hen this morning?”"
CAT = "the cat sat on the mat and the cat sat on the mat"


@pytest.mark.parametrize("text", [FOX, CAT, "Once upon a time there was a little girl who lived in a wood."])
def test_the_storyteller_has_a_head_of_the_previous_token(text: str) -> None:
    table = behaviours(run_of("storyteller", text), HeadAddress("decoder"))
    assert table.previous_token[3, 0] == table.previous_token.max() > 0.75


@pytest.mark.parametrize("text", [FOX, CAT])
def test_the_storyteller_has_an_induction_head(text: str) -> None:
    table = behaviours(run_of("storyteller", text), HeadAddress("decoder"))
    assert np.nanmax(table.induction[4]) == np.nanmax(table.induction) > 0.55


@pytest.mark.parametrize("name", NAMES)
def test_every_model_and_step_can_be_loaded(name: str) -> None:
    found = shipped.read(name)
    tokenizer = shipped.tokenizer(name)
    assert tokenizer.vocab_size == found.config.vocab_size
    for source in (*map(found.source.at, found.steps), found.source):
        assert source.load(CPU).config == found.config
