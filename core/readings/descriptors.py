"""The on-screen explanation of each number of a head."""

from dataclasses import dataclass

from core.analysis.heads import DIVIDED, HEAD_NUMBERS


@dataclass(frozen=True)
class Descriptor:
    """The meaning and formula on screen of one column of a `core.analysis.heads.HeadTable`.

    field: the column's name in that table.
    meaning: one sentence.
    formula: LaTeX of the number that is averaged over the rows i of a pattern A; t holds the ids of the tokens.
    extremes: what the head with the highest number does, and the one with the lowest.
    """

    field: str
    meaning: str
    formula: str
    extremes: tuple[str, str]

    @property
    def name(self) -> str:
        """The column's name on screen."""
        return HEAD_NUMBERS[self.field][0]

    @property
    def unit(self) -> str:
        """Its unit: "bits", "keys", "tokens" or "share"."""
        return HEAD_NUMBERS[self.field][1]

    @property
    def divides_rows(self) -> bool:
        """Whether each row is divided by its sum first, which changes the rows of a model with sink logits."""
        return self.field in DIVIDED

    @property
    def measure(self) -> str:
        """The unit in the words of a sentence: "bits", or "shares from 0 to 1" for the unit "share"."""
        return "shares from 0 to 1" if self.unit == "share" else self.unit


DESCRIPTORS = (
    Descriptor(
        "entropy",
        "How spread out the head's attention is: 0 when each token looks at one token only.",
        r"\operatorname*{mean}_{i}\;-\sum_{j} A_{ij} \log_2 A_{ij}",
        ("spreads its attention most", "least"),
    ),
    Descriptor(
        "effective_keys",
        "How many equally weighted tokens would be as spread out: 2 to the power of the entropy.",
        r"\operatorname*{mean}_{i}\;2^{-\sum_{j} A_{ij} \log_2 A_{ij}}",
        ("looks at the most tokens", "at the fewest"),
    ),
    Descriptor(
        "distance",
        "How many tokens away the head looks on average; 0 is the token itself.",
        r"\operatorname*{mean}_{i}\;\sum_{j} A_{ij}\,|i - j|",
        ("looks furthest away", "least far"),
    ),
    Descriptor(
        "first_token",
        "How much of the attention goes to the first token.",
        r"\operatorname*{mean}_{i}\;A_{i0}",
        ("looks most at the first token", "least"),
    ),
    Descriptor(
        "previous_token",
        "How much of the attention goes to the token just before.",
        r"\operatorname*{mean}_{i \ge 1}\;A_{i,\,i-1}",
        ("looks most at the token just before", "least"),
    ),
    Descriptor(
        "duplicate_token",
        "How much of a repeated token's attention goes to its earlier occurrences.",
        r"\operatorname*{mean}_{i}\;\sum_{j < i,\; t_j = t_i} A_{ij}",
        ("looks most at the same token earlier", "least"),
    ),
    Descriptor(
        "induction",
        "How much of a repeated token's attention goes to what followed its earlier occurrences.",
        r"\operatorname*{mean}_{i}\;\sum_{j < i,\; t_{j-1} = t_i} A_{ij}",
        ("looks most at what followed a repeated token last time", "least"),
    ),
)


def descriptor_named(name: str) -> Descriptor:
    """Return the descriptor with this name on screen."""
    return next(descriptor for descriptor in DESCRIPTORS if descriptor.name == name)
