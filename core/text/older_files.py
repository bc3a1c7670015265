"""Make the text of a ``tokenizer.json`` from older files: a vocabulary, with or without merges."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.text.subword_cutters import CONTROL

Flags = Mapping[str, bool]
NO_FLAGS: Mapping[str, Flags] = MappingProxyType({})
TEXT_ENDS = ("<s>", "</s>")  # put before and after a text if the vocabulary has both


def byte_level(
    vocabulary: Mapping[str, int], merges: str, added: Mapping[str, int], flags: Mapping[str, Flags] = NO_FLAGS
) -> str:
    """Return the ``tokenizer.json`` of a tokenizer like that of GPT-2 or RoBERTa: byte-pair encoding on bytes.

    vocabulary: the content of ``vocab.json``: the id of each piece.
    merges: the content of ``merges.txt``: one pair a line, in the order of merging.
    added: the content of ``added_tokens.json``: the ids of additional pieces, after those of the vocabulary.
    flags: how special pieces treat what is beside them, by their names: ``lstrip``, ``rstrip``, ``single_word``.

    Raises ValueError if these do not fit each other.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    lines = (line.rstrip("\r") for line in merges.split("\n") if not line.startswith("#version"))
    pairs: Any = [tuple(line.split(" ")) for line in lines if line]
    try:
        made = Tokenizer(models.BPE(dict(vocabulary), pairs))
    except Exception as error:  # the package has no other kind
        raise ValueError(f"merges.txt does not fit vocab.json ({str(error)[:100]}).") from None
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    if all(name in vocabulary for name in TEXT_ENDS):
        ids: Any = [(name, vocabulary[name]) for name in TEXT_ENDS]
        made.post_processor = processors.TemplateProcessing(single=" $A ".join(TEXT_ENDS), special_tokens=ids)
    return _with_added(made, vocabulary, added, flags)


def word_pieces(lines: str, added: Mapping[str, int], flags: Mapping[str, Flags] = NO_FLAGS) -> str:
    """Return the ``tokenizer.json`` of a tokenizer like that of BERT: WordPiece.

    It puts texts into lower case; the settings beside the file may change that later.

    lines: the content of ``vocab.txt``: one piece a line.
    added: the content of ``added_tokens.json``: the ids of additional pieces, after those of the vocabulary.
    flags: as of `byte_level`.

    Raises ValueError if the vocabulary lacks [CLS], [SEP] or [UNK], or the added ids do not fit it.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    pieces = [line.rstrip("\r") for line in lines.split("\n")]
    vocabulary = {piece: number for number, piece in enumerate(pieces) if piece}
    around = ("[CLS]", "[SEP]")
    if missing := [name for name in (*around, "[UNK]") if name not in vocabulary]:
        raise ValueError(f"vocab.txt has no piece {missing[0]}.")
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    ids: Any = [(name, vocabulary[name]) for name in around]
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ids)
    return _with_added(made, vocabulary, added, flags)


def _with_added(made: Any, vocabulary: Mapping[str, int], added: Mapping[str, int], flags: Mapping[str, Flags]) -> str:
    """Add pieces after the vocabulary, and return the text of the ``tokenizer.json``.

    Pieces of the form <…> or […] with a letter inside are declared as control tokens.

    Raises ValueError if an added piece cannot have its id.
    """
    from tokenizers import AddedToken

    def control(name: str) -> AddedToken:
        return AddedToken(name, special=True, **flags.get(name, {}))

    made.add_special_tokens([control(name) for name in vocabulary if _is_control(name)])
    for name, number in sorted(added.items(), key=lambda entry: (entry[1], entry[0])):
        if _is_control(name):
            made.add_special_tokens([control(name)])
        else:
            made.add_tokens([name])
        if made.token_to_id(name) != number:
            raise ValueError(f"added_tokens.json: “{name[:40]}” cannot have the id {number}.")
    text: str = made.to_str()
    return text


def _is_control(name: str) -> bool:
    closed = {"<": ">", "[": "]"}
    return bool(CONTROL.search(name)) and name[-1] == closed.get(name[0]) and any(map(str.isalpha, name))
