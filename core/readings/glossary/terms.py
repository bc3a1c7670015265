"""All terms of the glossary: by group, by name, and by any way to write them."""

from collections.abc import Mapping

from core.readings.glossary.attention import ATTENTION_TERMS, MASKS
from core.readings.glossary.costs import COSTS
from core.readings.glossary.depth import DEPTH
from core.readings.glossary.measures import MEASURES, NAMED_HEADS
from core.readings.glossary.network import MODELS, PARTS
from core.readings.glossary.term import Term
from core.readings.glossary.text import POSITIONS, TEXT
from core.readings.glossary.words import WORDS
from core.readings.glossary.writing import WRITING

GROUPS: Mapping[str, tuple[Term, ...]] = {
    "The text as numbers": TEXT,
    "Words as vectors": WORDS,
    "Where tokens stand": POSITIONS,
    "Attention": ATTENTION_TERMS,
    "Who may look at whom": MASKS,
    "Around attention": PARTS,
    "Through many layers": DEPTH,
    "Kinds of models": MODELS,
    "Writing a text": WRITING,
    "What a model costs": COSTS,
    "What is measured": MEASURES,
    "Heads with names": NAMED_HEADS,
}
BY_NAME: Mapping[str, Term] = {
    term.name: term
    for term in sorted((term for group in GROUPS.values() for term in group), key=lambda term: term.name.casefold())
}
BY_FORM: Mapping[str, Term] = {form.casefold(): term for term in BY_NAME.values() for form in (term.name, *term.forms)}


def matching(words: str) -> tuple[str, ...]:
    """The names of the terms that hold all these words, from A to Z; a single letter finds what begins with it."""
    wanted = words.casefold().split()
    if len(wanted) == 1 and len(wanted[0]) == 1:
        return tuple(name for name in BY_NAME if name.casefold().startswith(wanted[0]))
    return tuple(name for name, term in BY_NAME.items() if all(word in _searched_text(term) for word in wanted))


def _searched_text(term: Term) -> str:
    return " ".join((term.name, *term.forms, term.text, term.paper)).casefold()


def glossary_text() -> str:
    """Return the text of all entries without marks, one below the other."""
    return "\n".join(term.text.replace("**", "") for term in BY_NAME.values())
