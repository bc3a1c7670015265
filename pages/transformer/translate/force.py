"""Force it: point a token's cross-attention elsewhere, hide a word, silence heads; both translations side by side."""

from collections.abc import Iterator

from core.device import processors
from core.explorer.generation.records import Intervention
from core.explorer.shared.loading import estimate_seconds
from core.explorer.translate.changes import before_and_after, changes
from core.explorer.translate.interventions import ablate_heads, force_attention, hide_token
from core.readings.translate import name_intervention, read_changes
from pages.canvas import Candidates, Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.translate.heads import heads_controls, heads_of
from pages.transformer.translate.settings import AT_SOURCE, AT_TARGET, FORCE, REACH
from pages.transformer.translate.translation import Translation
from pages.widgets import AtRest, Control, Markdown, Part, Setting, Values, control, plain

RULES = {  # what is set inside the model
    "attention": r"A_{{{row},{source}}} = 1 \qquad A_{{{row},j}} = 0 \text{{ for }} j \ne {source}",
    "hide a word": r"S_{{i,{source}}} = -\infty \text{{ for every }} i \qquad A = \mathrm{{softmax}}(S)",
    "silence heads": r"z = A V \qquad z \leftarrow 0 \text{{ in every silent head}}",
}


def force_controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(FORCE)
    if values[FORCE] == "attention":
        yield control(AT_TARGET, high=max(0, len(text.written) - 1), width=170)
    if values[FORCE] != "silence heads":
        yield control(AT_SOURCE, high=len(text.source) - 1, width=170)
    if values[FORCE] != "hide a word":
        yield from heads_controls(text, values, REACH)


def force_seconds(text: Translation, values: Values) -> float:
    """About how long the forced translation takes: each of its tokens reads everything again."""
    steps = len(text.written)
    return estimate_seconds(text.run.config, max(steps, len(text.source)), steps) / processors()


def show_force(text: Translation, values: Values) -> Shown:
    """What the visitor forces, the two translations, and the choice that it changed first."""
    what, row, source = values[FORCE], _place(values, AT_TARGET, text.ids), _place(values, AT_SOURCE, text.source)
    words = name_intervention(what, text.source[source], row, *heads_of(text, values), values[REACH])
    forced = _intervention(text, values, row, source)
    after = text.changed_by(forced)
    found = changes(text.ids, after.ids)
    asks = what == "attention"
    place = found.part if found.part is not None and found.part < len(text.ids) else row if asks else 0
    return Shown(
        lead="Does the word come from where the decoder looks? Make it look elsewhere, hide a word, or silence heads, "
        "and compare what is written then.",
        pictures=[
            AtRest("translate"),
            *_source(text, what, source),
            Markdown("**The translation as it was**" + (" (click the token to redirect)" if asks else "")),
            TokenButtons(
                _tokens(text, struck=found.lost),
                key="translate-before",
                name="The translation as it was",
                selected=row if asks else None,
                sets=(lambda place: {AT_TARGET.key: place}) if asks else None,
            ),
            Markdown(f"**With {plain(words)}**"),
            TokenButtons(
                _tokens(after, shaded=found.new), key="translate-after", name="The translation that was forced"
            ),
            *_choices(text, forced, place),
        ],
        takeaway=read_changes(len(found.new), len(after.ids), found.part, words),
        notes=[text.cut],
        formula=RULES[what].format(row=row, source=source),
        source=(
            "core.explorer.translate.interventions.force_attention",
            "core.explorer.translate.interventions.ablate_heads",
            "core.analysis.alignment.changed",
        ),
    )


def _place(values: Values, setting: Setting, among: tuple[object, ...]) -> int:
    """The place that a setting names, or the last."""
    return min(int(values[setting] or 0), max(0, len(among) - 1))


def _intervention(text: Translation, values: Values, row: int, source: int) -> Intervention:
    config, (layer, head) = text.run.config, heads_of(text, values)
    match values[FORCE]:
        case "attention":
            return force_attention(config, row, source, len(text.source), layer, head, values[REACH])
        case "hide a word":
            return hide_token(source)
    return ablate_heads(config, layer, head, values[REACH])


def _source(text: Translation, what: str, source: int) -> list[Part]:
    if what == "silence heads":
        return []
    hides = what == "hide a word"
    buttons = TokenButtons(
        [Token(piece, struck=hides and n == source) for n, piece in enumerate(text.source)],
        key="translate-force-source",
        name="The source",
        selected=source,
        sets=lambda place: {AT_SOURCE.key: place},
        hue="k",
    )
    return [Markdown(f"**The source** (click the token to {'hide' if hides else 'look at'})"), buttons]


def _tokens(
    text: Translation, struck: frozenset[int] = frozenset(), shaded: frozenset[int] = frozenset()
) -> list[Token]:
    """The written tokens, each with its probability."""
    return [
        Token(each.piece, f"chance {100 * each.own:.3g} %", float(n in shaded), True, n in struck)
        for n, each in enumerate(text.written)
    ]


def _choices(text: Translation, forced: Intervention, place: int) -> list[Part]:
    """The likeliest tokens at the first place where the two differ, or at the forced one, before and after."""
    read = text.read(place)
    before = queries.step(text.run, read, number=place)
    now = queries.step(text.run, read, number=place, intervention=forced)
    rows = Candidates(
        before_and_after(before, now),
        key="translate-change",
        name="The likeliest tokens before and after",
        chosen=now.chosen,
        caption="Full bar: with what you forced. Outline: without.",
        before="without",
    )
    return [Markdown(f"**What was likeliest for token {place}, before and after**"), rows]
