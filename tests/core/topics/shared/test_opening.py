"""The heads that pages open with: the best of their measure among all heads, on shipped models."""

from typing import Any

import numpy as np
import pytest

from core.analysis.heads import effective_keys
from core.checkpoints import shipped
from core.device import choose
from core.text.content_words import FUNCTION_WORDS
from core.topics.generate.opening import newest_place
from core.topics.generate.views import attentions
from core.topics.heads.all_heads import patterns
from core.topics.scaling.opening import scaled_place
from core.topics.self_attention.one_head import head
from core.topics.self_attention.opening import last_word_place, telling_place
from core.topics.shared.places import HeadAddress
from core.topics.shared.telling import MIN_CONTENT_SCORE, link_scores, worth
from core.tracing.run import Run
from pages.shell.run_plan import DEFAULTS, make_run

TEXT = "Once upon a time there was a little girl who lived in a wood. The little girl"
MODELS = (("storyteller", "decoder"), ("reader", "encoder"), ("translator", "encoder"))
TEXTS = (TEXT, "The black cat sleeps on the red chair.", "My brother bought an old house near the sea.")


def ready(name: str, text: str = TEXT, **chosen: object) -> tuple[Any, Any, Run]:
    run = make_run(DEFAULTS | chosen, text, "Le chat dort.", shipped.read(name))
    return shipped.load(name, choose()), shipped.tokenizer(name), run


def best_links(model: Any, tokenizer: Any, run: Run, stack: str) -> np.ndarray:
    """(N, H, Q) how telling each query's strongest link is."""
    layers = [patterns(model, tokenizer, run, HeadAddress(stack, layer)) for layer in range(run.config.depth(stack))]
    first = layers[0]
    of_links = worth(first.queries, first.keys, True)
    return np.stack([link_scores(each.pattern, of_links).max(-1) for each in layers])


@pytest.mark.parametrize(("name", "stack"), MODELS)
def test_no_other_head_has_a_more_telling_link(name: str, stack: str) -> None:
    for text in TEXTS:
        model, tokenizer, run = ready(name, text)
        found, best = telling_place(model, tokenizer, run, HeadAddress(stack)), best_links(model, tokenizer, run, stack)
        assert best[found.layer, found.head].max() == best.max()


@pytest.mark.parametrize(("name", "stack"), MODELS)
def test_a_content_word_looks_clearly_at_another_where_any_does(name: str, stack: str) -> None:
    for text in TEXTS:
        model, tokenizer, run = ready(name, text)
        record = head(model, tokenizer, run, telling_place(model, tokenizer, run, HeadAddress(stack)))
        query, key = record.telling
        words = [record.queries.pieces[query].casefold(), record.keys.pieces[key].casefold()]
        assert all(word.isalpha() for word in words) and words[0] != words[1]
        if best_links(model, tokenizer, run, stack).max() >= MIN_CONTENT_SCORE:
            assert not FUNCTION_WORDS & set(words) and record.pattern[query, key] == record.pattern[query].max() > 0.33


def test_the_last_word_is_the_last_that_any_head_sends_to_a_content_word() -> None:
    for text in TEXTS:
        model, tokenizer, run = ready("storyteller", text)
        found = last_word_place(model, tokenizer, run, HeadAddress("decoder"))
        best = best_links(model, tokenizer, run, "decoder")
        last = max(np.nonzero((best >= MIN_CONTENT_SCORE).any((0, 1)))[0])
        assert best[found.layer, found.head, last] >= MIN_CONTENT_SCORE
    assert telling_place(*ready("storyteller"), HeadAddress("decoder")) != last_word_place(
        *ready("storyteller"), HeadAddress("decoder")
    )


def test_scaling_adds_most_keys_in_the_head_that_opens_its_page() -> None:
    model, tokenizer, run = ready("storyteller-small")
    found = scaled_place(model, tokenizer, run, HeadAddress("decoder"))
    more = np.zeros((run.config.depth("decoder"), run.config.heads))
    for layer, number in np.ndindex(more.shape):
        record = head(model, tokenizer, run, HeadAddress("decoder", layer, number))
        plain = np.where(record.mask, record.raw.astype(float), -np.inf)
        plain = np.exp(plain - plain.max(-1, keepdims=True))
        more[layer, number] = (effective_keys(record.pattern) - effective_keys(plain)).mean()
    assert (found.layer, found.head) == np.unravel_index(more.argmax(), more.shape)


def test_the_newest_token_looks_clearly_at_a_word_before_it() -> None:
    model, tokenizer, run = ready("storyteller")
    ids = tokenizer.encode(TEXT).ids
    found = newest_place(model, tokenizer, run, ids)
    seen = attentions(model, tokenizer, run, ids)
    row = seen.decoder[found.layer, found.head, -1]
    word = seen.pieces[int(row.argmax())]
    assert row.max() > 0.33 and word.isalpha() and word not in FUNCTION_WORDS and word != "girl"
    with pytest.raises(ValueError, match="the model reads 1 to"):
        newest_place(model, tokenizer, run, ())


def test_padding_has_no_say() -> None:
    padded = ready("storyteller-small", mask=("as built", "padding"), pads=9)
    for function in (telling_place, last_word_place):
        assert function(*ready("storyteller-small"), HeadAddress("decoder")) == function(
            *padded, HeadAddress("decoder")
        )
