"""One step of the decoder: what it had written, what it may see, where it looks, and what could come next."""

from collections.abc import Iterator

import numpy as np

from core.explorer.generation.records import Candidate
from core.explorer.translate.alignment import last_rows, numbered_pieces
from core.readings.heads import read_row
from core.text.special import EOS
from pages.canvas import Candidates, Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.translate.heads import heads_controls, heads_of
from pages.transformer.translate.settings import COUNT, LOOKED, OVER
from pages.transformer.translate.translation import Translation
from pages.widgets import SCORES, Caption, Columns, Control, Markdown, Message, Part, Player, Table, Values

LINES = 2  # of the translation, before it scrolls


def step_by_step_controls(text: Translation, values: Values) -> Iterator[Control]:
    yield from heads_controls(text, values, OVER)


def show_step_by_step(text: Translation, values: Values) -> Shown:
    """The translation so far, and the choice of the token that is looked at."""
    text = text.first(values[COUNT] or 0)
    player = Player("translate", COUNT, text.most, len(text.written), text.ended, LOOKED)
    if not text.written:
        nothing = Message("Nothing is written yet: press Step or Play.", icon=":material/play_arrow:")
        return Shown(pictures=[player, nothing])
    last = len(text.written) - 1
    at = last if values[LOOKED] is None else min(values[LOOKED], last)
    seen, over = queries.attentions(text.run, text.read(at)), values[OVER]
    looks, back = last_rows(seen, *heads_of(text, values), over)
    keys, token = numbered_pieces(seen.source_pieces), f"{at}:{text.written[at].piece}"
    mean = "" if over == "this head" else r"\underset{\text{heads}}{\mathrm{mean}}\;"
    config = text.run.config
    parts = [*_translation(text, at), *_source(seen.source_pieces, looks), *_own(text, at, back)]
    return Shown(
        pictures=[player, Columns([parts, _candidates(text, at)], widths=(3, 2))],
        takeaway=f"To write “{text.written[at].piece}”: {read_row(looks, token, keys)}",
        notes=[text.cut],
        formula=rf"\underset{{1 \times {len(keys)}}}{{a}} = {mean}\mathrm{{softmax}}\Big({SCORES[config.score]}\Big) "
        rf"\qquad K \text{{ from the source}} \qquad d_k = {config.key_width} \qquad "
        rf"\text{{tokens read}} = {len(text.read(at))}",
        table=Table("cross-attention", looks[None], [token], keys, "token"),
        source=(
            "core.explorer.generation.texts.step",
            "core.analysis.alignment.averaged",
            "core.model.masks.causal",
        ),
    )


def _translation(text: Translation, at: int) -> list[Part]:
    over = " The model has written </s>: its translation is over." if text.ids[-1] == EOS else ""
    written = [
        Token(each.piece, f"chance {100 * each.own:.3g} %", 0.0, True, dim=n > at)
        for n, each in enumerate(text.written)
    ]
    buttons = TokenButtons(
        written,
        key="translate-text",
        name="The translation",
        selected=at,
        sets=lambda place: {LOOKED.key: place},
        caption=f"Click a token to see how it was chosen.{over}",
        lines=LINES,
    )
    return [Markdown("**The translation**"), buttons]


def _source(pieces: tuple[str, ...], looks: np.ndarray) -> list[Part]:
    shaded = TokenButtons(
        [Token(piece, f"weight {weight:.3f}", float(weight)) for piece, weight in zip(pieces, looks, strict=True)],
        key="translate-source",
        name="Cross-attention over the source",
        hue="k",
        caption="The stronger the colour, the more weight; the weights sum to 1.",
    )
    return [Markdown("**Where it looks in the source**"), shaded]


def _own(text: Translation, at: int, back: np.ndarray) -> list[Part]:
    pieces = [*queries.start_pieces(text.run), *(each.piece for each in text.written)]
    row = [Token(piece, f"weight {weight:.3f}", float(weight)) for piece, weight in zip(pieces, back, strict=False)]
    hidden = [Token(piece, "hidden by the causal mask", struck=True) for piece in pieces[at + 1 :]]
    shaded = TokenButtons(
        row + hidden,
        key="translate-own",
        name="Self-attention over the translation",
        selected=at,
        caption="Outlined: the last token read, which asks. Crossed out: not written yet when it asked.",
        lines=LINES,
    )
    return [Markdown("**What it may see of its own text, and where it looks there**"), shaded]


def _candidates(text: Translation, at: int) -> list[Part]:
    step = queries.step(text.run, text.read(at), number=at)
    likely = [Candidate(each.id, each.piece, each.own, each.own) for each in step.likeliest(11)]
    ten = sorted(likely, key=lambda each: -each.own)[:10]
    return [
        Markdown(f"**The ten likeliest for token {at}**"),
        Candidates(ten, key="translate-candidates", name="The ten likeliest tokens", chosen=step.chosen),
        Caption(f"Greedy: the likeliest is written. Entropy {step.entropy:.2f} bits."),
    ]
