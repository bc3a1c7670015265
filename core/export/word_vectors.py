"""Scripts of the trained word vectors: nearest words, analogies, cosines of pairs, and a direction of two words."""

import json
from collections.abc import Iterator, Sequence
from functools import partial

import torch
from safetensors.torch import save

from core.export.figure_pieces import fitted_labels
from core.export.literals import assigned
from core.export.script_parts import WEIGHTS, ScriptParts
from core.topics.word_vectors.table import METHODS, WordTable

WORDS = "words.json"
READS = f'WORDS = json.loads(Path("{WORDS}").read_text(encoding="utf-8"))  # most frequent first'
NEAREST = (
    "def nearest(E, t, without):",
    '    """Return the words whose vectors have the largest cosines with t, and these cosines."""',
    "    cosines = E @ (t / (t @ t) ** 0.5)  # (V, D) @ (D,) → (V,); each row of E has length 1",
    "    cosines[[WORDS.index(word) for word in without]] = -1  # so that they are not found",
    "    best = xp.argsort(-cosines)[:COUNT]",
    "    return [WORDS[n] for n in best.tolist()], cosines[best]",
)
PAPER = "Word vectors trained as by Mikolov et al. 2013"
BARS = (
    '{0}.barh(range(len({1})), {2}.tolist(), color="#d8437d")',
    "{0}.set_yticks(range(len({1})), {1})",
    "{0}.invert_yaxis()  # the first on top",
)


def nearest_script(table: WordTable, word: str, count: int) -> ScriptParts:
    """Return the script of the words nearest to a known one, by both methods."""
    methods = ", ".join(f'("{name}", W["{key}"])' for name, key in METHODS.items())
    drawn = [
        "for axis, (method, words, cosines) in zip(axes, found, strict=True):",
        *(f"    {line.format('axis', 'words', 'cosines')}" for line in BARS),
        '    axis.set(title=method, xlabel="cosine")',
    ]
    return ScriptParts(
        title=f"The words nearest to “{word}”",
        caption=f"The {count} words nearest to “{word}”, by the cosine of their vectors, for skip-gram and for CBOW. "
        f"{_from(table)}",
        prints="the nearest words by both methods, with their cosines",
        facts=(f"WORD, COUNT = {json.dumps(word, ensure_ascii=False)}, {count}", READS),
        definitions=(NEAREST,),
        computed=(
            "found = []",
            "print(CAPTION)",
            f"for method, E in [{methods}]:  # (V, D) each",
            "    words, cosines = nearest(E, E[WORDS.index(WORD)], [WORD])",
            "    found.append((method, words, cosines))",
            "    for word, cosine in zip(words, cosines.tolist(), strict=True):",
            '        print(f"{method:>10} {word:>14} {cosine:.3f}")',
        ),
        saved="{method: cosines for method, _, cosines in found}",
        drawn=tuple(drawn),
        panels="1, 2, ",
        exercise="Set `WORD` to another word, in small letters, and run all cells again. How many words are in both "
        "lists?",
        reads_weights=True,
        files=partial(_files, table, tuple(METHODS)),
    )


def analogy_script(table: WordTable, method: str, words: tuple[str, str, str], count: int) -> ScriptParts:
    """Return the script of an analogy a : b = c : ?, answered by one method. words: a, b and c."""
    a, b, c = words
    return ScriptParts(
        title=f"{a} is to {b} as {c} is to what",
        caption=f"The words nearest to {b} − {a} + {c}, by the cosine of their {method} vectors, without the three "
        f"words themselves. {_from(table)}",
        prints="the nearest words with their cosines",
        facts=(*assigned("ASKED", words, "a is to b as c is to what"), f"COUNT = {count}", READS),
        definitions=(NEAREST,),
        computed=(
            f'E = W["{METHODS[method]}"]  # (V, D)',
            "a, b, c = (E[WORDS.index(word)] for word in ASKED)  # (D,) each",
            "answers, cosines = nearest(E, b - a + c, ASKED)",
            "print(CAPTION)",
            "for word, cosine in zip(answers, cosines.tolist(), strict=True):",
            '    print(f"{word:>14} {cosine:.3f}")',
        ),
        saved='{"t": b - a + c, "cosines": cosines}',
        drawn=(*(line.format("axes", "answers", "cosines") for line in BARS), 'axes.set(xlabel="cosine")'),
        exercise="Write `nearest(E, b - a + c, [])` in the cell of the numbers and run it again. Which word is first "
        "now?",
        reads_weights=True,
        files=partial(_files, table, (method,)),
    )


