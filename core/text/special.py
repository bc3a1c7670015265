"""What all texts share, whatever their tokenizer: the special pieces that every vocabulary starts with, and the most
tokens of one text."""

SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
SPECIAL_LABELS = ("(pad)", "(unknown)", "(start)", "(end)")  # as every screen names them
PAD, UNK, BOS, EOS = range(len(SPECIAL))
MASK = UNK  # hides a token from a masked language model; no text in pieces holds it: what is unknown is spelt in bytes
TEXT_LIMIT = 512
