"""The command that measures heads over many texts, on models made elsewhere: its file is read and its links hold."""

from pathlib import Path

import numpy as np
import pytest

from core.checkpoints import firing, head_records
from core.checkpoints.head_records import attentions, load_heads
from core.checkpoints.real.elsewhere import Elsewhere
from core.checkpoints.real.places import PLACE_VARIABLE
from core.topics.heads.over_texts import context_pattern, contexts
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from core.training import heads
from core.training.neurons import EXACT
from tests.core.checkpoints.real.real_place import fill_place

SHORT = firing.load_pool()[::40]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_place(tmp_path_factory.mktemp("place"))


@pytest.mark.parametrize("name", ["bert", "gpt2", "marian", "mistral", "t5"])
def test_a_model_made_elsewhere_gets_a_file_in_its_folder(
    place: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACE_VARIABLE, str(place))
    for module in (heads, head_records):
        monkeypatch.setattr(module, "load_pool", lambda: SHORT)
    heads.main(["--model", f"real:{name}"])
    source = Elsewhere(name, place)
    described, tokenizer = source.open()
    record = load_heads(name, described.config, place / name / "measured", source.address)
    assert record.read == sum(1 for text in SHORT if text.french or not described.config.has_two_stacks)
    assert set(record.attentions) == set(attentions(described.config))
    model, run = source.load(EXACT), Run("a cat", described.config, "", source=source, format=described.format)
    for attention in record.attentions:
        last = record.attentions[attention].text.shape[0] - 1
        head = HeadAddress("decoder" if attention == "cross" else attention, last, 3, attention == "cross")
        listed = contexts(record, head)
        assert listed and listed[0].weight > 0
        for context in listed[:3]:
            found = context_pattern(model, tokenizer, run, head, context)
            live = found.pattern[3, context.query, context.key]
            np.testing.assert_allclose(live, context.weight, atol=1e-3)


def test_the_command_names_a_model_that_is_not_there(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACE_VARIABLE, str(place))
    with pytest.raises(ValueError, match="nobody"):
        heads.main(["--model", "real:nobody"])
