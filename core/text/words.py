"""Text as it is shown on a screen: visible labels for pieces, and the places at which words begin.

The strings that these functions return contain no control, zero-width or direction-override characters.
"""

import unicodedata

MARK = "▁"  # U+2581, sentencepiece's space
JOIN = "·"  # shown before a piece that continues the word of the piece before it
SPACE = "␣"  # shown for a piece that is only a space
ARROWS = {"\n": "↵", "\t": "⇥"}  # more fonts have these signs than ␊ and ␉

# Default-ignorable or blank characters that Unicode files among letters, marks and symbols.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(c) for c in range(0xFE00, 0xFE10)}
JOINERS = "\u200c\u200d"
APOSTROPHES = "'’"


def visible(text: str) -> str:
    """Return ``text`` with a visible sign for each invisible character: ␀, ↵, U+200B. A plain space is unchanged.

    A combining mark at the start gets a dotted circle before it.
    """
    stand = "◌" if text and unicodedata.category(text[0])[0] == "M" else ""
    return stand + "".join(map(_visible_character, text))


def _visible_character(character: str) -> str:
    code = ord(character)
    if character in ARROWS:
        return ARROWS[character]
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    category = unicodedata.category(character)
    if character != " " and (category[0] in "CZ" or character in BLANK or 0xE0100 <= code <= 0xE01EF):
        return f"U+{code:04X}"
    return character


def byte_label(byte: int) -> str:
    """Return the label of a byte piece, such as ``0xF0``; for a control character its sign, such as ↵."""
    return visible(chr(byte)) if byte < 0x20 or byte == 0x7F else f"0x{byte:02X}"


def piece_label(piece: str, joins: bool = False) -> str:
    """Return the label of one piece; it is never empty.

    The mark of a space in front is left out. A piece of spaces alone is shown as one ␣ for each.

    joins: whether the piece continues the word of the piece before it; if so, and if it begins with a letter or digit,
        its label begins with a middle dot.
    """
    if not piece.strip(MARK):
        return SPACE * max(1, len(piece))
    text = visible(piece.removeprefix(MARK)).replace(MARK, SPACE)
    return JOIN + text if joins and _in_word(text[0]) else text


def word_starts(text: str) -> list[int]:
    """Return the character offsets at which words begin, ascending.

    A word is a run of letters, digits and the marks on them, with apostrophes inside it. A punctuation sign, a symbol
    or an emoji is a word of its own; a run of one punctuation sign ("...") is a single word. Spaces belong to the word
    after them, or at the end of the text to the word before them; any other white space is a word of its own.
    """
    starts: list[int] = []
    begin, last = 0, ""  # where the pending spaces began; the last character of the open word
    for i, character in enumerate(text):
        if character == " ":
            continue
        joined = begin == i and last != ""
        if joined and character in APOSTROPHES and _in_word(last) and _in_word(text[i + 1 : i + 2]):
            begin = i + 1  # `last` stays the letter, so that the next letter continues its word
            continue
        if not (joined and _same_word(last, character)):
            starts.append(begin)
        begin, last = i + 1, character
    return starts


def _same_word(last: str, character: str) -> bool:
    category = unicodedata.category(character)
    if category[0] == "M" or character in JOINERS or "\U0001f3fb" <= character <= "\U0001f3ff":
        return not last.isspace()
    if last == JOINERS[1]:
        return not character.isspace()
    if _in_word(character):
        return _in_word(last)
    return character == last and category[0] == "P"


def _in_word(character: str) -> bool:
    if character == "":
        return False
    return character.isalnum() or character in "_" + JOINERS or unicodedata.category(character)[0] == "M"
