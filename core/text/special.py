"""What all texts share, whatever their tokenizer: the special pieces that every vocabulary starts with, and the most
tokens of one text."""

SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
PAD, UNK, BOS, EOS = range(len(SPECIAL))
TEXT_LIMIT = 512
