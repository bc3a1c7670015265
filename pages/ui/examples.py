"""Texts to begin with, for each model: sentences for most, pairs for translators, letters for the toys."""

from dataclasses import dataclass, replace

from pages.ui.choices import TARGET, TEXT


@dataclass(frozen=True)
class Example:
    """A text, and in an encoder-decoder perhaps the decoder's; what is empty stays as it is."""

    text: str
    target: str = ""


WORDS = {
    "who is it?": Example(TEXT.default),
    "again and again": Example("the cat sat on the mat and the cat sat on the mat"),
    "river bank": Example("She sat on the bank of the river and counted the money from the bank."),
    "far apart": Example("The keys that the man in the long grey coat had lost were on the table."),
    "emoji and accents": Example("Über naïve café: 日本語 مرحبا 👩‍🚀!"),
}
TARGETS = {
    "a summary": Example("", TARGET.default),
    "in French": Example("", "L'animal n'a pas traversé la rue parce qu'il était trop fatigué."),
}
TRANSLATIONS = {
    "the word order turns": Example("The black cat sleeps on the red chair.", "Le chat noir dort sur la chaise rouge."),
    "two words for one": Example("I don't like cold potatoes.", "Je n'aime pas les pommes de terre froides."),
    "a caption": Example(
        "A man in a blue shirt is standing on a ladder.", "Un homme en chemise bleue est debout sur une échelle."
    ),
}
STORIES = {
    "once upon a time": Example("Once upon a time there was a little girl who lived in a wood. The little girl"),
    "a name comes back": Example("“Good morning, Mr. Fox,” said the hen. “Good morning,” said Mr."),
    "again and again": WORDS["again and again"],
}
REVIEWS = {
    "praise": Example("a warm , funny and quietly touching film"),
    "blame": Example("a dull , lifeless and far too long story"),
    "not bad": Example("it is not a bad film at all"),
}
BY_MODEL = {
    "translator": TRANSLATIONS,
    "translator-multi30k": {"a caption": TRANSLATIONS["a caption"]} | TRANSLATIONS,
    "storyteller": STORIES,
    "storyteller-small": STORIES,
    "sentiment": REVIEWS,
    "toy-copy": {
        "a row, begun again": Example("kqzbmtwkqzb"),
        "from the middle": Example("horsepigdmasep"),
        "the whole alphabet": Example("qwertyuioplkjhgfdsazxcvbnmqwerty"),
    },
    "toy-reverse": {
        "eight letters": Example("kqzbmtwa", "awtmbzqk"),
        "the alphabet's start": Example("abcdefghij", "jihgfedcba"),
    },
    "toy-sort": {
        "eight letters": Example("kqzbmtwa", "abkmqtwz"),
        "backwards": Example("jihgfedcba", "abcdefghij"),
    },
}
KNOWN = frozenset(example.text for examples in (WORDS, *BY_MODEL.values()) for example in examples.values())


def examples_of(model: str) -> dict[str, Example]:
    """The examples that fit a model."""
    return BY_MODEL.get(model, WORDS)


def targets_of(model: str) -> dict[str, Example]:
    """Examples of the decoder's text alone, for a model whose examples are no pairs."""
    return {} if model in BY_MODEL else TARGETS


def first_example(model: str) -> Example:
    """What a visitor of a model sees first; the decoder's text too, whether it has a decoder or not."""
    first, *_ = examples_of(model).values()
    return first if first.target else replace(first, target=TARGET.default)