def cosines_script(table: WordTable, method: str, words: Sequence[str]) -> ScriptParts:
    """Return the script of the cosine of every pair of known words, by one method."""
    drawn = (
        'image = axes.imshow(cosines.tolist(), cmap="RdBu_r", vmin=-1, vmax=1)',
        'figure.colorbar(image, label="cosine")',
        "axes.set_xticks(range(len(ASKED)), ASKED, rotation=90)",
        "axes.set_yticks(range(len(ASKED)), ASKED)",
    )
    return ScriptParts(
        title=f"The cosines of {len(words)} words",
        caption=f"The cosine of the {method} vectors of every pair of {len(words)} words. {_from(table)}",
        prints="the cosine of every pair",
        facts=(*assigned("ASKED", words), READS),
        definitions=(),
        computed=(
            f'E = W["{METHODS[method]}"]  # (V, D), rows of length 1',
            "X = xp.stack([E[WORDS.index(word)] for word in ASKED])  # (N, D)",
            "cosines = X @ X.mT  # (N, N)",
            "print(CAPTION)",
            "for word, row in zip(ASKED, cosines.tolist(), strict=True):",
            '    print(f"{word:>14}", " ".join(f"{cosine:.3f}" for cosine in row))',
        ),
        saved='{"cosines": cosines}',
        drawn=drawn,
        fitted=(fitted_labels("ASKED", "ASKED"),),
        exercise="Put other words into `ASKED`, in small letters, and run all cells again. Which two are most alike?",
        reads_weights=True,
        files=partial(_files, table, (method,)),
    )


def leaning_script(table: WordTable, method: str, ends: tuple[str, str], words: Sequence[str]) -> ScriptParts:
    """Return the script of how far known words lean to one of two others, by one method."""
    start, end = ends
    return ScriptParts(
        title=f"Which words lean to {start}, and which to {end}",
        caption=f"The cosine of the {method} vectors of {len(words)} words with {end} − {start}; those "
        f"above 0 lean to “{end}”. {_from(table)}",
        prints="the cosine of each word with the direction",
        facts=(
            *assigned("ENDS", ends, "the direction points from the first to the second"),
            *assigned("ASKED", words),
            READS,
        ),
        definitions=(),
        computed=(
            f'E = W["{METHODS[method]}"]  # (V, D), rows of length 1',
            "start, end = (E[WORDS.index(word)] for word in ENDS)  # (D,) each",
            "direction = (end - start) / ((end - start) @ (end - start)) ** 0.5",
            "cosines = xp.stack([E[WORDS.index(word)] for word in ASKED]) @ direction  # (N,)",
            "print(CAPTION)",
            "for word, cosine in zip(ASKED, cosines.tolist(), strict=True):",
            '    print(f"{word:>14} {cosine:.3f}")',
        ),
        saved='{"cosines": cosines}',
        drawn=(
            *(line.format("axes", "ASKED", "cosines") for line in BARS),
            'axes.set(xlabel=f"cosine: {ENDS[0]} on the left, {ENDS[1]} on the right")',
        ),
        exercise="Put two other words into `ENDS`, in small letters, and run all cells again. Which word leans most "
        "now?",
        reads_weights=True,
        files=partial(_files, table, (method,)),
    )


def _from(table: WordTable) -> str:
    return f"{PAPER}, on {table.data}. Computed with Attention Explorer."


def _files(table: WordTable, methods: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the words and their vectors, of length 1, by these methods."""
    yield WORDS, (json.dumps(table.words, ensure_ascii=False, indent=0) + "\n").encode()
    yield WEIGHTS, save({METHODS[name]: torch.tensor(table.vectors[name]) for name in methods})
