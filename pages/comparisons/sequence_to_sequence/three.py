"""The view of one sentence in three translators: the tokens that each writes, and where it looks."""

from collections.abc import Mapping

import numpy as np

from core.checkpoints.languages import FRENCH
from core.topics.sequence_to_sequence.overlap import kept_by, shared_with
from core.topics.sequence_to_sequence.readings import read_three_translations, write_contexts
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, TITLES, TRANSFORMER, Passage
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import PLAYER
from pages.comparisons.sequence_to_sequence.settings import TOKEN_COUNT
from pages.shell import Shown, View
from pages.widgets import Listing, Markdown, Part, Player, Values

HEIGHT = 460


def _show(text: str, values: Values) -> Shown:
    """Show the player, the three translations as far as they are written, and two alignments."""
    passages = {name: queries.passage(name, text) for name in TITLES}
    max_tokens = max(len(passage.ids) for passage in passages.values())
    count = max_tokens if values[TOKEN_COUNT] is None else min(values[TOKEN_COUNT], max_tokens)
    written: list[Part] = []
    for name, passage in passages.items():
        written += [Markdown(f"**{TITLES[name]}**"), _tokens(name, passage, count)]
    player = Player(PLAYER, TOKEN_COUNT, max_tokens, count, count >= max_tokens, opens=max_tokens)
    pictures: list[Part] = [player, *written, *_alignments(passages, count)]
    bottleneck, additive = passages[BOTTLENECK], passages[ADDITIVE]
    texts = passages[TRANSFORMER].text, bottleneck.text, additive.text
    of_bottleneck, of_additive = shared_with(texts[0], texts[1:])
    return Shown(
        pictures=pictures,
        lead="Both GRUs read the sentence word by word. The first hands its **decoder** one vector, whatever the "
        "length; the second lets it look back at every word, by **additive** attention; the **transformer** has "
        "**cross-attention**.",
        takeaway=read_three_translations(of_bottleneck, of_additive, kept_by(*texts)),
        notes=[queries.source_tokens(text).note],
        formula=write_contexts(
            bottleneck.states["forwards.state"].shape[1],
            2 * additive.states["forwards.state"].shape[1],
            len(bottleneck.source),
        ),
        about="All three were trained here on the same pairs of sentences, the transformer longer. They write "
        "greedily: the likeliest token, each time. The stronger a token's colour, the surer the model was.",
        table=_table(passages),
        source=(
            "core.model.recurrent.Recurrent.encode",
            "core.model.recurrent.AdditiveAttention.forward",
            "core.topics.sequence_to_sequence.translations.recurrent_passage",
        ),
    )


def _tokens(name: str, passage: Passage, count: int) -> TokenButtons:
    tokens = [
        Token(piece, f"chance {probability:.3f}", float(probability), new=True, dim=n >= count)
        for n, (piece, probability) in enumerate(zip(passage.pieces, passage.probabilities, strict=True))
    ]
    return TokenButtons(tokens, key=f"{PLAYER}-{name}", name=TITLES[name], language=FRENCH, hue="chance", large=True)


def _alignments(passages: Mapping[str, Passage], count: int) -> list[Part]:
    """Return additive attention beside cross-attention; rows of tokens that are not written yet are empty."""
    panels = []
    for name, title in ((ADDITIVE, "GRU: additive attention"), (TRANSFORMER, "Transformer: mean of all heads")):
        passage = passages[name]
        if passage.weights is None:
            continue
        weights = np.where(np.arange(len(passage.ids))[:, None] < count, passage.weights, -np.inf)
        labels = (passage.rows, passage.columns, "written (queries)", "read (keys)")
        panels.append(Panel(name, title, weights, *labels, scale="weight", absent="not written yet"))
    return [Matrices(panels, key=f"{PLAYER}-alignments", name="Two alignments", height=HEIGHT)]


def _table(passages: Mapping[str, Passage]) -> Listing:
    return Listing(
        "translations",
        {
            "model": [TITLES[name] for name in passages],
            "translation": [passage.text for passage in passages.values()],
            "tokens": [len(passage.ids) for passage in passages.values()],
            "mean chance": [round(float(passage.probabilities.mean()), 3) for passage in passages.values()],
        },
    )


VIEW = View("three translations", _show, player=PLAYER)
