"""The view of one decoder step: the text so far, the visible tokens, their weights, and the likeliest next tokens."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from core.checkpoints.languages import written_language
from core.readings.generation import name_probability
from core.readings.scores import SCORE_FORMULAS
from core.topics.shared.labels import cross_rows, numbered_pieces
from core.topics.translate.alignment import last_rows, opening_count
from core.topics.translate.readings import read_writing, write_cross_query
from core.topics.translate.translation import Translation
from pages.canvas import Candidates, Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.translate.settings import COUNT, LOOKED_AT_TOKEN, SHOWN_HEADS
from pages.transformer.translate.translation import heads_controls, heads_of, note_cut
from pages.widgets import Caption, Columns, Markdown, Message, Part, Player, Table, Values

PLAYER = "translate"

LINES = 2  # of the translation, before it scrolls
WEIGHT = "The stronger the colour, the more weight; the weights sum to 1."


def _show(text: Translation, values: Values) -> Shown:
    """Show the translation so far, and the choice of the selected token."""
    opens = _opening(text, values)
    text = text.first(opens if values[COUNT] is None else values[COUNT])
    player = Player(PLAYER, COUNT, text.max_tokens, len(text.written), text.ended, LOOKED_AT_TOKEN, opens=opens)
    if not text.written:
        nothing = Message("Nothing is written yet: press Step or Play.", icon=":material/play_arrow:")
        return Shown(pictures=[player, nothing])
    last = len(text.written) - 1
    index = last if values[LOOKED_AT_TOKEN] is None else min(values[LOOKED_AT_TOKEN], last)
    config, read, piece = text.run.config, text.read(index), text.written[index].piece
    attentions = queries.attentions(text.run, read)
    looks, back = last_rows(attentions, *heads_of(text, values), values[SHOWN_HEADS])
    keys, token = numbered_pieces(attentions.source_pieces), cross_rows([*attentions.pieces, piece])[-2]
    source_tokens, own_tokens = _weighed(attentions.source_pieces, looks), _weighed(attentions.pieces, back)
    return Shown(
        lead="The **decoder** writes one **token** at a time, and looks at words of the source to write it.",
        click="Press Step, or click a token, to see which.",
        pictures=[
            player,
            Columns([_lines(text, index, source_tokens, own_tokens), _candidates(text, index)], widths=(3, 2)),
        ],
        takeaway=read_writing(piece, looks, numbered_pieces(attentions.pieces), keys),
        notes=[note_cut(text)],
        formula=write_cross_query(
            SCORE_FORMULAS[config.score], values[SHOWN_HEADS], len(keys), config.key_width, len(read)
        ),
        table=Table("cross-attention", looks[None], [token], keys, "token"),
        source=("core.topics.generate.texts.step", "core.analysis.alignment.averaged", "core.model.masks.causal"),
    )


def _opening(text: Translation, values: Values) -> int:
    """Return the number of tokens that are shown until a visitor moves on."""
    read = text.read()
    if not read[len(text.start) :]:
        return 0
    return opening_count(
        queries.attentions(text.run, read), len(text.start), *heads_of(text, values), values[SHOWN_HEADS]
    )


def _weighed(pieces: Sequence[str], weights: np.ndarray) -> list[Token]:
    return [Token(piece, f"weight {weight:.3f}", float(weight)) for piece, weight in zip(pieces, weights, strict=True)]


def _lines(text: Translation, index: int, source_tokens: list[Token], own_tokens: list[Token]) -> list[Part]:
    """Show the translation, and the weights over the source and over the part of the translation already read."""
    ended = text.ids[-1] in text.run.format.special.ends
    over = "The model has written (end): its translation is over." if ended else ""
    hidden = [Token(token.piece, "hidden by the causal mask", struck=True) for token in text.written[index:]]
    return [
        Markdown("**The translation**"),
        TokenButtons(
            [
                Token(token.piece, name_probability(token.own), new=True, dim=n > index)
                for n, token in enumerate(text.written)
            ],
            key="translate-text",
            name="The translation",
            language=written_language(text.run.model_name),
            selected=index,
            sets=lambda position: {LOOKED_AT_TOKEN.key: position},
            caption=over,
            click="Click a token to see how it was chosen.",
            lines=LINES,
        ),
        Markdown("**Where it looks in the source**"),
        TokenButtons(source_tokens, key="translate-source", name="Cross-attention over the source", caption=WEIGHT),
        Markdown("**What it may see of its own text, and where it looks there**"),
        TokenButtons(
            own_tokens + hidden,
            key="translate-own",
            name="Self-attention over the translation",
            language=written_language(text.run.model_name),
            selected=index,
            caption="Outlined: the last token read, the query. Crossed out: not written yet at this step.",
            lines=LINES,
        ),
    ]


def _candidates(text: Translation, index: int) -> list[Part]:
    step, name = queries.step(text.run, text.read(index), number=index), "The ten likeliest tokens"
    return [
        Markdown("**The ten likeliest at this place**"),
        Candidates(step.likeliest_unfiltered(), key="translate-candidates", name=name, chosen=step.chosen),
        Caption(f"Greedy: the likeliest is written. Entropy {step.entropy:.2f} bits."),
    ]


VIEW = View("step by step", _show, partial(heads_controls, which=SHOWN_HEADS), player=PLAYER)
