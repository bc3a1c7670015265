"""Drawn folders, varied in everything at once: weights, options, head, tokenizer, and how they want to be written with.

The ids, the numbers and the written tokens are those of transformers.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer

from core.checkpoints.real import places
from core.checkpoints.real.generation import GENERATION
from core.decoding.greedy import continuation
from core.device import Placement
from core.text.hub import HubTokenizer
from tests.core.checkpoints.real.drawn import DRAWS, transformers, write_varied
from tests.core.checkpoints.real.test_proof import CLASSIFIERS, same
from tests.core.checkpoints.real.vocabularies import trained, write_marian

FOLDERS = 6
WRITTEN = 16
READ = 8  # tokens of a text, so that what is written has room behind them
CPU = Placement("cpu", "float32")
TEXTS = ("The cat sat on the mat.", "don't <think> why!", "  two  spaces ", "Köln 日本語 😀")
# Of these the second piece is the padding, from which RoBERTa counts its positions.
PADDED = ("whole-words", "ended-words")
KINDS = ("byte-level", "marked-bytes", "unigram", *PADDED)


@pytest.mark.parametrize("family", DRAWS)
def test_drawn_folders_read_as_in_transformers(family: str, tmp_path: Path) -> None:
    for seed in range(FOLDERS):
        folder = tmp_path / str(seed)
        compare_folder(family, seed, folder)


def compare_folder(family: str, seed: int, folder: Path) -> None:
    rng = random.Random(f"whole {family} {seed}")
    folder.mkdir()
    rows = write_tokenizer(family, folder, rng)
    head = head_of(family, rng)
    theirs = write_varied(family, seed, folder, head, rows + rng.choice([0, 3]) * (family != "marian"))
    kind = "MarianTokenizer" if family == "marian" else "PreTrainedTokenizerFast"
    known = getattr(transformers, kind).from_pretrained(folder)
    tokenizer = places.open_model(folder.name, folder.parent)[1]
    read = [ids for text in TEXTS if (ids := same_ids(tokenizer, known, text))]
    with torch.inference_mode():
        if "bert" in family:
            same_numbers(folder, theirs, read)
        else:
            same_writing(folder, theirs, read[0][:READ], rng)


def write_tokenizer(family: str, folder: Path, rng: random.Random) -> int:
    """Write a drawn tokenizer as it is saved in the middle of somebody's work; returns the number of its pieces."""
    if family == "marian":
        return write_marian(folder)
    bert, roberta = family in ("bert", "distilbert"), "roberta" in family or family == "camembert"
    made = Tokenizer.from_str(trained("word-pieces" if bert else rng.choice(PADDED if roberta else KINDS)))
    if rng.random() < 0.5:
        made.add_tokens(["<think>"])
    if rng.random() < 0.5:
        made.enable_truncation(5)
        made.enable_padding(length=12)
    (folder / "tokenizer.json").write_text(made.to_str())
    settings = {"tokenizer_class": "PreTrainedTokenizerFast"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return int(made.get_vocab_size())


def head_of(family: str, rng: random.Random) -> str:
    """A class of theirs, with or without a head; "" for the one that writes or guesses words."""
    if family not in CLASSIFIERS:
        return ""
    heads = ["Model", "ForSequenceClassification", "ForTokenClassification"]
    masked = ["ForMaskedLM"] * (family in ("bert", "distilbert"))  # the others' tokenizers have no mask here
    return CLASSIFIERS[family] + rng.choice(heads + masked)


def same_ids(tokenizer: HubTokenizer, known: Any, text: str) -> list[int]:
    found = tokenizer.ids(text)
    assert found == known(text, split_special_tokens=True)["input_ids"], text
    return found


def same_numbers(folder: Path, theirs: Any, read: list[list[int]]) -> None:
    model, layer = places.load(folder.name, CPU, folder.parent), places.class_layer(folder.name, folder.parent)
    kind = type(theirs).__name__
    assert (layer is not None) == kind.endswith("ForSequenceClassification")
    for ids in read:
        row = torch.tensor([ids])
        seen, found = theirs(row, output_hidden_states=True), model(row)
        same(found, seen.hidden_states[-1], "states")
        if layer is not None:
            same(layer.logits(found), seen.logits, "classes")
        if model.config.masked_head:
            same(model.logits(found), seen.logits, "hidden words")


def same_writing(folder: Path, theirs: Any, ids: list[int], rng: random.Random) -> None:
    two = theirs.config.is_encoder_decoder
    begin = getattr(theirs.config, "decoder_start_token_id", None) or 0
    row = torch.tensor([ids])
    start, source = (torch.tensor([[begin]]), row) if two else (row, None)
    free = continuation(places.load(folder.name, CPU, folder.parent), start, WRITTEN, source)[0].tolist()
    banned, ends = rng.sample(free, 2), rng.sample(range(theirs.config.vocab_size), 2)
    values: dict[str, Any] = {"bad_words_ids": [[banned[0]]], "suppress_tokens": [banned[1]], "eos_token_id": ends}
    values = {name: value for name, value in values.items() if rng.random() < 0.7} | {"pad_token_id": 1}
    values |= {"decoder_start_token_id": begin} if two else {}
    (folder / GENERATION).write_text(json.dumps(values))
    written = continuation(places.load(folder.name, CPU, folder.parent), start, WRITTEN, source)[0].tolist()
    tokenizer = places.open_model(folder.name, folder.parent)[1]
    last = next((at for at, piece in enumerate(written) if piece in tokenizer.special.ends), WRITTEN - 1)
    theirs.generation_config = transformers.GenerationConfig.from_pretrained(folder)
    known = theirs.generate(
        row,
        attention_mask=torch.ones_like(row),  # a piece of the text may have the number of padding
        do_sample=False,
        use_cache=False,
        max_new_tokens=WRITTEN + 1,  # some are made to end at the last
    )[0, start.shape[1] :].tolist()
    assert written[: last + 1] == known[:WRITTEN][: last + 1], f"{folder.name}: {values}"
    assert last == WRITTEN - 1 or len(known) == last + 1, f"{folder.name}: {values}"
