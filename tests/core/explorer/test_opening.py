"""The head that a page opens with is the strongest previous-token head of the table of all heads."""

import numpy as np

from core.checkpoints import shipped
from core.device import choose
from core.explorer.head.opening import opening_place
from core.explorer.heads.all_heads import behaviours
from core.explorer.shared.places import Place
from pages.shell.frame import DEFAULTS, make_run

TEXT = "Once upon a time there was a little girl who lived in a wood. The little girl"


def test_it_is_the_largest_of_the_table() -> None:
    for name, stack in (("storyteller-small", "decoder"), ("translator", "encoder")):
        run = make_run(DEFAULTS, TEXT, "Le chat dort.", shipped.read(name))
        model, tokenizer = shipped.load(name, choose()), shipped.tokenizer(name)
        found = opening_place(model, tokenizer, run, Place(stack))
        table = np.ma.filled(behaviours(model, tokenizer, run, Place(stack)).table.previous_token, -1)
        assert table[found.layer, found.head] == table.max()


def test_padding_has_no_say() -> None:
    run = make_run(DEFAULTS, TEXT, "", shipped.read("storyteller-small"))
    padded = make_run(
        DEFAULTS | {"mask": ("as built", "padding"), "pads": 9}, TEXT, "", shipped.read("storyteller-small")
    )
    model, tokenizer = shipped.load("storyteller-small", choose()), shipped.tokenizer("storyteller-small")
    first, second = (opening_place(model, tokenizer, each, Place("decoder")) for each in (run, padded))
    assert first == second
