"""What a screen says about each number of a head."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Descriptor:
    """One column of a `core.analysis.heads.HeadTable` in words; `field` is the column's name there."""

    field: str
    name: str
    unit: str
    meaning: str


DESCRIPTORS = (
    Descriptor(
        "entropy",
        "Entropy",
        "bits",
        "How spread out the head's attention is: 0 when each token looks at one token only.",
    ),
    Descriptor(
        "effective_keys",
        "Effective number of keys",
        "keys",
        "How many equally weighted tokens would be as spread out: 2 to the power of the entropy.",
    ),
    Descriptor(
        "distance",
        "Mean distance",
        "tokens",
        "How many tokens away the head looks on average; 0 is the token itself.",
    ),
    Descriptor("first_token", "First token", "share", "How much of the attention goes to the first token."),
    Descriptor("previous_token", "Previous token", "share", "How much of the attention goes to the token just before."),
    Descriptor(
        "duplicate_token",
        "Duplicate token",
        "share",
        "How much of a repeated token's attention goes to its earlier occurrences.",
    ),
    Descriptor(
        "induction",
        "Induction",
        "share",
        "How much of a repeated token's attention goes to what followed its earlier occurrences.",
    ),
)
