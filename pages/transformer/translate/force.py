"""The view that redirects attention, hides a word or silences heads, with both translations side by side."""

from collections.abc import Iterator, Set

from core.checkpoints.languages import written_language
from core.device import processors
from core.readings.generation import name_probability
from core.text.special import EOS, SPECIAL_LABELS
from core.topics.generate.records import NO_INTERVENTION, Intervention
from core.topics.shared.loading import estimate_seconds
from core.topics.translate.alignment import redirections
from core.topics.translate.changes import before_and_after, changes
from core.topics.translate.interventions import force_attention, intervention, place_among
from core.topics.translate.readings import name_intervention, read_changes, write_rule
from core.topics.translate.translation import Translation
from pages.canvas import Candidates, Token, TokenButtons
from pages.compute import generation as queries
from pages.compute.calls import core_call, record_calls
from pages.shell import Shown, View
from pages.transformer.translate.settings import AT_SOURCE, AT_TARGET, FORCED_CHANGE, FORCED_HEADS
from pages.transformer.translate.translation import heads_controls, heads_of, note_cut
from pages.widgets import Control, Markdown, Part, StopPlayer, Values, control, plain

SEARCHED_PAIRS = 4  # pairs: each one tried takes a step of the decoder
INTERVENTIONS = "core.topics.translate.interventions"


def _controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(FORCED_CHANGE)
    if values[FORCED_CHANGE] == "attention":
        yield control(AT_TARGET, high=max(0, len(text.written) - 1), width=170, placeholder="found here")
    if values[FORCED_CHANGE] != "silence heads":
        yield control(AT_SOURCE, high=len(text.source) - 1, width=170, placeholder="found here")
    if values[FORCED_CHANGE] != "hide a word":
        yield from heads_controls(text, values, FORCED_HEADS)


def _seconds(text: Translation, values: Values) -> float:
    """Estimate how many seconds the forced translation takes; each of its tokens reads everything again."""
    steps = len(text.written)
    return estimate_seconds(text.run.config, max(steps, len(text.source)), steps) / processors()


def _show(text: Translation, values: Values) -> Shown:
    """Show the visitor's intervention, the two translations, and the first choice that it changed."""
    what, (row, source) = values[FORCED_CHANGE], _chosen_pair(text, values)
    heads, asks = (*heads_of(text, values), values[FORCED_HEADS]), what == "attention"
    words = name_intervention(what, text.source[source], row, *heads)
    forced = core_call(intervention, text.run.config, what, row, source, len(text.source), *heads)
    after = text.under(forced)
    token_changes = changes(text.ids, after.ids)
    language = written_language(text.run.model_name)
    before = TokenButtons(
        _tokens(text, struck=token_changes.lost),
        key="translate-before",
        name="The translation as it was",
        language=language,
        selected=row if asks else None,
        sets=(lambda position: {AT_TARGET.key: position}) if asks else None,
    )
    forced_tokens = _tokens(after, shaded=token_changes.new)
    return Shown(
        lead="Does the word come from where the decoder looks? Make it look elsewhere, hide a word, or silence heads, "
        "and compare what is written then.",
        pictures=[
            StopPlayer("translate"),
            *_source(text, what, source),
            Markdown("**The translation as it was**" + (" (click the token to redirect)" if asks else "")),
            before,
            Markdown(f"**With {plain(words)}**"),
            TokenButtons(
                forced_tokens,
                key="translate-after",
                name="The translation that was forced",
                language=language,
                hue="size",
            ),
            *_choices(text, forced, token_changes.place(len(text.ids), row if asks else 0)),
        ],
        takeaway=read_changes(len(token_changes.new), len(after.ids), words, _parting(text, after, token_changes.part)),
        notes=[note_cut(text)],
        formula=write_rule(what, row, source),
        source=(f"{INTERVENTIONS}.force_attention", f"{INTERVENTIONS}.ablate_heads", "core.analysis.alignment.changed"),
    )


def _chosen_pair(text: Translation, values: Values) -> tuple[int, int]:
    """Return the token to redirect and the source token.

    One that the visitor has not chosen comes from a pair that shows the effect.
    """
    row, source = values[AT_TARGET], values[AT_SOURCE]
    if row is None or source is None:
        pair = _telling_pair(text)
        row, source = (first if chosen is None else chosen for first, chosen in zip(pair, (row, source), strict=True))
    return place_among(row, len(text.ids)), place_among(source, len(text.source))


def _telling_pair(text: Translation) -> tuple[int, int]:
    """Return a written token and a source token that show the effect of redirecting attention.

    Redirected to the source token, the model writes the other word of the translation that belongs to it. If no pair
    that is tried does so, the first pair is returned; (0, 0) if there is none.
    """
    read = text.read()
    if not read[len(text.start) :]:
        return 0, 0
    pairs = redirections(queries.attentions(text.run, read), len(text.start))[:SEARCHED_PAIRS]
    with record_calls():  # keeps the calls of these trials out of the calls shown
        for row, source, other_row in pairs:
            forced = force_attention(text.run.config, row, source, len(text.source), 0, 0, "all")
            if queries.step(text.run, text.read(row), number=row, intervention=forced).chosen == text.ids[other_row]:
                return row, source
    return pairs[0][:2] if pairs else (0, 0)


def _source(text: Translation, what: str, source: int) -> list[Part]:
    if what == "silence heads":
        return []
    hides = what == "hide a word"
    buttons = TokenButtons(
        [Token(piece, struck=hides and n == source) for n, piece in enumerate(text.source)],
        key="translate-force-source",
        name="The source",
        selected=source,
        sets=lambda position: {AT_SOURCE.key: position},
        hue="k",
    )
    return [Markdown(f"**The source** (click the token to {'hide' if hides else 'look at'})"), buttons]


def _tokens(text: Translation, struck: Set[int] = frozenset(), shaded: Set[int] = frozenset()) -> list[Token]:
    """Return the written tokens, each with its probability."""
    return [
        Token(token.piece, name_probability(token.own), float(n in shaded), new=True, struck=n in struck)
        for n, token in enumerate(text.written)
    ]


def _parting(before: Translation, after: Translation, part: int | None) -> tuple[str, str] | None:
    """Return the pieces at the first place where two translations differ; None if they do not.

    A translation that has no more pieces there gives its end token.
    """
    if part is None:
        return None
    pieces_before, pieces_after = ([token.piece for token in text.written][part : part + 1] for text in (before, after))
    end = SPECIAL_LABELS[EOS]
    return next(iter(pieces_before), end), next(iter(pieces_after), end)


def _choices(text: Translation, forced: Intervention, position: int) -> list[Part]:
    """Show the likeliest tokens at one place of the translation, before and after the intervention."""
    run, read = text.run, text.read(position)
    before, after = (
        queries.step(run, read, number=position, intervention=change) for change in (NO_INTERVENTION, forced)
    )
    rows = Candidates(
        before_and_after(before, after),
        key="translate-change",
        name="The likeliest tokens before and after",
        chosen=after.chosen,
        caption="Full bar: with what you forced. Outline: without.",
        before="without",
    )
    return [Markdown(f"**What was likeliest for token {position}, before and after**"), rows]


VIEW = View("force it", _show, _controls, _seconds)
