"""What cuts the texts of other people's models: a ``tokenizer.json``, or sentencepiece models."""

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

CONTROL = re.compile(r"[<>\[\]{}|｜]")  # what the name of a control token has, and no word
NEVER_TYPED = "\uffff\ufffe"  # noncharacters, which no piece that was learned from text holds
GENERIC = ("PreTrainedTokenizerFast", "TokenizersBackend")  # classes of transformers that go by tokenizer.json alone
# Parts of a tokenizer.json, and which options of a tokenizer_config.json count more than theirs.
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
RARE = "a 𓂀"  # a letter that many vocabularies lack
SOURCE_CODE = (">>", "<<")  # around the language that a Marian model of several languages is to write


@dataclass(frozen=True, eq=False)
class JsonCutter:
    """The ``tokenizer.json`` of the tokenizers package; make it with `of`."""

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
        """From the text of a ``tokenizer.json``. ValueError where it is damaged.

        settings: the values of the ``tokenizer_config.json`` beside it, of which some count more.
        """
        import tokenizers  # 3 MiB that no class without such a model needs

        try:
            values = _overridden(json.loads(raw), settings)
            made = tokenizers.Tokenizer.from_str(json.dumps(values))
            names = _by_id(made.get_vocab(with_added_tokens=True))
            added = made.get_added_tokens_decoder().values()
            special = {each.content for each in added if each.special and CONTROL.search(each.content)}
            cuts = tokenizers.Tokenizer.from_str(json.dumps(_without(values, special)))
            spell = speller(values)
            before, after = _around(made)
            cuts.encode(RARE), made.decode([0])
        except BaseException as error:  # a panic of the package is no Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise ValueError(f"tokenizer.json is damaged ({str(error)[:100]}).") from None
        hidden = special | {values["model"].get("unk_token"), ""}
        if type(unknown := values["model"].get("unk_id")) is int and 0 <= unknown < len(names):
            hidden.add(names[unknown])
        spelled = tuple(None if name in hidden else spell(name) for name in names)
        return cls(names, spelled, before, after, type(made.model).__name__, cuts, made.decoder, spell)

    def cut(self, text: str) -> list[CutPiece]:
        """ValueError where the tokenizer fails at this text: it may have no piece for what it does not know."""
        try:
            found = self._cuts.encode(text)
        except Exception as error:  # the package has no other kind
            raise ValueError(f"This model's tokenizer cannot cut this text ({str(error)[:100]}).") from None
        return [CutPiece(i, *span) for i, span in zip(found.ids, found.offsets, strict=True)]

    @cached_property
    def merges(self) -> PairMerges | None:
        """The merges of byte-pair encoding; None for another kind. Reads all that was learned once more."""
        return PairMerges.of(self._learned) if self.kind == "BPE" else None

    @cached_property
    def scores(self) -> tuple[float, ...]:
        """The log-probability of each piece of a unigram model; () for another kind."""
        return tuple(score for _, score in self._learned["vocab"]) if self.kind == "Unigram" else ()

    @property
    def _learned(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self._cuts.to_str())["model"]
        return found

    def parts(self, word: str) -> list[str]:
        """A word inside a text, in the parts that are cut by themselves, as the file spells them."""
        alone, behind = self._parts(word), self._parts(f" {word}")
        marked = bool(alone) and self.spell(alone[0]).startswith(b" ")
        return alone if marked else behind  # some put the space before a word that has none

    def _parts(self, text: str) -> list[str]:
        cuts = self._cuts
        normal = cuts.normalizer.normalize_str(text) if cuts.normalizer else text
        return [part for part, _ in cuts.pre_tokenizer.pre_tokenize_str(normal)] if cuts.pre_tokenizer else [normal]

    def spell(self, piece: str) -> bytes:
        """The bytes that a piece, or a part of one, adds to a text."""
        return self._spell(piece)

    def spelt(self, piece: str) -> tuple[tuple[int, ...], bool]:
        """The ids of a piece that its merges left: its own, or those of its bytes, or of what is unknown, if there are
        any; and whether they are its bytes'."""
        known, model, data = self._cuts.token_to_id, self._cuts.model, piece.encode()
        codes = [known(f"<0x{byte:02X}>") for byte in data] if model.byte_fallback else []
        ids = tuple(code for code in codes if code is not None)
        if (own := known(piece)) is None and len(ids) == len(data):
            return ids, True
        own = known(model.unk_token) if own is None and model.unk_token else own
        return () if own is None else (own,), False

    def writing(self) -> JsonCutter:
        """The same pieces, with nothing put around a text."""
        return replace(self, before=(), after=())

    def join(self, ids: Sequence[int]) -> str:
        pieces = [self.names[i] for i in ids if self.spelled[i] is not None]
        return " ".join(pieces) if self._decoder is None else self._decoder.decode(pieces)


