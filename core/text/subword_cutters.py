"""The cutters of models made elsewhere: a ``tokenizer.json``, or sentencepiece models."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sentencepiece

from core.text.hub import CutPiece
from core.text.pair_merges import PairMerges
from core.text.piece_bytes import from_mark, speller

if TYPE_CHECKING:
    import tokenizers

CONTROL = re.compile(r"[<>\[\]{}|｜]")  # characters in the names of control tokens, but not in words
NEVER_TYPED = "\uffff\ufffe"  # noncharacters, which no piece that was learned from text holds
GENERIC = ("PreTrainedTokenizerFast", "TokenizersBackend")  # classes of transformers that use only tokenizer.json
# (part of a tokenizer.json, its type, options of a tokenizer_config.json that override this part's options).
OVERRIDDEN = (
    (
        "normalizer",
        "BertNormalizer",
        {
            "do_lower_case": "lowercase",
            "strip_accents": "strip_accents",
            "tokenize_chinese_chars": "handle_chinese_chars",
        },
    ),
    ("pre_tokenizer", "ByteLevel", {"add_prefix_space": "add_prefix_space"}),
)
# A special token as it is added without further words: nothing beside it is part of it.
ADDED = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
RARE_TEXT = "a 𓂀"  # a letter that many vocabularies lack
SOURCE_CODE = (">>", "<<")  # enclose the language into which a Marian model of several languages is to translate


@dataclass(frozen=True, eq=False)
class JsonCutter:
    """The cutter of a ``tokenizer.json``, the format of the tokenizers package; make it with `of`."""

    names: tuple[str, ...]
    spelled: tuple[bytes | None, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    kind: str
    _cuts: tokenizers.Tokenizer
    _decoder: Any
    _spell: Callable[[str], bytes]

    @classmethod
    def of(cls, raw: str, settings: Mapping[str, Any] = MappingProxyType({})) -> JsonCutter:
        """Return the cutter of a ``tokenizer.json``, given as text.

        settings: the values of the ``tokenizer_config.json`` beside it, some of which override the file's.

        Raises ValueError if the file is damaged.
        """
        import tokenizers  # takes 3 MiB, which only models with such a file need

        try:
            values = _overridden(json.loads(raw), settings)
            made = tokenizers.Tokenizer.from_str(json.dumps(values))
            names = _by_id(made.get_vocab(with_added_tokens=True))
            added = made.get_added_tokens_decoder().values()
            special = {token.content for token in added if token.special and CONTROL.search(token.content)}
            cuts = tokenizers.Tokenizer.from_str(json.dumps(_without(values, special)))
            spell = speller(values)
            before, after = _around(made)
            cuts.encode(RARE_TEXT), made.decode([0])
        except BaseException as error:  # a panic in the package is not an Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise ValueError(f"tokenizer.json is damaged ({str(error)[:100]}).") from None
        hidden = special | {values["model"].get("unk_token"), ""}
        if type(unknown := values["model"].get("unk_id")) is int and 0 <= unknown < len(names):
            hidden.add(names[unknown])
        spelled = tuple(None if name in hidden else spell(name) for name in names)
        return cls(names, spelled, before, after, type(made.model).__name__, cuts, made.decoder, spell)

    def cut(self, text: str) -> list[CutPiece]:
        """Return the pieces of a text, without special ones.

        Raises ValueError if the tokenizer fails on this text, for example because it has no piece for the unknown.
        """
        try:
            encoding = self._cuts.encode(text)
        except Exception as error:  # the package raises no narrower class
            raise ValueError(f"This model's tokenizer cannot cut this text ({str(error)[:100]}).") from None
        return [CutPiece(i, *span) for i, span in zip(encoding.ids, encoding.offsets, strict=True)]

    @cached_property
    def merges(self) -> PairMerges | None:
        """The merges of byte-pair encoding; None for another kind. The first access parses the whole model again."""
        return PairMerges.of(self._learned) if self.kind == "BPE" else None

    @cached_property
    def scores(self) -> tuple[float, ...]:
        """The log-probability of each piece of a unigram model; () for another kind."""
        return tuple(score for _, score in self._learned["vocab"]) if self.kind == "Unigram" else ()

    @property
    def _learned(self) -> Mapping[str, Any]:
        model: Mapping[str, Any] = json.loads(self._cuts.to_str())["model"]
        return model

    def parts(self, word: str) -> list[str]:
        """Return the parts of a word inside a text that are cut independently, as the file spells them."""
        alone, behind = self._parts(word), self._parts(f" {word}")
        marked = bool(alone) and self.spell(alone[0]).startswith(b" ")
        return alone if marked else behind  # some tokenizers add the space before a word themselves

    def _parts(self, text: str) -> list[str]:
        cuts = self._cuts
        normal = cuts.normalizer.normalize_str(text) if cuts.normalizer else text
        return [part for part, _ in cuts.pre_tokenizer.pre_tokenize_str(normal)] if cuts.pre_tokenizer else [normal]

    def spell(self, piece: str) -> bytes:
        """Return the bytes that a piece, or a part of one, adds to a text."""
        return self._spell(piece)

    def spelt(self, piece: str) -> tuple[tuple[int, ...], bool]:
        """Return the ids of a piece at the end of merging, and whether they are those of its bytes.

        The ids are the piece's own; else those of its bytes, if the model has them all; else that of the unknown piece;
        else there are none.
        """
        known, model, data = self._cuts.token_to_id, self._cuts.model, piece.encode()
        codes = [known(f"<0x{byte:02X}>") for byte in data] if model.byte_fallback else []
        ids = tuple(code for code in codes if code is not None)
        if (piece_id := known(piece)) is None and len(ids) == len(data):
            return ids, True
        piece_id = known(model.unk_token) if piece_id is None and model.unk_token else piece_id
        return () if piece_id is None else (piece_id,), False

    def typing(self, piece: str) -> JsonCutter:
        """Return a copy of this cutter that cuts a special piece's name, when typed in a text, as that piece.

        The spaces beside the name are part of the piece if the file says so (``lstrip``, ``rstrip``).
        """
        import tokenizers

        values = _renamed(json.loads(self._cuts.to_str()), {f"{NEVER_TYPED}{piece}": piece})
        if not any(token["content"] == piece for token in values["added_tokens"]):
            values["added_tokens"].append({**ADDED, "id": self.names.index(piece), "content": piece})
        return replace(self, _cuts=tokenizers.Tokenizer.from_str(json.dumps(values)))

    def writing(self) -> JsonCutter:
        """Return a copy of this cutter that adds no special pieces around a text."""
        return replace(self, before=(), after=())

    def join(self, ids: Sequence[int]) -> str:
        pieces = [self.names[i] for i in ids if self.spelled[i] is not None]
        return " ".join(pieces) if self._decoder is None else self._decoder.decode(pieces)


@dataclass(frozen=True, eq=False)
class PieceCutter:
    """The cutter of a sentencepiece model (Kudo & Richardson 2018) with the ids of a vocabulary; make it with `of`.

    A language code at the start of a text, such as ``>>fr<<``, which some Marian models need, is one piece.
    """

    names: tuple[str, ...]
    spelled: tuple[bytes | None, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    _source: sentencepiece.SentencePieceProcessor
    _target: sentencepiece.SentencePieceProcessor
    _ids: Mapping[str, int]
    _unknown: int
    _typed: str | None = None

    @classmethod
    def of(
        cls,
        source: bytes,
        target: bytes | None = None,
        vocabulary: Mapping[str, int] | None = None,
        before: tuple[str, ...] = (),
        after: tuple[str, ...] = ("</s>",),
    ) -> PieceCutter:
        """Return the cutter made from the bytes of sentencepiece models.

        source: the model for the texts that are read.
        target: the model for the texts that are written; None for the same.
        vocabulary: the ids of the pieces; None for the model's own.
        before, after: the special pieces before and after a text.

        Raises ValueError if a model is damaged, or if the vocabulary lacks a special piece.
        """
        reads, writes = _processor(source), _processor(target or source)
        ids = dict(vocabulary) if vocabulary is not None else {reads.IdToPiece(i): i for i in range(len(reads))}
        if missing := [name for name in (*before, *after, "<unk>") if name not in ids]:
            raise ValueError(f"the vocabulary has no piece {missing[0]}.")
        names = _by_id(ids)
        hidden = {"<unk>", "<pad>", "<s>", "</s>"}
        spelled = tuple(None if name in hidden or _is_code(name) else from_mark(name) for name in names)
        first, last = (tuple(ids[name] for name in special) for special in (before, after))
        return cls(names, spelled, first, last, reads, writes, ids, ids["<unk>"])

    def writing(self) -> PieceCutter:
        """Return the cutter of the texts that are written: the target model, and no special pieces around a text."""
        return replace(self, before=(), after=(), _source=self._target)

    def typing(self, piece: str) -> PieceCutter:
        """Return a copy of this cutter that cuts a special piece's name, when typed in a text, as that piece."""
        return replace(self, _typed=piece)

    def cut(self, text: str) -> list[CutPiece]:
        pieces: list[CutPiece] = []
        reached = 0
        for match in re.finditer(re.escape(self._typed), text) if self._typed else ():
            pieces += self._cut(text, reached, match.start())
            pieces.append(CutPiece(self._ids[match[0]], *match.span()))
            reached = match.end()
        return [*pieces, *self._cut(text, reached, len(text))]

    def _cut(self, whole: str, first: int, last: int) -> list[CutPiece]:
        """Return the pieces of a part of a text, with their places in the whole."""
        text = whole[first:last]
        start, end = SOURCE_CODE
        begun = text.find(end) + len(end) if text.startswith(start) and end in text else 0
        known = [CutPiece(self._ids.get(text[:begun], self._unknown), first, first + begun)] if begun else []
        encoding = self._source.encode(text[begun:], out_type="offset_mapping")
        pieces = zip(encoding["pieces"], encoding["offsets"], strict=True)
        begun += first
        return [*known, *(CutPiece(self._ids.get(p, self._unknown), begun + a, begun + b) for p, (a, b) in pieces)]

    def join(self, ids: Sequence[int]) -> str:
        return self._target.decode_pieces([self.names[i] for i in ids if self.spelled[i] is not None])


