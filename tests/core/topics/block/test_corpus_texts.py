"""The shipped texts of neurons: what is shipped is what the models compute."""

from typing import Any

import numpy as np
import pytest

from core.checkpoints import shipped
from core.checkpoints.firing import WITH_TEXTS, Firing, PoolText, StackFiring, load_firing
from core.checkpoints.measured import MEASURED_FOLDER
from core.topics.block.corpus_texts import found_texts, lit_texts
from core.tracing.run import Run


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_shipped_activations_are_what_the_model_computes(name: str) -> None:
    about = shipped.read(name)
    firing = load_firing(name, about.config)
    run = Run("x", about.config, source=about.source, format=about.format, pads=2)
    model, tokenizer = shipped.load(name, run.placement), shipped.tokenizer(name)
    assert firing.about["model"] == name and firing.about["steps"] == about.card.steps
    draw = np.random.default_rng(0)
    for stack in about.config.stacks:
        layer, neuron = int(draw.integers(about.config.layers)), int(draw.integers(about.config.hidden_width))
        found = found_texts(firing, stack, layer, neuron)
        lit = lit_texts(model, tokenizer, run, stack, layer, neuron, found)
        assert len(found) == 4 == len({each.text for each in found})
        assert [each.activation for each in found] == sorted((each.activation for each in found), reverse=True)
        for was, now in zip(found, lit, strict=True):
            assert int(now.activations.argmax()) == was.token == now.token
            assert float(now.activations.max()) == pytest.approx(was.activation, rel=2e-3)
            assert now.source == (was.text.english if (stack, name) == ("decoder", "translator") else "")


def test_every_file_of_texts_that_is_shipped_is_told_of() -> None:
    found = [path.stem.removeprefix("neurons-") for path in MEASURED_FOLDER.glob("neurons-*.safetensors")]
    assert tuple(sorted(found)) == WITH_TEXTS


def test_a_neuron_that_never_fires_has_no_texts() -> None:
    tables: Any = (np.zeros((1, 2, 3), int), np.zeros((1, 2, 3), int), np.array([[[2.0, 1.0, 0.0], [0.0, 0.0, -0.1]]]))
    firing = Firing({}, 1, (PoolText("A cat."),), {"encoder": StackFiring(*tables)})
    assert [each.activation for each in found_texts(firing, "encoder", 0, 0)] == [2, 1]
    assert found_texts(firing, "encoder", 0, 1) == () == found_texts(firing, "decoder", 0, 0)
