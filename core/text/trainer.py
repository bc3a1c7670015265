"""Makes a sentencepiece model from texts.

Unigram: Kudo 2018, "Subword Regularization". BPE: Sennrich et al. 2016, "Neural Machine Translation of Rare Words
with Subword Units". Byte fallback and identity normalisation let any Unicode text round-trip.
"""

import io
from collections.abc import Iterable

import sentencepiece

KINDS = ("unigram", "bpe")
# Pieces of their own however rare they are: what keyboards and phones type.
ALWAYS = "".join(map(chr, range(0x21, 0x7F))) + "‘’“”–—…"


def train_model(kind: str, size: int, texts: Iterable[str], log: bool = False) -> bytes:
    """One sentencepiece model as bytes; the same texts give the same bytes.

    ``kind`` is "unigram" or "bpe", ``size`` counts all pieces: 4 special, 256 bytes, and the learned ones.
    Each text gets the space in front that `core.text.tokenizer.Tokenizer` puts before every line.
    ``log``: sentencepiece says on standard error what it does.
    """
    if kind not in KINDS:
        raise ValueError(f"Unknown kind {kind!r}; choose one of {', '.join(KINDS)}.")
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(" " + text for text in texts),
            model_writer=model,
            model_type=kind,
            vocab_size=size,
            byte_fallback=True,
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            add_dummy_prefix=False,
            shuffle_input_sentence=False,
            max_sentence_length=16_384,
            required_chars=ALWAYS,
            num_threads=1,
            pad_id=0,
            unk_id=1,
            bos_id=2,
            eos_id=3,
            minloglevel=0 if log else 2,
        )
    except RuntimeError as error:
        raise ValueError(f"A {kind} model with {size} pieces cannot be trained on this text: {error}") from error
    return model.getvalue()
