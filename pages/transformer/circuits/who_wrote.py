"""The view of which part of the model wrote a word: its logit as a sum over everything that was added."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, logit_bars_spec
from core.readings.words import number, percent
from core.text.labels import bare, token_name
from core.topics.circuits.attribution import HeadReading
from core.topics.circuits.parts import Component
from core.topics.circuits.readings import attribution as say
from core.topics.generate.records import Candidate
from core.tracing.run import Run
from pages.canvas import Candidates, Token, TokenButtons
from pages.shell import Shown, View
from pages.transformer.circuits import queries
from pages.transformer.circuits.grid import part_grid
from pages.transformer.circuits.settings import CANDIDATE, PART
from pages.transformer.circuits.subject import WrittenWord, part_name, word_controls, words_row, written_word
from pages.widgets import Chart, Columns, Control, Message, Part, Table, Values, spec

LEAD = (
    "The **logit** of a word is a product with the **residual stream**, to which every part adds; so each part has a "
    "share."
)
ABOUT = (
    "Orange: the part speaks for the word; violet: against it. Shares are direct logit attribution (Elhage et al. "
    "2021; Wang et al. 2022): the scale of each norm on the way is held at its value in this run. What a part does "
    "through later parts, or to the scale of a norm, is not in its share; switching it off shows both.",
    "The average word is the mean over the whole vocabulary. What a part adds to every word changes no chance.",
)
POST_NORM = (
    "This model normalises after every part, so a share passes several norms; the scale of each is held fixed. What "
    "comes early passes more of them."
)
NOTHING_CARRIED = "This model has no residual connections: only the last part reaches the logits directly."
NO_WORDS = (
    "This model writes no words: it has no score for each word of a vocabulary. Choose one that does, such as the "
    "storyteller or the translator."
)
NAMED_SHARE = 0.05  # of the largest share of a token
OFF = ("its share", "off here", "off everywhere")
SOURCES = (
    "core.topics.circuits.attribution.attribute",
    "core.topics.circuits.attribution.read_by_head",
    "core.topics.circuits.attribution.switch_off",
    "core.topics.circuits.direct_path.LogitDirections.before_norm",
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from word_controls(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show the shares of all parts, and of the one that is looked at what it read and what happens without it."""
    word = written_word(run, values)
    if word is None:
        return Shown([Message(NO_WORDS)], LEAD)
    config, read, changes = run.config, _read(word, word.part), _changes(word)
    names = [part_name(part) for part in word.attribution.parts]
    return Shown(
        lead=LEAD,
        click="Click a part to see what it read, and what happens without it.",
        pictures=[
            words_row(run, values),
            Columns([[_candidates(word)], [part_grid(word)]], widths=(1, 2)),
            *_part_picture(word, read, changes),
        ],
        arithmetic=say.write_sum(names, list(map(float, word.shares)), word.total),
        takeaway=[_headline(word), *_sentences(word, read, changes)],
        notes=[
            POST_NORM if config.norm_position == "post" else None,
            None if config.residual else NOTHING_CARRIED,
        ],
        formula=say.write_direct_path(
            config.d_model,
            config.vocab_size,
            config.norm if config.ends_with_norm or config.norm_position == "post" else "",
        ),
        about=ABOUT,
        table=_tables(word, read, changes, names),
        source=SOURCES,
    )


def _read(word: WrittenWord, part: Component) -> HeadReading | None:
    """Return what a head read for the word; None for a part that is no head."""
    if part.head is None:
        return None
    found = word.attribution
    return queries.read_by_head(word.run, word.stack, found.token, part, found.candidates.ids)


def _headline(word: WrittenWord) -> str:
    if word.best_head is None:
        return say.read_writer(word.piece, None, None, "")
    part = word.attribution.parts[word.best_head]
    read = _read(word, part)
    assert read is not None
    most = int(word.compared(read.shares).argmax())
    return say.read_writer(word.piece, part.layer, part.head, token_name(read.labels, most))


