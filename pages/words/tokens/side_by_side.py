"""The same text under every tokenizer, and one piece with its neighbours in the vocabulary."""

from collections.abc import Iterator, Sequence

from core.text.hub import THE_MODELS
from core.text.tokenizer import Tokenizer
from core.text.words import visible
from core.topics.tokens.cuts import BYTES, CHARACTERS, Cut, cut, entries, entry, hardest, longest_whole, plain_cuts
from core.topics.tokens.readings import (
    name_cut,
    note_entry,
    note_neighbours,
    read_bare_entry,
    read_cuts,
    read_entry,
    read_plain_entry,
)
from core.topics.tokens.words import Looked
from pages.canvas import Token, TokenButtons
from pages.compute.cache import reader
from pages.compute.calls import core_call
from pages.shell import TEXT, Shown, View
from pages.widgets import Button, Caption, Columns, Control, Listing, Markdown, Part, Row, Values, control, plain
from pages.words.tokens import queries
from pages.words.tokens.parts import there
from pages.words.tokens.settings import PIECES_OF, TOKEN

TEXTS = {
    "Rare words": "The unbelievably bioluminescent jellyfish outmanoeuvred an unsuspecting ichthyologist.",
    "Numbers and code": "In 2024, 3.14159 * 1,000,000 = 3141590; print(my_list[0:10], end='')",
    "Capitals and typos": "the THE The teh Thee tHe, naive naïve NAIVE",
}
ICONS = (":material/spellcheck:", ":material/code:", ":material/match_case:")
COLOURS = "The stronger the colour, the more pieces its word was cut into. The small numbers are the ids."
FULL_COLOUR_PIECES = 5  # number of pieces of one word at which a colour is full


def _controls(looked: Looked, values: Values) -> Iterator[Control]:
    yield control(PIECES_OF, "below", options=there(PIECES_OF.options, looked), width=220)
    yield control(TOKEN, "below", width=220, placeholder="of the hardest word")


def _show(looked: Looked, values: Values) -> Shown:
    """Show a line of pieces for each tokenizer, and the chosen piece."""
    tokenizers = queries.every_here(looked)
    learned = [core_call(cut, looked, tokenizer) for tokenizer in tokenizers]
    learned.sort(key=lambda row: row.name not in (THE_MODELS, looked.shipped))  # the model's own first
    cuts = {row.name: row for row in (*learned, *core_call(plain_cuts, looked))}
    words = [visible(looked.run.text[slice(*span)]) for span in looked.spans]
    worst, whole = hardest(learned[0]), longest_whole(learned[0], list(map(len, words)))
    name = values[PIECES_OF] if values[PIECES_OF] in cuts else PIECES_OF.default
    position = _token_position(cuts[name], values[TOKEN], worst)
    rows: list[Part] = [
        part
        for row in cuts.values()
        for part in _row(looked, row, position if row.name == name else None, row is learned[0])
    ]
    pieces = [(row.name, row.per_word[worst]) for row in learned]
    totals = [row.total for row in learned]
    cut_off = any(len(row.ids) < row.total for row in cuts.values())
    return Shown(
        lead="Your text, cut into **tokens** by one **tokenizer** after another.",
        click="Click a token to see its number and its neighbours in the vocabulary.",
        pictures=[*_texts(looked), Columns([rows, _piece(looked, cuts[name], position)], (3, 1))],
        takeaway=read_cuts(
            (words[worst], learned[0].per_word[worst]),
            "" if whole is None else words[whole],
            pieces,
            totals,
            len(looked.run.text),
        ),
        notes=["Of a long text only the first tokens are drawn; all are counted." if cut_off else None],
        about=[
            "A dot in front of a piece says that it goes on with the same word. A word here is what stands between "
            "spaces, with its punctuation.",
            "A larger **vocabulary** gives fewer tokens, but a longer **embedding table**. Characters and bytes need "
            "no training, and give the most tokens.",
        ],
        table=_table(list(cuts.values())),
        source=("core.text.tokenizer.Tokenizer.encode", "core.topics.tokens.cuts.entry"),
    )


