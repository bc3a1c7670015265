"""Counts broken words and loops in the storyteller's texts, at the app's sampling settings and at others."""

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from core.checkpoints import shipped
from core.decoding.sampling import Sampling, draw, seen_tokens, stages, uniform
from core.device import Placement
from core.model.transformer import Transformer
from core.text.special import BOS, EOS
from core.text.tokenizer import Tokenizer
from core.training.corpus import paragraphs, sentence_pairs

OPENINGS = (
    "Once upon a time there was a little girl who lived in a wood. The little girl",
    "“Good morning, Mr. Fox,” said the hen. “Good morning,” said Mr.",
    "The old king had three sons, and the youngest of them",
    "One day the rabbit went down to the river, and there",
    "It was a dark night, and the wind",
    "Tom and his sister ran to the house, for",
)
TOKENS = 30
LOOP = 4  # the same number of words in the same order twice in a text make a loop
SAMPLINGS = {
    "temperature 0.8, top-k 40, top-p 0.95": Sampling(0.8, 40, 0.95),
    "temperature 0.7, top-k 40, top-p 0.9": Sampling(0.7, 40, 0.9),
    "temperature 0.8, min-p 0.1": Sampling(0.8, 0, 1.0, 0.1),
    "the first with a repetition penalty of 1.1": Sampling(0.8, 40, 0.95, 0.0, 1.1),
    "the second with a repetition penalty of 1.1": Sampling(0.7, 40, 0.9, 0.0, 1.1),
    "the second with a repetition penalty of 1.2": Sampling(0.7, 40, 0.9, 0.0, 1.2),
}
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def known_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of these texts, in small letters."""
    return frozenset(word for text in texts for word in WORD.findall(text.lower()))


def broken_words(text: str, known: frozenset[str]) -> list[str]:
    """Return the words of a text that are not in `known`; the last one is left out because it may be cut."""
    ended = text[: max((match.end() for match in re.finditer(r"\W", text)), default=0)]
    return [word for word in WORD.findall(ended.lower()) if word not in known]


def loops(text: str) -> bool:
    """Return whether the same `LOOP` words in the same order occur twice."""
    words = WORD.findall(text.lower())
    runs = [tuple(words[start : start + LOOP]) for start in range(len(words) - LOOP + 1)]
    return len(set(runs)) < len(runs)


@torch.inference_mode()
def write_tokens(model: Transformer, ids: Sequence[int], sampling: Sampling, sample: int) -> list[int]:
    """Return at most `TOKENS` ids that the model writes after `ids`."""
    text, cache = list(ids), model.cache(1, len(ids) + TOKENS)
    unread = text[:]
    for number in range(TOKENS):
        x = model.run_stack("decoder", torch.tensor([unread]), None, cache=cache)
        logits = model.logits(x[:, -1:])[0, -1]
        left = stages(logits, seen_tokens(torch.tensor(text), len(logits)), sampling)[-1]
        chosen = draw(left.softmax(-1), uniform(sampling.seed, sample, number))
        if chosen == EOS:
            break
        text.append(chosen)
        unread = [chosen]
    return text[len(ids) :]


def draw_samples(model: Transformer, tokenizer: Tokenizer, begin: bool, sampling: Sampling, count: int) -> list[str]:
    """Return texts that the model writes after the openings in turn.

    begin: whether the model reads <s> before an opening.
    """
    starts = [[BOS] * begin + tokenizer.ids(opening) for opening in OPENINGS]
    order = (divmod(number, len(starts)) for number in range(count))
    return [tokenizer.decode(write_tokens(model, starts[index], sampling, sample)) for sample, index in order]


def main(arguments: Sequence[str]) -> None:
    """Count broken words and loops in the storyteller's texts.

    ``python -m core.training samples --data DIR [--model NAME] [--count N]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training samples", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with general/, stories/ and tatoeba/")
    parser.add_argument("--model", default="storyteller", help="the shipped model that writes")
    parser.add_argument("--count", type=int, default=100, help="how many texts")
    chosen = parser.parse_args(arguments)
    known = known_words(paragraphs(chosen.data)) | known_words(english for english, _ in sentence_pairs(chosen.data))
    model, tokenizer = shipped.load(chosen.model, Placement("cpu", "float32")), shipped.tokenizer(chosen.model)
    assert isinstance(tokenizer, Tokenizer)
    begin = shipped.read(chosen.model).format.begin
    for name, sampling in SAMPLINGS.items():
        texts = draw_samples(model, tokenizer, begin, sampling, chosen.count)
        broken = [word for text in texts for word in broken_words(text, known)]
        print(f"{name}: {len(broken)} broken words, {sum(map(loops, texts))} loops in {len(texts)} texts")
        print(f"    {', '.join(broken)}")
