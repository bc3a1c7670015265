"""The head that the page Masks opens with: of the first layer, the one from which a causal mask takes most."""

import numpy as np

from core.checkpoints import shipped
from core.device import choose
from core.topics.masks.experiments import masked, masked_place
from core.topics.masks.presets import under
from core.topics.shared.places import HeadAddress
from pages.shell.run_plan import DEFAULTS, make_run

TEXT = "Once upon a time there was a little girl who lived in a wood. The little girl"


def test_no_head_of_the_first_layer_loses_more() -> None:
    for name, stack in (("storyteller-small", "decoder"), ("translator", "decoder"), ("reader", "encoder")):
        run = make_run(DEFAULTS, TEXT, "Le chat dort.", shipped.read(name))
        model, tokenizer = shipped.load(name, choose()), shipped.tokenizer(name)
        found = masked_place(model, tokenizer, run, HeadAddress(run.config.stacks[0]))
        free = [
            masked(model, tokenizer, under(run, "none"), HeadAddress(stack, 0, head)).pattern
            for head in range(run.config.heads)
        ]
        lost = [np.triu(pattern, 1).sum() for pattern in free]
        assert (found.stack, found.layer, lost[found.head]) == (stack, 0, max(lost))
        assert len({round(each, 3) for each in lost}) > 1
