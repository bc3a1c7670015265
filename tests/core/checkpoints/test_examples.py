"""Each example of the translator shows what it is called by, with the weights that are shipped."""

import re

import pytest

from core.checkpoints import shipped
from core.checkpoints.examples import examples_of, other_text, paired_text
from core.device import Placement
from core.text.pronoun_pairs import french_pronoun
from core.training.translation import translate

EXAMPLES = examples_of("translator")


@pytest.fixture(scope="module")
def french() -> dict[str, str]:
    """The greedy translation of each example, by its name."""
    model = shipped.load("translator", Placement("cpu", "float32"))
    texts = [each.text for each in EXAMPLES.values()]
    written = translate(model, shipped.tokenizer("translator"), texts, width=1)  # type: ignore[arg-type]
    return dict(zip(EXAMPLES, written, strict=True))


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_called_by_its_words_and_their_translation(name: str, french: dict[str, str]) -> None:
    read, written = name.split(" → ")
    for words, text in ((read.split(" and "), EXAMPLES[name].text), (written.split(" et "), french[name])):
        for each in words:
            assert re.search(rf"(?<!\w){re.escape(each)}(?!\w)", text), text


def test_a_pair_is_right_in_both_sentences(french: dict[str, str]) -> None:
    by_text = {EXAMPLES[name].text: said for name, said in french.items()}
    one = paired_text("translator")
    other = other_text("translator", one)
    assert other_text("translator", other) == one
    assert [french_pronoun(by_text[text]) for text in (one, other)] == ["il", "elle"]
    before = [re.split(r"\b(?:qu')?(?:il|elle)\b", by_text[text])[0] for text in (one, other)]
    assert before[0] == before[1]  # what does not depend on the word is translated alike
