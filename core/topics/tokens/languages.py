"""One sentence in many languages, written for this project, and its number of tokens in each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.text.tokenizer import Tokenizer
from core.topics.tokens.cuts import BYTES, CHARACTERS

FIRST_LANGUAGE = "English"
SENTENCES = {
    FIRST_LANGUAGE: "The children are playing in the garden because the sun is shining.",
    "French": "Les enfants jouent dans le jardin parce que le soleil brille.",
    "German": "Die Kinder spielen im Garten, weil die Sonne scheint.",
    "Spanish": "Los niños juegan en el jardín porque brilla el sol.",
    "Finnish": "Lapset leikkivät puutarhassa, koska aurinko paistaa.",
    "Polish": "Dzieci bawią się w ogrodzie, bo świeci słońce.",
    "Turkish": "Güneş parladığı için çocuklar bahçede oynuyor.",
    "Greek": "Τα παιδιά παίζουν στον κήπο επειδή λάμπει ο ήλιος.",
    "Russian": "Дети играют в саду, потому что светит солнце.",
    "Arabic": "يلعب الأطفال في الحديقة لأن الشمس مشرقة.",
    "Hebrew": "הילדים משחקים בגינה כי השמש זורחת.",
    "Hindi": "बच्चे बगीचे में खेल रहे हैं क्योंकि धूप निकली है।",
    "Chinese": "孩子们在花园里玩耍，因为阳光明媚。",
    "Japanese": "太陽が輝いているので、子供たちは庭で遊んでいます。",
    "Korean": "해가 빛나서 아이들이 정원에서 놀고 있어요.",
}


@dataclass(frozen=True, eq=False)
class Costs:
    """The number of tokens of each sentence, (languages, tokenizers), with the names of both."""

    counts: np.ndarray
    languages: tuple[str, ...]
    tokenizers: tuple[str, ...]

    @property
    def ratios(self) -> np.ndarray:
        """The numbers of tokens as multiples of those of the English sentence."""
        return self.counts / self.counts[self.languages.index(FIRST_LANGUAGE)]


def language_costs(tokenizers: Sequence[Tokenizer]) -> Costs:
    """Return the number of tokens of the sentence in each language and tokenizer, and of characters and bytes."""
    counts = [
        [*(len(tokenizer.encode(text)) for tokenizer in tokenizers), len(text), len(text.encode())]
        for text in SENTENCES.values()
    ]
    names = (*(tokenizer.name for tokenizer in tokenizers), CHARACTERS, BYTES)
    return Costs(np.array(counts), tuple(SENTENCES), names)
