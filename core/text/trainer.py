"""Train a sentencepiece model on texts.

Unigram: Kudo 2018, "Subword Regularization". BPE: Sennrich et al. 2016, "Neural Machine Translation of Rare Words
with Subword Units". Byte fallback and identity normalisation let any Unicode text round-trip.
"""

import io
from collections.abc import Iterable

import sentencepiece

KINDS = ("unigram", "bpe")
# Characters that keyboards and phones type; each is a piece, however rare it is.
TYPED_CHARACTERS = "".join(map(chr, range(0x21, 0x7F))) + "‘’“”–—…"


def train_model(kind: str, size: int, texts: Iterable[str], log: bool = False) -> bytes:
    """Return a trained sentencepiece model as bytes; the same texts give the same bytes.

    Each text gets the space in front that `core.text.tokenizer.Tokenizer` puts before every line.

    kind: "unigram" or "bpe".
    size: the number of all pieces: 4 special ones, 256 bytes, and the learned ones.
    log: whether sentencepiece writes its log to standard error.

    Raises ValueError for an unknown kind, and if no model of this size can be trained on these texts.
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
            required_chars=TYPED_CHARACTERS,
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
