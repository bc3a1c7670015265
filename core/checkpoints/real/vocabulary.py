"""Reads the tokenizer of a folder: ``tokenizer.json``, sentencepiece models, or a vocabulary in a file of its own."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.checkpoints.real.files import file_bytes, file_inside, json_object, shown_name
from core.checkpoints.real.generation import read_generation
from core.checkpoints.real.reading import Described
from core.limits import VOCABULARY_MIB
from core.memory import MIB
from core.text.hub import Cutter, HubTokenizer
from core.text.older_files import byte_level, word_pieces
from core.text.special import SpecialIds
from core.text.subword_cutters import JsonCutter, PieceCutter

JSON_FILE, SETTINGS = "tokenizer.json", "tokenizer_config.json"
MARIAN_FILES = ("source.spm", "target.spm", "vocab.json")
BYTE_LEVEL_FILES = ("vocab.json", "merges.txt")
WORD_PIECE_FILE, ADDED_FILE = "vocab.txt", "added_tokens.json"
# A sentencepiece model alone, by its usual name, and the special pieces that its models read around a text.
PIECE_FILES = {"spiece.model": ((), ("</s>",)), "tokenizer.model": (("<s>",), ())}
TOKEN_FLAGS = ("lstrip", "rstrip", "single_word")
MASKS = ("[MASK]", "<mask>")
UNKNOWNS = ("[UNK]", "<unk>")
MOST_VOCABULARY = VOCABULARY_MIB * MIB


def read_tokenizer(folder: Path, described: Described) -> HubTokenizer:
    """Return the tokenizer that a folder's model was trained with.

    Raises ValueError if it is missing, damaged, or too large for the model.
    """
    cutter, rows = cutter_of(folder), described.config.vocab_size
    special = _special_ids(folder, described)
    unknown = _named(folder, "unk_token", UNKNOWNS, cutter.names)
    if unknown in cutter.names:
        special = replace(special, unknown=cutter.names.index(unknown))
    if described.config.masked_head:
        name = _named(folder, "mask_token", MASKS, cutter.names)
        if name not in cutter.names:
            raise ValueError(f"its tokenizer has no piece {shown_name(name)}, which hides a token.")
        special = replace(special, mask=cutter.names.index(name))
    both = described.config.has_two_stacks
    writer = HubTokenizer(cutter.writing(), rows, special) if both else None
    return HubTokenizer(cutter, rows, special, writer)


def _special_ids(folder: Path, described: Described) -> SpecialIds:
    """Return the special ids that the files name.

    An encoder-decoder's text begins with the id of padding if the files name no other.
    """
    generation = read_generation(folder, described.options, described.config.vocab_size)
    begin = None
    if described.config.has_two_stacks:
        begin = next(token_id for token_id in (generation.begin, generation.pad, 0) if token_id is not None)
    return SpecialIds(generation.pad, begin, next(iter(generation.ends), None), other_ends=generation.ends[1:])


def cutter_of(folder: Path) -> Cutter:
    """Return the object that splits a folder's texts into pieces.

    Raises ValueError if the folder's tokenizer is missing or damaged.
    """
    if file_inside(folder, JSON_FILE).exists():
        raw = file_bytes(folder, JSON_FILE, MOST_VOCABULARY)
        try:
            return JsonCutter.of(raw.decode("utf-8"), _settings(folder))
        except UnicodeDecodeError:
            raise ValueError(f"{JSON_FILE} is not JSON.") from None
    if all(file_inside(folder, name).exists() for name in MARIAN_FILES):
        source, target = (file_bytes(folder, name, MOST_VOCABULARY) for name in MARIAN_FILES[:2])
        return PieceCutter.of(source, target, json_object(folder, MARIAN_FILES[2], MOST_VOCABULARY))
    for name, (before, after) in PIECE_FILES.items():
        if file_inside(folder, name).exists():
            return PieceCutter.of(file_bytes(folder, name, MOST_VOCABULARY), before=before, after=after)
    if all(file_inside(folder, name).exists() for name in BYTE_LEVEL_FILES):
        vocabulary = json_object(folder, BYTE_LEVEL_FILES[0], MOST_VOCABULARY)
        made = byte_level(vocabulary, _text(folder, BYTE_LEVEL_FILES[1]), _added(folder), _flags(folder))
        return JsonCutter.of(made, _settings(folder))
    if file_inside(folder, WORD_PIECE_FILE).exists():
        made = word_pieces(_text(folder, WORD_PIECE_FILE), _added(folder), _flags(folder))
        return JsonCutter.of(made, _settings(folder))
    sets = (MARIAN_FILES, BYTE_LEVEL_FILES)
    known = ", ".join((JSON_FILE, *PIECE_FILES, WORD_PIECE_FILE, *map(" with ".join, sets)))
    raise ValueError(f"it has no tokenizer; one of these is needed: {known}.")


def _added(folder: Path) -> dict[str, int]:
    """Return the pieces that were added to an older vocabulary, with their ids.

    Raises ValueError for an id that is not a whole number.
    """
    added = json_object(folder, ADDED_FILE) if file_inside(folder, ADDED_FILE).exists() else {}
    wrong = next((name for name, number in added.items() if not name or type(number) is not int), None)
    if wrong is not None:
        raise ValueError(f"{ADDED_FILE}: “{shown_name(wrong)}” has no whole number as its id.")
    return added


def _flags(folder: Path) -> dict[str, dict[str, bool]]:
    """Return the flags of the mask piece of an older vocabulary, such as ``lstrip``, by its name; {} if none are set.

    They are not used beside a ``tokenizer.json``, which has flags of its own, as in transformers.
    """
    mask = _settings(folder).get("mask_token")
    if not isinstance(mask, dict) or not isinstance(mask.get("content"), str):
        return {}
    return {mask["content"]: {name: mask[name] for name in TOKEN_FLAGS if type(mask.get(name)) is bool}}


def _text(folder: Path, name: str) -> str:
    try:
        return file_bytes(folder, name, MOST_VOCABULARY).decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not text in UTF-8.") from None


def _settings(folder: Path) -> Mapping[str, Any]:
    """Return the values of ``tokenizer_config.json``, or none if there is no such file.

    Raises ValueError if they name a tokenizer with code of its own and there is no ``tokenizer.json``, which says
    without code how texts are cut.
    """
    settings = json_object(folder, SETTINGS) if file_inside(folder, SETTINGS).exists() else {}
    if settings.get("auto_map") and not file_inside(folder, JSON_FILE).exists():
        raise ValueError(f"{SETTINGS}: auto_map names code of its own, which is never run, and {JSON_FILE} is missing.")
    return settings


def _named(folder: Path, setting: str, usual: Sequence[str], names: Collection[str]) -> str:
    """Return a special piece by the name in the settings, or else by one of its usual names."""
    named = _settings(folder).get(setting)
    named = named.get("content") if isinstance(named, dict) else named
    return named if isinstance(named, str) else next((name for name in usual if name in names), usual[0])
