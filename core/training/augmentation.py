"""Changes English-French pairs to resemble visitors' texts: names, numbers, case, slips, longer sentences.

The functions that change a pair take it and a random generator and return a pair whose French side is still correct
French. A model cannot copy names and numbers that it has never seen, so they are replaced by ones that are drawn anew
for each row.

Characters left out and subword sampling against them: Kudo 2018; noise in the source: Belinkov and Bisk 2018.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Pair = tuple[str, str]
WORD = re.compile(r"[^\W\d_]+")
COPIED = re.compile(r"(?<![\w'-])[A-ZÀ-Ý][\w]+(?:-\w+)?(?![\w-])")
INTEGER = re.compile(r"(?<![\d.,:$€£])\d+(?![\d]|[.,:]\d)")
VOWELS = tuple("AEIOUÀÂÉÈÊÎÔ")
# Words that are capitalised alike in both languages but are no names.
NO_NAMES = frozenset((
    "Oh", "Ah", "Hey", "Six", "Time", "Compare", "Ignore", "Change", "Continue", "Super", "Express", "Dr", "Internet",
    "Bible", "Union", "I",
))  # fmt: skip
NUMBER_WORDS: Mapping[str, str] = {
    "three": "trois", "four": "quatre", "five": "cinq", "six": "six", "seven": "sept", "eight": "huit",
    "ten": "dix", "eleven": "onze", "twelve": "douze", "fifteen": "quinze", "twenty": "vingt", "thirty": "trente",
    "forty": "quarante", "fifty": "cinquante",
}  # fmt: skip
# Each placeholder is one number: {n} whole, {t} thousands, {d} with one or two decimals, {h} a time, {y} a year.
NUMBER_FRAMES: tuple[Pair, ...] = (
    ("It costs ${n}.", "Ça coûte {n} dollars."),
    ("It cost me {d} dollars.", "Ça m'a coûté {d} dollars."),
    ("This book costs {d} euros.", "Ce livre coûte {d} euros."),
    ("I paid ${t} for my car.", "J'ai payé ma voiture {t} dollars."),
    ("He paid {t} euros.", "Il a payé {t} euros."),
    ("She earns {t} euros a month.", "Elle gagne {t} euros par mois."),
    ("I have {n} dollars.", "J'ai {n} dollars."),
    ("The train leaves at {h}.", "Le train part à {h}."),
    ("The bus arrives at {h}.", "Le bus arrive à {h}."),
    ("It's {h}.", "Il est {h}."),
    ("We have lunch at {h}.", "Nous déjeunons à {h}."),
    ("The meeting begins at {h}.", "La réunion commence à {h}."),
    ("I woke up at {h} this morning.", "Je me suis réveillé à {h} ce matin."),
    ("The shop closes at {h}.", "Le magasin ferme à {h}."),
    ("He was born in {y}.", "Il est né en {y}."),
    ("She died in {y}.", "Elle est morte en {y}."),
    ("This church was built in {y}.", "Cette église a été construite en {y}."),
    ("They got married in {y}.", "Ils se sont mariés en {y}."),
    ("About {t} people live in this town.", "Environ {t} personnes vivent dans cette ville."),
    ("The tower is {n} meters high.", "La tour fait {n} mètres de haut."),
    ("The river is {t} kilometers long.", "Le fleuve fait {t} kilomètres de long."),
    ("The dog weighs {d} kilograms.", "Le chien pèse {d} kilos."),
    ("Unemployment rose by {d} percent.", "Le chômage a augmenté de {d} pour cent."),
    ("The temperature is {n} degrees.", "La température est de {n} degrés."),
    ("My number is {n}.", "Mon numéro est le {n}."),
    ("I live at number {n}.", "J'habite au numéro {n}."),
    ("Turn to page {n}.", "Allez à la page {n}."),
    ("There are {n} students in our school.", "Il y a {n} élèves dans notre école."),
    ("My grandfather is {n} years old.", "Mon grand-père a {n} ans."),
    ("I'll be there in {n} minutes.", "Je serai là dans {n} minutes."),
    ("The code is {n}.", "Le code est {n}."),
)
JOINTS: tuple[Pair, ...] = (
    (" and ", " et "), (", and ", ", et "), (", but ", ", mais "), (" because ", " parce que "), (", so ", ", donc "),
    (" while ", " pendant que "), (" when ", " quand "), (", because ", ", parce que "),
)  # fmt: skip
SHORT_FORMS: Mapping[str, str] = {
    "can't": "cannot", "won't": "will not", "n't": " not", "I'm": "I am", "'re": " are", "'ll": " will", "'ve": " have",
    "it's": "it is", "It's": "It is", "That's": "That is", "that's": "that is", "What's": "What is", "He's": "He is",
}  # fmt: skip
LONG_FORMS: Mapping[str, str] = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't", "are not": "aren't",
    "was not": "wasn't", "cannot": "can't", "will not": "won't", "could not": "couldn't", "I am": "I'm",
    "You are": "You're", "We are": "We're", "They are": "They're", "I will": "I'll", "I have": "I've",
}  # fmt: skip
NEIGHBOURS = "qwertyuiop asdfghjkl zxcvbnm"
ONSETS = (
    "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "kl", "kr", "l", "m", "n", "p", "pr",
    "qu", "r", "s", "sh", "sk", "sl", "st", "t", "th", "tr", "v", "w", "y", "z", "zh",
)  # fmt: skip
NUCLEI = ["a", "e", "i", "o", "u", "ai", "au", "ea", "ee", "ei", "ia", "io", "oo", "ou", "ya"]
CODAS = ("", "", "", "n", "r", "l", "s", "th", "ck", "m", "nd", "rt", "x", "sk", "ng", "d")


@dataclass(frozen=True)
class Names:
    """Names to write in place of others.

    copied: names that the data spell alike on both sides.
    drawn: further names.
    """

    copied: tuple[str, ...]
    drawn: tuple[str, ...]

    def one(self, rng: np.random.Generator) -> str:
        """Return a random name: from the data, from the books, or made up of syllables."""
        kind = rng.random()
        if kind < 0.25 and self.copied:
            return _pick(self.copied, rng)
        if kind < 0.6 and self.drawn:
            return _pick(self.drawn, rng)
        return made_up_name(rng)


def find_names(pairs: Iterable[Pair], texts: Iterable[str], kept_out: Iterable[str] = ()) -> Names:
    """Return the names that occur in the pairs and in the English texts.

    In the pairs, names are capitalised words that both sides share in at least three pairs. In the texts, names are
    words with a capital inside a sentence that occur at least four times there and never in small letters.

    kept_out: names to leave out.
    """
    out, copied = set(kept_out) | NO_NAMES, Counter[str]()
    for english, french in pairs:
        copied.update(set(COPIED.findall(english)[:]) & set(COPIED.findall(french)))
    inside, small = Counter[str](), set[str]()
    for text in texts:
        inside.update(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,11}\b", text))
        small.update(re.findall(r"\b[a-z]+\b", text))
    drawn = sorted(name for name, count in inside.items() if count >= 4 and name.lower() not in small)
    known = sorted(name for name, count in copied.items() if count >= 3)
    return Names(tuple(n for n in known if n not in out), tuple(n for n in drawn if n not in out))


def made_up_name(rng: np.random.Generator) -> str:
    """Return a made-up name of one to three syllables."""
    count = int(rng.choice([1, 2, 3], p=[0.15, 0.55, 0.3]))
    name = "".join(_pick(ONSETS, rng) + _pick(NUCLEI, rng) for _ in range(count)) + _pick(CODAS, rng)
    name = name[int(len(name) > 4 and rng.random() < 0.2) :]
    return name[:1].upper() + name[1:]


def replace_names(pair: Pair, names: Names, rng: np.random.Generator) -> Pair:
    """Replace the names of a pair by others, or a *he* or *she* that the sentence begins with by a name."""
    english, french = pair
    known = set(names.copied) & set(COPIED.findall(english)) & set(COPIED.findall(french))
    for name in sorted(known):
        new = names.one(rng)
        english = re.sub(rf"\b{name}\b", new, english)
        french = _french_name(french, name, new)
    if known:
        return english, french
    for english_pronoun, french_pronoun in (("He ", "Il "), ("She ", "Elle ")):
        if (
            english.startswith(english_pronoun)
            and french.startswith(french_pronoun)
            and not french.startswith(("Il y ", "Il faut"))
        ):
            new = names.one(rng)
            return f"{new} {english.removeprefix(english_pronoun)}", f"{new} {french.removeprefix(french_pronoun)}"
    return pair


def _french_name(french: str, name: str, new: str) -> str:
    """Replace a name in French, with *de* and *que* elided before a vowel and in full before a consonant."""
    elided = new.startswith(VOWELS)
    if elided:
        french = re.sub(rf"\b([Dd]|[Qq]u)e {name}\b", rf"\1'{new}", french)
    else:
        french = re.sub(rf"\b([Dd]|[Qq]u)'{name}\b", rf"\1e {new}", french)
    return re.sub(rf"\b{name}\b", new, french)


def replace_numbers(pair: Pair, rng: np.random.Generator) -> Pair:
    """Replace each number that occurs once on both sides, in digits or as a word.

    A number in words is replaced only if the pair shares none in digits, and only the first that is found.
    """
    english, french = pair
    shared = set(INTEGER.findall(english)) & set(INTEGER.findall(french))
    for old in sorted(shared):
        if len(re.findall(rf"\b{old}\b", english)) == len(re.findall(rf"\b{old}\b", french)) == 1:
            year = len(old) == 4 and old[0] in "12"
            new = str(rng.integers(1500, 2100)) if year else _whole(rng)
            english, french = (re.sub(rf"\b{old}\b", new, text) for text in (english, french))
    if shared:
        return english, french
    for word, mot in NUMBER_WORDS.items():
        alone = rf"(?<![\w-]){word}(?![\w-])", rf"(?<![\w-]){mot}(?![\w-])"
        if len(re.findall(alone[0], english)) == len(re.findall(alone[1], french)) == 1 and not _compound(english):
            new = _whole(rng)
            return re.sub(alone[0], new, english), re.sub(alone[1], new, french)
    return pair


def _compound(english: str) -> bool:
    """Return whether two words for numbers follow each other, as in "twenty four"."""
    words = english.lower().split()
    known = NUMBER_WORDS.keys() | {"one", "two", "nine", "hundred", "thousand", "million"}
    return any(word in known and next_word.strip(".,?!") in known for word, next_word in pairwise(words))


def number_pair(rng: np.random.Generator) -> Pair:
    """Return one of our own sentences about a price, a time, a year or an amount, with random numbers."""
    english, french = NUMBER_FRAMES[int(rng.integers(len(NUMBER_FRAMES)))]
    number, thousands = _whole(rng), int(rng.integers(1000, 100_000))
    decimal = (
        f"{rng.integers(1, 1000)}.{rng.integers(100):02d}"
        if rng.random() < 0.7
        else f"{rng.integers(1, 100)}.{rng.integers(1, 10)}"
    )
    hour, minute, year = int(rng.integers(24)), int(rng.integers(60)), str(rng.integers(1400, 2100))
    values = {
        "{n}": (number, number),
        "{t}": (f"{thousands:,}", str(thousands)),
        "{d}": (decimal, decimal.replace(".", ",")),
        "{h}": (f"{hour}:{minute:02d}", f"{hour} h {minute:02d}"),
        "{y}": (year, year),
    }
    for placeholder, (in_english, in_french) in values.items():
        english, french = english.replace(placeholder, in_english), french.replace(placeholder, in_french)
    return english, french


def _whole(rng: np.random.Generator) -> str:
    digits = int(rng.choice([1, 2, 3, 4, 7], p=[0.1, 0.4, 0.3, 0.17, 0.03]))
    return str(rng.integers(max(2, 10 ** (digits - 1)), 10**digits))


def change_case(english: str, rng: np.random.Generator) -> str:
    """Return the English all in capitals, all in small letters, or without the punctuation at its end."""
    kind = rng.random()
    if kind < 0.2:
        return english.upper()
    if kind < 0.6:
        return english.lower()
    return english.rstrip(" .!?")


def change_contractions(english: str, rng: np.random.Generator) -> str:
    """Replace a short form by its long form ("don't": "do not") or, in a text without apostrophes, the reverse.

    Only the first form of the table that the text holds is replaced.
    """
    forms = SHORT_FORMS if "'" in english else LONG_FORMS
    for old, new in forms.items():
        if old in english:
            return english.replace(old, new)
    return english


def make_typos(english: str, rng: np.random.Generator) -> str:
    """Make one or two typing mistakes.

    In words of small letters, a letter is swapped, doubled, left out or replaced by its neighbour on the keyboard; an
    apostrophe may be left out anywhere.
    """
    for _ in range(1 if rng.random() < 0.7 else 2):
        words = [match for match in WORD.finditer(english) if len(match[0]) > 3 and match[0].islower()]
        apostrophes = [match.start() for match in re.finditer("'", english)]
        if apostrophes and rng.random() < 0.3:
            index = _pick(apostrophes, rng)
            english = english[:index] + english[index + 1 :]
        elif words:
            word = _pick(words, rng)
            english = english[: word.start()] + _slip(word[0], rng) + english[word.end() :]
    return english


def _slip(word: str, rng: np.random.Generator) -> str:
    index, kind = int(rng.integers(1, len(word) - 1)), rng.random()
    if kind < 0.35:
        return word[:index] + word[index + 1] + word[index] + word[index + 2 :]
    if kind < 0.6:
        return word[:index] + word[index + 1 :]
    if kind < 0.8:
        return word[:index] + word[index] + word[index:]
    near = NEIGHBOURS.find(word[index])
    letter = NEIGHBOURS[near + (1 if near + 1 < len(NEIGHBOURS) and NEIGHBOURS[near + 1] != " " else -1)]
    return word[:index] + (letter if near >= 0 and letter != " " else word[index]) + word[index + 1 :]


def join_pairs(first: Pair, second: Pair, names: frozenset[str], rng: np.random.Generator) -> Pair:
    """Join two pairs into one, side by side or, if both are statements, with a conjunction between them."""
    statements = all(side.rstrip().endswith(".") for pair in (first, second) for side in pair)
    if not statements or rng.random() < 0.4:
        return f"{first[0]} {second[0]}", f"{first[1]} {second[1]}"
    english, french = JOINTS[int(rng.integers(len(JOINTS)))]
    starts = [re.match(r"[\w-]+", side) for side in second]
    if starts[0] and starts[1] and starts[0][0] == starts[1][0]:
        names = names | {starts[0][0]}  # alike in both languages: a name
    after = _inner(second[1], names)
    if french.endswith("que ") and after[:1].lower() in "aeiouéèêh" and not after.startswith("h"):
        french = f"{french[:-2]}'"
    return f"{first[0].rstrip(' .')}{english}{_inner(second[0], names)}", f"{first[1].rstrip(' .')}{french}{after}"


def _inner(sentence: str, names: frozenset[str]) -> str:
    """Return a sentence as it is written inside another: its first letter small unless it begins with a name or *I*."""
    first = re.match(r"[\w-]+", sentence)
    if first and (first[0] in names or first[0] == "I"):
        return sentence
    return sentence[:1].lower() + sentence[1:]


def _pick(values: Sequence[Item], rng: np.random.Generator) -> Item:
    return values[int(rng.integers(len(values)))]
