"""What a visitor forces on a model while it writes is at work in every token, and with cached keys and values too."""

from typing import Any

import numpy as np
import pytest

from core.decoding.sampling import GREEDY
from core.text.special import BOS
from core.topics.generate import texts as text_verbs
from core.topics.generate import views as view_verbs
from core.topics.generate.records import Intervention
from core.topics.shared.open_run import trained_config
from core.tracing.edits import Edit, ablate_head, force_row
from tests.core.topics.generate.test_generation import ENGLISH, trained, written

texts: Any = text_verbs
views: Any = view_verbs
SIZES = trained_config("translator")
WEIGHTS = tuple(float(n == 3) for n in range(12))
INTERVENTIONS = [
    Intervention((force_row(SIZES, 2, 1, 3, WEIGHTS, cross=True),)),
    Intervention((ablate_head(SIZES, 0, 1, "decoder"), ablate_head(SIZES, 1, 2, cross=True)), hidden=(2,)),
    Intervention((force_row(SIZES, 1, 0, 4, WEIGHTS, "encoder"), ablate_head(SIZES, 2, 3, "encoder"))),
    Intervention((Edit("decoder.1.attn_out", "scale", 0.5), Edit("decoder.0.resid_post", "zero", row=2))),
    Intervention((Edit("decoder.1.attn_out", "scale", lambda x: x * 0 + 0.5),)),
]


@pytest.fixture(scope="module")
def translator() -> Any:
    return trained("translator", ENGLISH)


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_cached_and_uncached_agree_under_an_intervention(intervention: Intervention, translator: Any):
    steps, plain = (
        list(texts.generate(*translator, GREEDY, max_tokens=8, intervention=each))
        for each in (intervention, Intervention())
    )
    moved = [np.abs(a.stages[0].logits - b.stages[0].logits).max() for a, b in zip(steps, plain, strict=False)]
    assert max(moved) > 1e-3
    for each in steps:
        alone = texts.step(*translator, each.ids, intervention=intervention)
        np.testing.assert_allclose(alone.stages[0].logits, each.stages[0].logits, atol=2e-4)


def test_a_hidden_source_token_gets_no_weight_and_changes_the_text(translator: Any):
    hidden = Intervention(hidden=(2,))
    plain, changed = (list(texts.generate(*translator, GREEDY, intervention=i)) for i in (Intervention(), hidden))
    assert written(plain) != written(changed)
    seen: Any = views.attentions(*translator, changed[-1].ids, hidden)
    assert float(seen.cross[..., 2].max()) == 0 and float(seen.encoder[..., 2].max()) == 0
    np.testing.assert_allclose(seen.cross.sum(-1), 1, atol=1e-5)
    with pytest.raises(ValueError, match="source token 99 cannot be hidden"):
        list(texts.generate(*translator, GREEDY, intervention=Intervention(hidden=(99,))))


def test_forced_attention_is_at_work_from_its_row_on(translator: Any):
    count = len(views.attentions(*translator, (BOS,)).source_pieces)
    weights = tuple(float(n == 3) for n in range(count))
    forced = Intervention(tuple(force_row(SIZES, 2, head, 3, weights, cross=True) for head in range(4)))
    plain, changed = (list(texts.generate(*translator, GREEDY, intervention=i)) for i in (Intervention(), forced))
    assert written(plain)[:3] == written(changed)[:3]
    np.testing.assert_allclose(plain[2].stages[0].logits, changed[2].stages[0].logits, atol=2e-4)
    assert np.abs(plain[3].stages[0].logits - changed[3].stages[0].logits).max() > 0.1
    seen: Any = views.attentions(*translator, changed[3].ids, forced)
    assert seen.cross[2, :, 3].tolist() == [list(weights)] * 4


def test_an_ablated_head_is_silent_in_every_step(translator: Any):
    silent = Intervention((ablate_head(SIZES, 0, 1, cross=True),))
    plain = texts.step(*translator, (BOS,))
    changed = texts.step(*translator, (BOS,), intervention=silent)
    assert np.abs(plain.stages[0].logits - changed.stages[0].logits).max() > 1e-3