@dataclass(frozen=True, eq=False)
class PieceCutter:
    """A sentencepiece model (Kudo & Richardson 2018) whose pieces have the ids of a vocabulary; make it with `of`.

    The language that some Marian models ask for, such as ``>>fr<<``, is one piece where a text begins with it.
    """

    names: tuple[str, ...]
    spelled: tuple[bytes | None, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    _source: sentencepiece.SentencePieceProcessor
    _target: sentencepiece.SentencePieceProcessor
    _ids: Mapping[str, int]
    _unknown: int

    @classmethod
    def of(
        cls,
        source: bytes,
        target: bytes | None = None,
        vocabulary: Mapping[str, int] | None = None,
        before: tuple[str, ...] = (),
        after: tuple[str, ...] = ("</s>",),
    ) -> PieceCutter:
        """From the bytes of models. target: the model that writes; None for the same. vocabulary: the ids of the
        pieces; None for the model's own. before, after: the special pieces around a text.

        ValueError where they are damaged, or a special piece is missing.
        """
        reads, writes = _processor(source), _processor(target or source)
        ids = dict(vocabulary) if vocabulary is not None else {reads.IdToPiece(i): i for i in range(len(reads))}
        if missing := [name for name in (*before, *after, "<unk>") if name not in ids]:
            raise ValueError(f"the vocabulary has no piece {missing[0]}.")
        names = _by_id(ids)
        hidden = {"<unk>", "<pad>", "<s>", "</s>"}
        spelled = tuple(None if name in hidden or _is_code(name) else from_mark(name) for name in names)
        first, last = (tuple(ids[name] for name in each) for each in (before, after))
        return cls(names, spelled, first, last, reads, writes, ids, ids["<unk>"])

    def writing(self) -> PieceCutter:
        """The same vocabulary with the model that writes, and nothing put around a text."""
        return replace(self, before=(), after=(), _source=self._target)

    def cut(self, text: str) -> list[CutPiece]:
        start, end = SOURCE_CODE
        begun = text.find(end) + len(end) if text.startswith(start) and end in text else 0
        known = [CutPiece(self._ids.get(text[:begun], self._unknown), 0, begun)] if begun else []
        found = self._source.encode(text[begun:], out_type="offset_mapping")
        pieces = zip(found["pieces"], found["offsets"], strict=True)
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
    """The piece of each id; "" where there is none. ValueError for ids that are no short row of numbers."""
    ids = list(vocabulary.values())
    if not all(type(i) is int for i in ids) or not ids or min(ids) < 0 or max(ids) >= 2 * len(ids) + 1000:
        raise ValueError("the vocabulary's ids are no row of numbers from 0")
    names = [""] * (max(ids) + 1)
    for name, i in vocabulary.items():
        names[i] = name
    return tuple(names)


def _overridden(values: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the padding and truncation that were saved with a tokenizer, and apply those of its settings that count more
    than the file, as the classes of transformers for BERT and GPT-2 do."""
    found = {**values, "truncation": None, "padding": None}
    if settings.get("tokenizer_class") in GENERIC:
        return found
    for part, kind, names in OVERRIDDEN:
        said = {own: settings[name] for name, own in names.items() if type(settings.get(name)) is bool}
        if isinstance(found.get(part), dict) and found[part].get("type") == kind:
            found[part] = {**found[part], **said}
    return found


def _without(values: Mapping[str, Any], special: set[str]) -> dict[str, Any]:
    """A tokenizer that puts nothing around a text, and in which these pieces cannot be typed: they keep their ids,
    under names that no text holds."""
    model = dict(values["model"])
    vocabulary, unknown = model["vocab"], model.get("unk_token")

    def name(piece: str) -> str:
        return f"{NEVER_TYPED}{piece}" if piece in special and piece != unknown else piece

    if isinstance(vocabulary, dict):
        model["vocab"] = {name(piece): i for piece, i in vocabulary.items()}
    else:
        model["vocab"] = [[name(piece), score] for piece, score in vocabulary]
    added = [
        {**each, "content": name(each["content"])}
        for each in values["added_tokens"]
        if each["content"] != unknown or unknown not in special
    ]
    return {**values, "model": model, "added_tokens": added, "post_processor": None}


def _around(made: tokenizers.Tokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The special ids that the tokenizer puts before and behind a text."""
    bare, whole = made.encode("a", add_special_tokens=False).ids, made.encode("a").ids
    start = next(k for k in range(len(whole) + 1) if whole[k : k + len(bare)] == bare)
    return tuple(whole[:start]), tuple(whole[start + len(bare) :])
