"""The number of tokens of the same sentence in other languages and scripts."""

from collections.abc import Iterator

import numpy as np

from core.text.hub import THE_MODELS
from core.text.tokenizer import TOKENIZERS
from core.topics.tokens.charts.vocabulary import language_costs_data, language_costs_spec
from core.topics.tokens.cuts import BYTES, CHARACTERS
from core.topics.tokens.languages import FIRST_LANGUAGE, SENTENCES
from core.topics.tokens.readings import read_languages
from core.topics.tokens.words import Looked
from pages.canvas import Token, TokenButtons
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Markdown, Table, Values, control, spec
from pages.words.tokens import queries
from pages.words.tokens.parts import there
from pages.words.tokens.settings import LANGUAGE, PIECES_OF


def _controls(looked: Looked, values: Values) -> Iterator[Control]:
    yield control(LANGUAGE, width=200)
    learned = [name for name in there(PIECES_OF.options, looked) if name not in (CHARACTERS, BYTES, THE_MODELS)]
    yield control(PIECES_OF, options=learned, width=220)


def _show(looked: Looked, values: Values) -> Shown:
    """Show counts by language and tokenizer, and one sentence in pieces."""
    costs = queries.costs(looked.own)
    name = values[PIECES_OF] if values[PIECES_OF] in costs.tokenizers else TOKENIZERS[0]
    tokenizer = queries.named(name, looked)
    tokens = tokenizer.encode(SENTENCES[values[LANGUAGE]])
    column, letters = costs.tokenizers.index(tokenizer.name), costs.tokenizers.index(CHARACTERS)
    worst = int(np.argmax(costs.ratios[:, column]))
    line = TokenButtons(
        [Token(label, f"id {i:,}", under=f"{i:,}") for label, i in zip(tokens.labels, tokens.ids, strict=True)],
        key="tokens-language-pieces",
        name=f"The sentence in pieces of {tokenizer.name}",
        hue="size",
        caption=f"{values[LANGUAGE]}, {tokenizer.name}: {len(tokens)} tokens. 0x… are bytes, where no piece fits.",
    )
    data = language_costs_data(costs.counts, costs.ratios, costs.languages, costs.tokenizers)
    return Shown(
        pictures=[
            Markdown(SENTENCES[values[LANGUAGE]]),
            line,
            Chart(data, spec(language_costs_spec, FIRST_LANGUAGE), "tokens-languages", "Tokens by language"),
        ],
        takeaway=read_languages(
            FIRST_LANGUAGE,
            costs.languages[worst],
            costs.ratios[worst, column],
            tokenizer.name,
            costs.ratios[worst, letters],
        ),
        about="The translations were written for this page; they say the same, not word for word. The shipped "
        "tokenizers learned from English text alone: letters that they have never seen are spelt in bytes, two for a "
        "Greek or Arabic letter, three for a Chinese one. A model pays for every token, in time, in memory and in how "
        "much text it can read.",
        table=Table("tokens-by-language", costs.counts, costs.languages, costs.tokenizers, corner="language"),
        source=("core.topics.tokens.languages.language_costs", "core.text.tokenizer.Tokenizer.encode"),
    )


VIEW = View("other languages", _show, _controls, reads_text=False, reads_mask=False)