def _processor(model: bytes) -> sentencepiece.SentencePieceProcessor:
    made = sentencepiece.SentencePieceProcessor()
    try:
        made.LoadFromSerializedProto(model)
        made.encode("a", out_type="offset_mapping")
    except (RuntimeError, UnicodeDecodeError, TypeError) as error:
        raise ValueError(f"the sentencepiece model is damaged ({str(error)[:100]}).") from None
    return made


def _is_code(name: str) -> bool:
    return name.startswith(SOURCE_CODE[0]) and name.endswith(SOURCE_CODE[1]) and len(name) > 4


def _by_id(vocabulary: Mapping[str, int]) -> tuple[str, ...]:
    """Return the piece of each id; "" for an id without one.

    Raises ValueError unless the ids are integers from 0 with few gaps (all below twice their number plus 1,000).
    """
    ids = list(vocabulary.values())
    if not all(type(i) is int for i in ids) or not ids or min(ids) < 0 or max(ids) >= 2 * len(ids) + 1000:
        raise ValueError("the vocabulary's ids are no row of numbers from 0")
    names = [""] * (max(ids) + 1)
    for name, i in vocabulary.items():
        names[i] = name
    return tuple(names)


def _overridden(values: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tokenizer's values without the saved padding and truncation, and with the settings that override them.

    The added tokens are those of `_added`. The settings in `OVERRIDDEN` override the file, as in the classes of
    transformers for BERT and GPT-2; none do if the settings name a `GENERIC` class.
    """
    overridden = {**values, "truncation": None, "padding": None, "added_tokens": _added(values, settings)}
    if settings.get("tokenizer_class") in GENERIC:
        return overridden
    for part, kind, names in OVERRIDDEN:
        overrides = {key: settings[name] for name, key in names.items() if type(settings.get(name)) is bool}
        if isinstance(overridden.get(part), dict) and overridden[part].get("type") == kind:
            overridden[part] = {**overridden[part], **overrides}
    return overridden


def _added(values: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the added tokens of a tokenizer's file, with the changes and additions of ``added_tokens_decoder``.

    The settings say there how a token treats the spaces beside it; they decide, as in transformers.
    """
    tokens = {token["content"]: token for token in values["added_tokens"]}
    for number, token in (settings.get("added_tokens_decoder") or {}).items():
        special = token.get("special", False)
        known = {"id": int(number), **ADDED, "normalized": not special}
        given = {name: token[name] for name in ADDED if name in token}
        tokens[token["content"]] = {**known, **given, "content": token["content"]}
    return sorted(tokens.values(), key=lambda token: token["id"])


def _without(values: Mapping[str, Any], special: set[str]) -> dict[str, Any]:
    """Return the values of a tokenizer that adds nothing around a text and in which `special` pieces cannot be typed.

    These pieces keep their ids, under names that no text contains. The unknown piece keeps its name, but is no longer
    an added token if it is special.
    """
    unknown = values["model"].get("unk_token")
    kept = [token for token in values["added_tokens"] if token["content"] != unknown or unknown not in special]
    hidden = {piece: f"{NEVER_TYPED}{piece}" for piece in special if piece != unknown}
    return _renamed({**values, "added_tokens": kept, "post_processor": None}, hidden)


def _renamed(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a tokenizer in which some pieces have other names, and the same ids."""
    model = dict(values["model"])
    vocabulary = model["vocab"]
    if isinstance(vocabulary, dict):
        model["vocab"] = {names.get(piece, piece): i for piece, i in vocabulary.items()}
    else:
        model["vocab"] = [[names.get(piece, piece), score] for piece, score in vocabulary]
    added = [{**token, "content": names.get(token["content"], token["content"])} for token in values["added_tokens"]]
    return {**values, "model": model, "added_tokens": added}


def _around(made: tokenizers.Tokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the special ids that the tokenizer puts before a text, and those after it."""
    bare, framed = made.encode("a", add_special_tokens=False).ids, made.encode("a").ids
    start = next(k for k in range(len(framed) + 1) if framed[k : k + len(bare)] == bare)
    return tuple(framed[:start]), tuple(framed[start + len(bare) :])
