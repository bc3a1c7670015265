"""Each option that a family has or its code asks for is obeyed as transformers obeys it, or refused by name."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from core.checkpoints.real.families import FAMILIES_READ
from core.checkpoints.real.options import Options
from core.checkpoints.real.reading import load
from core.model.transformer import Transformer
from tests.core.checkpoints.real.drawn import DRAWS, drawn_model, vary
from tests.core.checkpoints.real.option_names import mask_names, option_names

# Other values of an option, by the type of its usual one; a family or transformers refuses most of them.
VALUES: dict[type, tuple[Any, ...]] = {
    bool: (True, False),
    int: (1, 3),
    float: (0.5,),
    str: ("gelu_new", "silu"),
    list: (["sliding_attention"] * 4, ["local"] * 4),
    dict: ({"rope_type": "linear", "factor": 2.0, "rope_theta": 100.0},),
    type(None): (True, 2),
}
# Names that ask how a mask is computed or kept, not which tokens it hides.
WAYS = {"_attn_implementation"}


@cache
def theirs(family: str) -> Any:
    return drawn_model(family, 1)


def values_of(family: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(theirs(family).config.to_json_string(use_diff=False))
    return values


def logits(model: Any, ids: Tensor) -> Tensor:
    """The logits of theirs; an encoder-decoder reads and writes the same ids."""
    if model.config.model_type in ("marian", "t5"):
        return model(ids, decoder_input_ids=ids).logits
    return model(ids).logits


def our_logits(model: Transformer, ids: Tensor) -> Tensor:
    """As `logits`, of ours."""
    reads = {"decoder": (None, ids), "encoder": (ids, None), "encoder-decoder": (ids, ids)}
    out = model(*reads[model.config.architecture])
    return model.logits(out) if model.config.architecture == "encoder" else out


def built(family: str, values: dict[str, Any], ids: Tensor) -> tuple[Any, Tensor] | None:
    """A model of theirs with these options and drawn weights, and its logits; None if theirs cannot have them."""
    try:
        config = type(theirs(family).config).from_dict(deepcopy(values))  # it changes what it is given
        config._attn_implementation = "eager"
        model = vary(type(theirs(family))(config).eval().requires_grad_(False), 1)
        return model, logits(model, ids)
    except Exception:  # theirs fails on many values, each in a way of its own
        return None


def changes(family: str) -> list[tuple[str, Any]]:
    """Each option with each other value that our reading of the options alone lets pass."""
    values, held = values_of(family), theirs(family).state_dict()
    passing = []
    for name in sorted(option_names(theirs(family))):
        for value in VALUES[type(values.get(name))]:
            if values.get(name) == value:
                continue
            try:
                FAMILIES_READ[family].read(Options({**values, name: value}), held)
            except ValueError:
                continue
            passing.append((name, value))
    return passing


@pytest.mark.parametrize("family", DRAWS)
@torch.inference_mode()
def test_each_option_that_passes_gives_the_logits_of_transformers(family: str, tmp_path: Path) -> None:
    values, ids = values_of(family), torch.randint(2, 19, (2, 7), generator=torch.Generator().manual_seed(0))
    usual, plain = logits(theirs(family), ids), FAMILIES_READ[family]
    same_config = plain.read(Options(values), theirs(family).state_dict())
    for number, (name, value) in enumerate(changes(family)):
        varied = {**values, name: value}
        if (made := built(family, varied, ids)) is None:
            continue
        model, expected = made
        unchanged = plain.read(Options(varied), model.state_dict()) == same_config
        if unchanged and expected.shape == usual.shape and torch.equal(expected, usual):
            continue
        folder = tmp_path / str(number)
        model.save_pretrained(folder)
        (folder / "config.json").write_text(json.dumps(varied))
        try:
            found = our_logits(load(folder, torch.float32), ids)
        except ValueError:  # it is refused when its tensors are seen, or this text is too long for it
            continue
        assert found.shape == expected.shape and torch.allclose(found, expected, 1e-3, 1e-3), f"{name} is {value!r}"


@pytest.mark.parametrize("family", [family for family in DRAWS if "bert" not in family])
def test_each_name_that_masks_depend_on_is_read_or_refused(family: str) -> None:
    names = mask_names(theirs(family)) - WAYS
    assert {"is_causal", "sliding_window", "layer_types"} <= names
    for name in names:
        with pytest.raises(ValueError, match=name):  # a value that no option has
            FAMILIES_READ[family].read(Options({**values_of(family), name: [7]}), theirs(family).state_dict())


@pytest.mark.parametrize("family", DRAWS)
def test_an_option_that_is_left_out_has_the_value_that_transformers_gives_it(family: str) -> None:
    values, held, kind = values_of(family), theirs(family).state_dict(), type(theirs(family).config)
    for name in values:
        without = {key: value for key, value in values.items() if key != name}
        try:
            given = json.loads(kind.from_dict(deepcopy(without)).to_json_string(use_diff=False))
        except Exception:  # the other options do not fit what theirs takes in its place
            continue
        try:
            ours = FAMILIES_READ[family].read(Options(without), held)
            filled = FAMILIES_READ[family].read(Options({**without, name: given.get(name)}), held)
        except ValueError:  # ours needs the option
            continue
        assert ours == filled, name
