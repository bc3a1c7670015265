"""Force it: point a token's cross-attention elsewhere, hide a word, silence heads; both translations side by side."""

from collections.abc import Iterator, Set

from core.device import processors
from core.explorer.generation.records import UNTOUCHED, Intervention
from core.explorer.shared.loading import estimate_seconds
from core.explorer.translate.changes import before_and_after, changes
from core.explorer.translate.interventions import intervention, place_among
from core.explorer.translate.translation import Translation
from core.readings.translate import name_intervention, read_changes, write_rule
from pages.canvas import Candidates, Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.translate.settings import AT_SOURCE, AT_TARGET, FORCE, REACH
from pages.transformer.translate.translation import heads_controls, heads_of
from pages.widgets import AtRest, Control, Markdown, Part, Values, control, plain

VERBS = "core.explorer.translate.interventions"


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
    what, row = values[FORCE], place_among(values[AT_TARGET], len(text.ids))
    source = place_among(values[AT_SOURCE], len(text.source))
    heads, asks = (*heads_of(text, values), values[REACH]), what == "attention"
    words = name_intervention(what, text.source[source], row, *heads)
    forced = intervention(text.run.config, what, row, source, len(text.source), *heads)
    after = text.under(forced)
    found = changes(text.ids, after.ids)
    before = TokenButtons(
        _tokens(text, struck=found.lost),
        key="translate-before",
        name="The translation as it was",
        selected=row if asks else None,
        sets=(lambda place: {AT_TARGET.key: place}) if asks else None,
    )
    now = _tokens(after, shaded=found.new)
    return Shown(
        lead="Does the word come from where the decoder looks? Make it look elsewhere, hide a word, or silence heads, "
        "and compare what is written then.",
        pictures=[
            AtRest("translate"),
            *_source(text, what, source),
            Markdown("**The translation as it was**" + (" (click the token to redirect)" if asks else "")),
            before,
            Markdown(f"**With {plain(words)}**"),
            TokenButtons(now, key="translate-after", name="The translation that was forced", hue="size"),
            *_choices(text, forced, found.place(len(text.ids), row if asks else 0)),
        ],
        takeaway=read_changes(len(found.new), len(after.ids), found.part, words),
        notes=[text.cut],
        formula=write_rule(what, row, source),
        source=(f"{VERBS}.force_attention", f"{VERBS}.ablate_heads", "core.analysis.alignment.changed"),
    )


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


def _tokens(text: Translation, struck: Set[int] = frozenset(), shaded: Set[int] = frozenset()) -> list[Token]:
    """The written tokens, each with its probability."""
    return [Token(*each, float(n in shaded), new=True, struck=n in struck) for n, each in enumerate(text.noted)]


def _choices(text: Translation, forced: Intervention, place: int) -> list[Part]:
    """The likeliest tokens at the first place where the two differ, or at the forced one, before and after."""
    run, read = text.run, text.read(place)
    before, now = (queries.step(run, read, number=place, intervention=each) for each in (UNTOUCHED, forced))
    rows = Candidates(
        before_and_after(before, now),
        key="translate-change",
        name="The likeliest tokens before and after",
        chosen=now.chosen,
        caption="Full bar: with what you forced. Outline: without.",
        before="without",
    )
    return [Markdown(f"**What was likeliest for token {place}, before and after**"), rows]
