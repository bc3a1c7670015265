"""Finds the texts on which each neuron of a model fires most, among texts that no model here was trained on.

Geva et al. 2021, "Transformer feed-forward layers are key-value memories", section 3.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.checkpoints import shipped
from core.checkpoints.firing import PoolText, StackFiring, write_firing, write_pool
from core.checkpoints.measured import MEASURED_FOLDER
from core.device import Placement
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, execute, prepare
from core.training.corpus import FREE, TATOEBA, book_lines, split_stories
from core.training.translation import key, split_pairs

KEPT_TEXTS = 4  # texts kept for each neuron
SAME_TO = 1e-5  # the share of an activation by which rounding may differ between texts of different lengths
EXACT = Placement("cpu", "float32", "the same numbers on every machine")
PAIRS, PASSAGES = 1500, 1500
WORDS = (4, 24)  # of a sentence
CHARACTERS = (60, 200)  # of a passage
# Texts with words that begin so are left out, because the texts are shown to anyone who clicks on a neuron.
UNFIT = re.compile(
    r"\b(bastard|bitch|breast|condom|corpse|damn|dead|death|die|drug|drunk|fuck|gun|hitler|holocaust|kill|murder|naked|nazi"
    r"|negro|nigg|nude|porn|pregnan|prostitut|rape|savage|sex|shit|shoot|slave|suicid|terroris|torture|virgin|whore)"
)


def draw_pool(data: Path, seed: int, pairs: int = PAIRS, passages: int = PASSAGES) -> tuple[PoolText, ...]:
    """Draw texts to search for high activations: English sentences of Tatoeba with a translation, and book passages.

    No model was trained on any of these texts: the sentences are the translators' test part of Tatoeba, which the
    reader was not trained on either.
    """
    draw = np.random.default_rng(seed)
    test = split_pairs(data, seed).tests["tatoeba"]
    sentences = [PoolText(english, french[0]) for english, french in zip(test.english, test.french, strict=True)]
    parts = split_stories(data, seed)
    lines = (PoolText(line) for part in ("validation", "test") for path in parts[part] for line in book_lines(path))
    short = [pool_text for pool_text in sentences if WORDS[0] <= len(pool_text.english.split()) <= WORDS[1]]
    of_books = [pool_text for pool_text in lines if CHARACTERS[0] <= len(pool_text.english) <= CHARACTERS[1]]
    return tuple(
        fitting[i]
        for texts, most in ((short, pairs), (of_books, passages))
        for fitting in [list(_fit(texts))]
        for i in sorted(draw.permutation(len(fitting))[:most])
    )


def _fit(texts: Iterable[PoolText]) -> Iterator[PoolText]:
    """Yield the texts without a word of `UNFIT`; of texts that differ only in case and punctuation, only the first."""
    seen: set[str] = set()
    for pool_text in texts:
        words = key(pool_text.english)
        if words not in seen and not UNFIT.search(words):
            seen.add(words)
            yield pool_text


def find_firing(
    model: Transformer,
    tokenizer: AnyTokenizer,
    shipped_model: shipped.Shipped,
    pool: Sequence[PoolText],
    kept: int = KEPT_TEXTS,
) -> dict[str, StackFiring]:
    """Find the texts with the largest activations of each neuron, by stack.

    At most one token of each text counts. Texts that are alike up to that token are all the same to a decoder, so only
    the first of them counts. Activations below 0 count as 0.

    A translator reads the pairs, its decoder the French side; all other models read all texts.
    """
    config = shipped_model.config
    record = [f"{stack}.{layer}.ffn_hidden" for stack in config.stacks for layer in range(config.layers)]
    reduce = dict.fromkeys(record, _largest)
    best: dict[str, Tensor] = {}
    texts = readable(pool, shipped_model)
    for done, (number, pool_text) in enumerate(texts):
        if done % 500 == 0:
            print(f"{done:,} of {len(texts):,} texts", flush=True)
        run = reading(pool_text, shipped_model)
        trace = execute(model, run, prepare(run, tokenizer), record, reduce)
        for stack in config.stacks:
            new = trace.stack("ffn_hidden", stack)  # (N, F, 2)
            new = torch.cat([torch.full_like(new[..., :1], number), new], -1)[:, :, None]  # (N, F, 1, 3)
            rows = torch.cat([best[stack], _unlike(new, best[stack])], 2) if stack in best else new
            order = rows[..., 2].argsort(dim=-1, descending=True, stable=True)[..., :kept]
            best[stack] = rows.gather(2, order[..., None].expand(-1, -1, -1, 3))
    return {stack: StackFiring(*np.moveaxis(rows.cpu().numpy(), -1, 0)) for stack, rows in best.items()}


def readable(pool: Sequence[PoolText], shipped_model: shipped.Shipped) -> list[tuple[int, PoolText]]:
    """Return the pool's texts that a model can read, with their numbers in the pool.

    A translator reads only those with a translation.
    """
    several = shipped_model.config.has_two_stacks
    return [(number, pool_text) for number, pool_text in enumerate(pool) if pool_text.french or not several]


def reading(pool_text: PoolText, shipped_model: shipped.Shipped) -> Run:
    """Return a run of the model on a text, in the form in which it read texts in training."""
    config = shipped_model.config
    target = pool_text.french if config.has_two_stacks else ""
    return Run(pool_text.english, config, target, source=shipped_model.source, format=shipped_model.format)


def _unlike(new: Tensor, best: Tensor) -> Tensor:
    """Set new activations to 0 if an equal one, at the same token, is already among the best.

    new: (N, F, 1, 3), as is the result; the last axis holds the number of the text, the token and the activation.
    best: (N, F, K, 3), with the same last axis.
    """
    token, activation = new[..., 1], new[..., 2]  # (N, F, 1)
    alike = (best[..., 1] == token) & ((best[..., 2] - activation).abs() <= SAME_TO * activation)
    return torch.cat([new[..., :2], (activation * ~alike.any(-1, keepdim=True))[..., None]], -1)


def _largest(hidden: Tensor) -> Tensor:
    """Return the token at which each neuron fires most, and its activation there: (1, L, F) → (F, 2)."""
    values, places = hidden[0].float().max(0)
    return torch.stack([places.to(values), values.clamp(min=0)], -1)


def main(arguments: Sequence[str]) -> None:
    """Find the texts with the highest activations of each neuron of a model.

    ``python -m core.training neurons --data DIR [--model NAME] [--seed N] [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training neurons", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with stories/, tatoeba/ and multi30k/")
    parser.add_argument("--model", default="storyteller", help="the shipped model that reads the texts")
    parser.add_argument("--seed", type=int, default=0, help="which texts; 0 is the seed of the models' own splits")
    parser.add_argument("--out", type=Path, default=MEASURED_FOLDER, help="where the files are written")
    chosen = parser.parse_args(arguments)
    shipped_model = shipped.read(chosen.model)
    pool = draw_pool(chosen.data, chosen.seed)
    stacks = find_firing(shipped.load(chosen.model, EXACT), shipped.tokenizer(chosen.model), shipped_model, pool)
    command = f"python -m core.training neurons --data DIR --model {{}} --seed {chosen.seed}"
    write_pool(pool, _about_pool(chosen.data, chosen.seed, command), chosen.out)
    about = {
        "what": f"of each neuron of the feed-forward layers the {KEPT_TEXTS} texts of neuron-texts.json on which it "
        "fires "
        "most: the text's number, the token's in it, and the activation there",
        "model": chosen.model,
        "steps": shipped_model.card.steps,
        "read": len(readable(pool, shipped_model)),
        "command": command.format(chosen.model),
    }
    write_firing(chosen.model, stacks, pool, about, chosen.out)


def _about_pool(data: Path, seed: int, command: str) -> dict[str, Any]:
    parts = split_stories(data, seed)
    held = [path.name.removesuffix(".txt.gz") for path in (*parts["validation"], *parts["test"])]
    return {
        "what": "texts that the neurons of trained models are tried on: English sentences with a French translation, "
        "and passages of children's books",
        "data": [TATOEBA, {"text": f"passages of {', '.join(held)}", "licence": f"{FREE} in the USA"}],
        "split": "of Tatoeba the translators' test part, of the books those that were kept out of training: neither a "
        "translator nor a storyteller nor the reader was trained on these texts; texts with words that are unfit for a "
        "classroom are left out",
        "seed": seed,
        "command": command.format("storyteller"),
    }
