"""A typed mask is cut as transformers cuts it, with the spaces that its tokenizer counts as part of it."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from core.checkpoints.real.vocabulary import cutter_of
from core.text.hub import HubTokenizer
from core.text.special import SpecialIds
from core.text.subword_cutters import PieceCutter
from tests.core.checkpoints.real.drawn import drawn_model
from tests.core.checkpoints.real.vocabularies import LINES, sentence_pieces, trained

AROUND = ["<s>", "<pad>", "</s>", "<unk>"]
FLAGS = ("lstrip", "rstrip", "single_word", "normalized")
TEXTS = (
    "the <mask> sat",
    "the <mask> <mask> sat",
    "  <mask>  ",
    "<mask>",
    "<mask><mask> a <mask>",
    "the<mask>sat",
    "the  <mask>, and the\n<mask>\n sat.",
    "Köln 日本語 <mask> 😀",
    "no mask",
)


def byte_level(mask: AddedToken) -> Tokenizer:
    """As RoBERTa."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        LINES,
        trainers.BpeTrainer(vocab_size=330, special_tokens=AROUND, initial_alphabet=alphabet, show_progress=False),
    )
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    made.add_special_tokens([mask])
    return made


def unigram(mask: AddedToken) -> Tokenizer:
    """As XLM-RoBERTa and CamemBERT."""
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer, made.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    made.train_from_iterator(
        LINES,
        trainers.UnigramTrainer(vocab_size=120, special_tokens=AROUND, unk_token="<unk>", show_progress=False),
    )
    frame = [("<s>", 0), ("</s>", 2)]
    made.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=frame)
    made.add_special_tokens([mask])
    return made


def word_pieces(mask: AddedToken) -> Tokenizer:
    """As BERT and DistilBERT, but for the name of the mask."""
    made = Tokenizer.from_str(trained("word-pieces"))
    made.add_special_tokens([mask])
    return made


KINDS: dict[str, Callable[[AddedToken], Tokenizer]] = {
    "byte-level": byte_level,
    "unigram": unigram,
    "word-pieces": word_pieces,
}


def write(kind: str, folder: Path, flags: dict[str, bool], **settings: Any) -> Any:
    """Write a tokenizer with a mask of these flags, and return theirs."""
    made = KINDS[kind](AddedToken("<mask>", special=True, **{"normalized": False, **flags}))
    (folder / "tokenizer.json").write_text(made.to_str())
    named = {"tokenizer_class": "PreTrainedTokenizerFast", "mask_token": "<mask>", **settings}
    (folder / "tokenizer_config.json").write_text(json.dumps(named))
    return transformers.PreTrainedTokenizerFast.from_pretrained(folder)


def tokenizer_in(folder: Path) -> HubTokenizer:
    cutter = cutter_of(folder)
    return HubTokenizer(cutter, len(cutter.names), SpecialIds(mask=cutter.names.index("<mask>")))


def same(ours: HubTokenizer, known: Any) -> None:
    for text in TEXTS:
        assert ours.ids(text) == known(text)["input_ids"], text
        typed = ours.encode(text.upper().replace("<MASK>", "<Mask>"))
        assert list(typed.ids) == known(text.upper().replace("<MASK>", "<mask>"))["input_ids"], text
        assert typed.ids.count(ours.special.mask) == text.count("<mask>"), text
        inner = typed.spans[1:-1]
        assert all(a <= reached for (a, _), (_, reached) in zip(inner[1:], inner, strict=False)), text


@pytest.mark.parametrize("kind", KINDS)
def test_a_mask_takes_the_spaces_that_its_file_gives_it(kind: str, tmp_path: Path) -> None:
    for number, values in enumerate(product((False, True), repeat=len(FLAGS))):
        flags = dict(zip(FLAGS, values, strict=True))
        folder = tmp_path / str(number)
        folder.mkdir()
        known, ours = write(kind, folder, flags), tokenizer_in(folder)
        if flags["single_word"]:  # theirs does not cut masks that touch a word; such text is plain here, too
            for text in TEXTS[:4]:
                assert ours.ids(text) == known(text)["input_ids"], (flags, text)
        else:
            same(ours, known)


def test_the_mask_of_roberta_is_one_piece_with_the_space_before_it(tmp_path: Path) -> None:
    write("byte-level", tmp_path, {"lstrip": True})
    read = tokenizer_in(tmp_path).encode("the <mask> sat")
    assert read.labels[1] == "the" and read.labels[2] == "<mask>" and len(read.word_labels) == 5
    assert read.text[slice(*read.spans[2])] == " <mask>"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lstrip", [True, False])
def test_the_settings_beside_the_file_decide_about_its_added_tokens(kind: str, lstrip: bool, tmp_path: Path) -> None:
    known = write(kind, tmp_path, {"lstrip": not lstrip})
    number = known.mask_token_id
    stated = {"content": "<mask>", "lstrip": lstrip, "rstrip": False, "normalized": False, "single_word": False}
    known = write(
        kind, tmp_path, {"lstrip": not lstrip}, added_tokens_decoder={str(number): {**stated, "special": True}}
    )
    same(tokenizer_in(tmp_path), known)
    mask = {"__type": "AddedToken", **stated, "special": True}
    known = write(kind, tmp_path, {"lstrip": not lstrip}, mask_token=mask)  # which theirs does not ask, either
    same(tokenizer_in(tmp_path), known)


def test_tokens_that_only_the_settings_add_are_whole(tmp_path: Path) -> None:
    number = len(cutter_names := KINDS["byte-level"](AddedToken("<mask>", special=True)).get_vocab())
    stated = {"content": "catdog", "lstrip": True, "rstrip": False, "normalized": False, "single_word": False}
    decoder = {str(number): {**stated, "special": False}}
    known = write("byte-level", tmp_path, {"lstrip": True}, added_tokens_decoder=decoder)
    ours = tokenizer_in(tmp_path)
    assert number not in cutter_names.values() and ours.ids("the catdog sat") == known("the catdog sat")["input_ids"]
    assert number in ours.ids("the catdog sat")


@pytest.mark.parametrize("lstrip", [True, False, None])
def test_the_older_files_of_roberta_have_the_mask_of_their_settings(lstrip: bool | None, tmp_path: Path) -> None:
    model = json.loads(trained("byte-level"))["model"]
    vocabulary = {piece: number for number, piece in enumerate([*AROUND, "<mask>", *model["vocab"]])}
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("\n".join(map(" ".join, model["merges"])), encoding="utf-8")
    drawn_model("roberta", 1).config.save_pretrained(tmp_path)
    mask: Any = {"__type": "AddedToken", "content": "<mask>", "lstrip": lstrip, "rstrip": False, "special": True}
    settings = {"tokenizer_class": "RobertaTokenizer", "mask_token": "<mask>" if lstrip is None else mask}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    known = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert ("Ġ" in known.tokenize("the <mask> sat")) == (lstrip is not True)
    same(tokenizer_in(tmp_path), known)


def test_a_sentencepiece_model_has_its_mask_typed_too() -> None:
    cutter = PieceCutter.of(sentence_pieces())
    name = next(name for name in cutter.names if name not in ("<pad>", "</s>", "<unk>") and len(name) > 3)
    mask = cutter.names.index(name)
    ours = HubTokenizer(cutter, len(cutter.names), SpecialIds(mask=mask))
    plain = [piece.id for piece in cutter.cut("the cat")]
    assert ours.ids(f"the cat{name}the cat") == [*plain, mask, *plain, *cutter.after]
    assert ours.encode(f"the cat{name}").spans[len(plain)] == (7, 7 + len(name))
