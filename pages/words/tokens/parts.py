"""Parts that several views of the page share: the chosen word, and the available tokenizers."""

from collections.abc import Callable, Sequence

from core.text.hub import THE_MODELS, HubTokenizer
from core.text.words import visible
from core.topics.tokens.merging import merges_of
from core.topics.tokens.own import OWN_NAME
from core.topics.tokens.readings import note_long_word
from core.topics.tokens.words import MOST_LETTERS, Looked, word_at
from pages.canvas import Token, TokenButtons
from pages.widgets import Control, Values, control
from pages.words.tokens.settings import WORD


def there(names: Sequence[str], looked: Looked, kind: str = "") -> tuple[str, ...]:
    """Return those of the named tokenizers that are available.

    The visitor's own is available if one was trained, the model's if it has one of its own.

    kind: if given, these two must also be of this kind.
    """
    own, model = looked.own, looked.model
    if isinstance(model, HubTokenizer):
        kinds = ["", *(["bpe"] if merges_of(model) is not None else [])]
    else:
        kinds = ["", model.kind] if model else []
    has = {OWN_NAME: own is not None and kind in ("", own.tokenizer.kind), THE_MODELS: kind in kinds}
    return tuple(name for name in names if has.get(name, True))


def word_control(looked: Looked) -> Control:
    return control(WORD, "below", high=len(looked.words) - 1, width=180, placeholder="found here")


def chosen_word(looked: Looked, values: Values, worth: Callable[[str], float]) -> tuple[TokenButtons, str, str | None]:
    """Return the text's words to choose from, the chosen one, and a note if it was cut.

    worth: see `word_at`.
    """
    position, word = word_at(looked, values[WORD], worth)
    line = TokenButtons(
        [Token(visible(text_word)) for text_word in looked.words],
        key="tokens-words",
        name="The words of the text",
        selected=position,
        caption="Each word of your text once.",
        click="A click chooses the one that is looked at.",
        hue="size",
        sets=lambda clicked: {WORD.key: clicked},
    )
    return line, word, note_long_word(len(looked.words[position]), MOST_LETTERS)
