"""Our own pairs of English sentences that differ in one word, on which the meaning of "it" depends.

In French "it" is il or elle, depending on the gender of the noun that it refers to. The two nouns of a pair differ in
gender, so that the pronoun of the French translation shows which one was understood.
"""

import re
from dataclasses import dataclass

OTHER_PRONOUN = "another"
# Each line: the sentence with a gap | the word that makes "it" mean the first noun: that noun's French pronoun | the
# same for the second noun.
_PAIRS = """
The animal didn't cross the street because it was too _. | tired: il | wide: elle
The dog didn't go into the house because it was too _. | frightened: il | dark: elle
The horse didn't cross the river because it was too _. | tired: il | deep: elle
The horse couldn't pull the car because it was too _. | weak: il | heavy: elle
The cat didn't sleep on the chair because it was too _. | hungry: il | hard: elle
The cat didn't catch the mouse because it was too _. | slow: il | fast: elle
The fox didn't catch the hen because it was too _. | lazy: il | quick: elle
The dog didn't drink the water because it was too _. | tired: il | dirty: elle
The bird left the branch because it was _. | hungry: il | broken: elle
The bird couldn't carry the apple because it was too _. | weak: il | heavy: elle
The wolf didn't go near the farm because it was too _. | shy: il | noisy: elle
The bear didn't go into the cave because it was too _. | fat: il | narrow: elle
The monkey didn't climb the ladder because it was too _. | tired: il | rusty: elle
The rabbit didn't eat the carrot because it was too _. | sick: il | bitter: elle
The duck didn't swim in the sea because it was too _. | young: il | rough: elle
The sheep didn't go through the door because it was too _. | scared: il | narrow: elle
The snake came out of the box because it was _. | hungry: il | open: elle
The elephant didn't cross the road because it was too _. | nervous: il | busy: elle
The bag doesn't fit in the car because it is too _. | big: il | small: elle
The book doesn't fit in the box because it is too _. | big: il | small: elle
The bread doesn't fit in the box because it is too _. | long: il | short: elle
The hat doesn't fit in the suitcase because it is too _. | big: il | small: elle
The cake doesn't fit on the plate because it is too _. | big: il | small: elle
The piano doesn't fit in the room because it is too _. | large: il | small: elle
The sofa didn't go through the door because it was too _. | big: il | narrow: elle
The boat can't sail up the river because it is too _. | big: il | shallow: elle
The truck couldn't use the road because it was too _. | heavy: il | narrow: elle
The bus didn't go down the street because it was too _. | wide: il | narrow: elle
The bus didn't stop in the square because it was too _. | full: il | dangerous: elle
The train didn't stop at the station because it was _. | late: il | closed: elle
The plane couldn't land on the island because it was too _. | big: il | small: elle
The knife didn't cut the meat because it was too _. | small: il | hard: elle
The hammer didn't break the stone because it was too _. | light: il | hard: elle
The nail didn't go into the door because it was too _. | thick: il | hard: elle
The cheese stuck to the plate because it was _. | soft: il | dirty: elle
I put the cake on the table because it was _. | ready: il | empty: elle
I didn't pour the milk into the cup because it was _. | sour: il | dirty: elle
I didn't pour the tea into the bottle because it was _. | bitter: il | broken: elle
The car can't cross the bridge because it is too _. | heavy: elle | weak: il
The car didn't go into the garage because it was too _. | wide: elle | narrow: il
The mouse didn't go into the hole because it was too _. | fat: elle | dark: il
The cow didn't jump over the wall because it was too _. | old: elle | high: il
The goat didn't climb the tree because it was too _. | fat: elle | tall: il
The hen didn't cross the bridge because it was too _. | tired: elle | long: il
The spider didn't come out of the hole because it was too _. | shy: elle | deep: il
The frog didn't swim across the lake because it was too _. | weak: elle | wide: il
The bee didn't come into the garden because it was too _. | weak: elle | dry: il
The bottle doesn't fit in the bag because it is too _. | big: elle | small: il
The guitar doesn't fit in the bag because it is too _. | long: elle | short: il
The dress doesn't fit in the bag because it is too _. | long: elle | small: il
The table doesn't fit in the truck because it is too _. | big: elle | small: il
The chair doesn't fit in the elevator because it is too _. | large: elle | small: il
The ball doesn't go into the hole because it is too _. | big: elle | small: il
The spoon doesn't fit into the glass because it is too _. | big: elle | narrow: il
The stone didn't break the glass because it was too _. | small: elle | thick: il
The rope didn't hold the boat because it was too _. | thin: elle | heavy: il
The ladder didn't reach the roof because it was too _. | short: elle | high: il
The blanket doesn't cover the bed because it is too _. | small: elle | wide: il
The machine couldn't cut the wood because it was too _. | weak: elle | hard: il
The apple fell from the tree because it was _. | ripe: elle | dead: il
The letter stayed in the drawer because it was _. | secret: elle | locked: il
I put the shirt in the bag because it was _. | dirty: elle | empty: il
I put the watch in the drawer because it was _. | expensive: elle | empty: il
I didn't put the meat in the fridge because it was _. | fresh: elle | full: il
I didn't put the lamp on the desk because it was too _. | bright: elle | crowded: il
We didn't put the tent in the garden because it was too _. | big: elle | wet: il
"""
_PRONOUN = re.compile(r"\b(?:(il|elle|ils|elles|cela|ça|ce)\b|c['’])", re.IGNORECASE)
_NAMES = {"ils": "il", "elles": "elle", "cela": "ce", "ça": "ce", "": "ce"}


@dataclass(frozen=True)
class PronounPair:
    """Two sentences that differ in one word, on which the meaning of "it" depends.

    texts: the two sentences.
    words: the word of each in which they differ.
    pronouns: the French pronoun for "it" in each, "il" or "elle".
    """

    texts: tuple[str, str]
    words: tuple[str, str]
    pronouns: tuple[str, str]

    @property
    def name(self) -> str:
        """The name of the pair in a list."""
        return f"{self.words[0]} or {self.words[1]}: {self.texts[0].partition(' because ')[0]}"


def pronoun_pairs() -> tuple[PronounPair, ...]:
    """Return all pairs."""
    return parse_pairs(_PAIRS)


def parse_pairs(text: str) -> tuple[PronounPair, ...]:
    """Read pairs from lines "sentence with _ | word: pronoun | other word: other pronoun"."""
    pairs = []
    for line in text.strip().splitlines():
        frame, *choices = (part.strip() for part in line.split("|"))
        (word, pronoun), (other_word, other_pronoun) = (
            tuple(part.strip() for part in choice.split(":")) for choice in choices
        )
        pairs.append(
            PronounPair(
                (frame.replace("_", word), frame.replace("_", other_word)), (word, other_word), (pronoun, other_pronoun)
            )
        )
    return tuple(pairs)


def french_pronoun(french: str) -> str:
    """Return the last pronoun in a French sentence that could translate "it"; `OTHER_PRONOUN` if there is none.

    It is given as "il" (also for ils), "elle" (also for elles) or "ce" (also for c', ça and cela).
    """
    pronouns = [match[1] or "" for match in _PRONOUN.finditer(french)]
    last = pronouns[-1].lower() if pronouns else OTHER_PRONOUN
    return _NAMES.get(last, last)
