"""Tiny tokenizers of each kind that the hub has, trained here on a few lines."""

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import sentencepiece
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LINES = (
    "The cat sat on the mat, and the dog sat by the door.",
    "A café in Köln sells crème brûlée; don't ask why!",
    "It was 1,234 degrees — or so they said... 日本語 too, and 😀.",
    "the queen and the king, the man and the woman",
) * 3
CHARACTERS = sorted(set("".join(LINES)))


def byte_level() -> Tokenizer:
    """As GPT-2: bytes, nothing put around a text."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(LINES, trainer)
    return made


def word_pieces() -> Tokenizer:
    """As BERT: lower case, pieces that go on with a word begin with ##, [CLS] and [SEP] around a text."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made.train_from_iterator(
        LINES, trainers.WordPieceTrainer(vocab_size=150, special_tokens=special, show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return made


def marked_bytes() -> Tokenizer:
    """As Llama 2: U+2581 for a space, bytes for what is unknown, <s> before a text."""
    made = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    parts = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    made.decoder = decoders.Sequence(parts)
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, show_progress=False, limit_alphabet=40, max_token_length=6
    )
    made.train_from_iterator(LINES, trainer)
    values = json.loads(made.to_str())
    values["added_tokens"] = [each for each in values["added_tokens"] if not each["content"].startswith("<0x")]
    made = Tokenizer.from_str(json.dumps(values))
    made.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return made


def unigram() -> Tokenizer:
    """As T5: U+2581 for a space, </s> behind a text."""
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    made.train_from_iterator(
        LINES,
        trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>", show_progress=False),
    )
    made.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return made


def whole_words() -> Tokenizer:
    """A piece for each word that is known, and one for all others."""
    made = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.train_from_iterator(
        LINES, trainers.WordLevelTrainer(vocab_size=60, special_tokens=["[UNK]", "[PAD]"], show_progress=False)
    )
    return made


def ended_words() -> Tokenizer:
    """As in the first BPE of translators: the last piece of a word ends with </w>."""
    made = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.decoder = decoders.BPEDecoder(suffix="</w>")
    trainer = trainers.BpeTrainer(
        vocab_size=140, special_tokens=["<unk>", "<pad>"], end_of_word_suffix="</w>", show_progress=False
    )
    made.train_from_iterator(LINES, trainer)
    return made


KINDS: dict[str, Callable[[], Tokenizer]] = {
    "byte-level": byte_level,
    "word-pieces": word_pieces,
    "marked-bytes": marked_bytes,
    "unigram": unigram,
    "whole-words": whole_words,
    "ended-words": ended_words,
}


@cache
def trained(kind: str) -> str:
    """The ``tokenizer.json`` of a kind."""
    return KINDS[kind]().to_str()


@cache
def sentence_pieces(seed: int = 0) -> bytes:
    """A sentencepiece model; its pieces differ with the seed."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES[seed:] * 3),
        model_writer=model,
        vocab_size=90 + seed,
        character_coverage=0.98,
        hard_vocab_limit=False,
        minloglevel=2,
        unk_id=2,
        pad_id=0,
        eos_id=1,
        bos_id=-1,
    )
    return model.getvalue()


def write_marian(folder: Path) -> int:
    """The three files of a Marian tokenizer; returns the number of its pieces."""
    source, target = sentence_pieces(0), sentence_pieces(1)
    pieces: dict[str, int] = {"</s>": 0, "<unk>": 1, ">>fra<<": 2}
    for raw in (source, target):
        model = sentencepiece.SentencePieceProcessor()
        model.LoadFromSerializedProto(raw)
        for i in range(3, len(model)):
            pieces.setdefault(model.IdToPiece(i), len(pieces))
    pieces["<pad>"] = len(pieces)
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    (folder / "vocab.json").write_text(json.dumps(pieces), encoding="utf-8")
    settings = {"source_lang": "en", "target_lang": "fr", "tokenizer_class": "MarianTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return len(pieces)
