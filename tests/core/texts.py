"""Texts of every kind for hypothesis, and the tokenizers to try them on."""

from functools import cache

from hypothesis import strategies as st

from core.text.tokenizer import TOKENIZERS, Tokenizer

TYPED = ["the", " ", "  ", "\n", "\t", "\r\n", "▁", ".", "'", "don't", "<s>", "</s>", "<unk>", "<0x41>", "é", "e\u0301"]
HOSTILE = [
    "\x00",
    "\u202e",
    "\u200b",
    "\u200d",
    "\ufeff",
    "👩‍👩‍👧‍👦",
    "🇫🇷",
    "مرحبا",
    "שלום",
    "你好",
    "\ue000",
    "\U0010ffff",
    "\x85",
]
texts = (st.text() | st.lists(st.sampled_from(TYPED + HOSTILE) | st.text(max_size=3)).map("".join)).filter(
    lambda typed: typed.strip() != ""
)
names = st.sampled_from(TOKENIZERS)
load = cache(Tokenizer.load)