def _token_position(row: Cut, wanted: int | None, worst: int) -> int:
    """Return the position of the wanted token, or else of the first token of the word `worst`.

    If there are fewer tokens, return the position of the last.
    """
    if wanted is None:
        wanted = row.owners.index(worst) if worst in row.owners else 0
    return min(wanted, len(row.ids) - 1)


def _row(looked: Looked, row: Cut, position: int | None, first: bool) -> list[Part]:
    """Return the name and the line of a tokenizer; the first is the picture."""
    notes = {i: _note(looked, row, i) for i in set(row.ids)}
    tokens = [
        Token(label, notes[i], min(1.0, (share - 1) / (FULL_COLOUR_PIECES - 1)), under=f"{i:,}")
        for label, i, share in zip(row.labels, row.ids, row.shares, strict=True)
    ]
    line = TokenButtons(
        tokens,
        key=f"tokens-row-{row.name}",
        name=f"The text in pieces of {row.name}",
        selected=position,
        caption=COLOURS if first else "",
        hue="size",
        large=first,
        sets=lambda clicked: {PIECES_OF.key: row.name, TOKEN.key: clicked},
    )
    name = f"{row.name} ({looked.title})" if row.name in (THE_MODELS, looked.shipped) else row.name
    return [Markdown(f"**{plain(name)}** {plain(name_cut(row.total, row.mean))}"), line]


def _note(looked: Looked, row: Cut, i: int) -> str:
    """Return the text that is shown when a piece is pointed at."""
    if row.name in (CHARACTERS, BYTES):
        return f"id {i:,}"
    facts = entry(queries.any_named(row.name, looked), i)
    return ", ".join(filter(None, [f"id {i:,}", note_entry(facts.score, facts.rank)]))


def _piece(looked: Looked, row: Cut, position: int) -> list[Part]:
    """Return the facts about the chosen piece."""
    label, i, name = row.labels[position], row.ids[position], row.name
    if name in (CHARACTERS, BYTES):
        return [Markdown(plain(read_plain_entry(name, label, i)))]
    tokenizer = queries.any_named(name, looked)
    around = core_call(entries, tokenizer, i)
    chosen = next(k for k, neighbour in enumerate(around) if neighbour.id == i)
    facts = around[chosen]
    notes = [note_entry(neighbour.score, neighbour.rank) for neighbour in around]
    tokens = [
        Token(neighbour.label, note, under=f"{neighbour.id:,}") for neighbour, note in zip(around, notes, strict=True)
    ]
    line = TokenButtons(
        tokens, key="tokens-neighbours", name="Neighbours in the vocabulary", selected=chosen, hue="size"
    )
    sentence = read_entry(name, label, i, facts.score, facts.rank, facts.parts)
    bare = name == THE_MODELS and facts.score is None and facts.rank is None
    order = note_neighbours(tokenizer.kind if isinstance(tokenizer, Tokenizer) else "")
    return [Markdown(plain(read_bare_entry(name, label, i) if bare else sentence)), Caption(order), line]


def _texts(looked: Looked) -> Sequence[Part]:
    """Return buttons for texts to try; none if the model has no tokenizer of ours."""
    if not isinstance(reader(looked.run), Tokenizer):
        return ()
    buttons = zip(TEXTS.items(), ICONS, strict=True)
    return [Row([_text_button(name, text, icon) for (name, text), icon in buttons])]


def _text_button(name: str, text: str, icon: str) -> Button:
    return Button(name, f"tokens-try-{name}", lambda: {TEXT.key: text, TOKEN.key: None}, icon, whole=True)


def _table(rows: Sequence[Cut]) -> Listing:
    return Listing(
        "tokenizers",
        {
            "tokenizer": [row.name for row in rows],
            "vocabulary": [row.size for row in rows],
            "tokens": [row.total for row in rows],
            "tokens a word": [round(row.mean, 3) for row in rows],
        },
    )


VIEW = View("all tokenizers", _show, _controls, reads_mask=False)