def _sentences(word: WrittenWord, read: HeadReading | None, changes: np.ndarray | None) -> Iterator[str]:
    share = float(word.shares[word.part_index])
    yield say.read_share(word.piece, part_name(word.part), share, word.total, word.against_name)
    yield say.read_random_words(share, float(word.attribution.spread[word.part_index]))
    if read is not None:
        shares = word.compared(read.shares)
        most = int(np.abs(shares).argmax())
        yield say.read_sources(read.labels, most, float(read.weights[most]), float(shares[most]))
    if changes is not None:
        yield say.read_switched_off(share, *map(float, changes))


def _changes(word: WrittenWord) -> np.ndarray | None:
    """Return how much lower the word lies without the part, at this token alone and at all; None for what stays on."""
    part, found = word.part, word.attribution
    if part.head is None and part.kind != "feed-forward":
        return None
    off = queries.switch_off(word.run, word.stack, found.token, part, found.candidates.ids)
    return word.total - np.array([word.compared(off.here), word.compared(off.everywhere)])


def _candidates(word: WrittenWord) -> Candidates:
    found = word.attribution.candidates
    rows = [
        Candidate(number, piece, float(chance), float(chance))
        for number, piece, chance in zip(found.ids, found.pieces, found.probabilities, strict=True)
    ]
    return Candidates(
        rows,
        key="circuits-candidates",
        name="what the model would write here",
        chosen=found.ids[word.candidate],
        sets=lambda token: {CANDIDATE.key: found.ids.index(token), PART.key: None},
        caption="The likeliest words here.",
        click="Click one to ask who speaks for it.",
        widest=float(found.probabilities.max()),
    )


def _part_picture(word: WrittenWord, read: HeadReading | None, changes: np.ndarray | None) -> list[Part]:
    """Return what the part that is looked at read, and the change of the word without it."""
    columns: list[list[Part]] = []
    if read is not None:
        columns.append([_tokens_read(word, read)])
    if changes is not None:
        numbers = bars_data(np.array([word.shares[word.part_index], *changes]), OFF, 2)
        drawn = spec(logit_bars_spec, "How much the logit drops without this part")
        columns.append([Chart(numbers, drawn, "circuits-off", "its share, and the loss without it")])
    return [Columns(columns, widths=(2, 1)[: len(columns)])] if columns else []


def _tokens_read(word: WrittenWord, read: HeadReading) -> TokenButtons:
    """Return the tokens that a head read, shaded by their weights, with what each adds to the word below it."""
    shares = word.compared(read.shares)
    least = NAMED_SHARE * float(np.abs(shares).max(initial=0.0))
    tokens = []
    for label, weight, share in zip(read.labels, np.clip(read.weights, 0, 1), map(float, shares), strict=True):
        note = f"weight {percent(float(weight))}, share {number(share)}"
        under = number(share, 2) if abs(share) >= least > 0 else ""
        tokens.append(Token(bare(label), note, float(weight), under=under))
    name = part_name(word.part)
    return TokenButtons(
        tokens,
        key="circuits-read",
        name=f"What {name} read for “{word.piece}”",
        caption=f"What {name} read: the stronger the colour, the more weight; below a token, what reading it adds to "
        f"“{word.piece}”.",
    )


def _tables(word: WrittenWord, read: HeadReading | None, changes: np.ndarray | None, names: list[str]) -> list[Table]:
    found = word.attribution
    columns = (*found.candidates.pieces, "the average word", "spread over random words")
    tables = [
        Table("compared", word.shares[:, None], names, (word.piece,), corner="part"),
        Table("shares", np.column_stack([found.shares, found.spread]), names, columns, corner="part"),
        Table("sum", np.array([[word.total]]), (word.piece,), ("sum of the shares",), corner="word"),
    ]
    if read is not None:
        numbers = np.column_stack([read.weights, word.compared(read.shares)])
        tables.append(Table("what it read", numbers, read.labels, ("weight", "share"), corner="token"))
    if changes is not None:
        numbers = np.array([[word.shares[word.part_index], *changes]])
        tables.append(Table("without it", numbers, (part_name(word.part),), OFF, corner="part"))
    return tables


VIEW = View("who wrote this word", _show, _controls)
