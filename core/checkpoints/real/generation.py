"""Reads a model's special tokens for writing text: ``generation_config.json``, or the options in ``config.json``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.checkpoints.real.files import file_inside, json_object, shown_name
from core.checkpoints.real.options import CONFIG

GENERATION = "generation_config.json"
BANNED_LOGIT = -1e4  # the logit of a banned piece: finite in every number format, and its probability is 0
# Options that would change the first token of a text, and are not carried out.
REFUSED_OPTIONS = ("begin_suppress_tokens", "forced_bos_token_id")


@dataclass(frozen=True)
class Generation:
    """The tokens with which a model's text begins and ends, and those that it never contains.

    pad, begin: None if the files name none.
    ends: the pieces that each end a text.
    banned: the pieces that are never written.
    """

    pad: int | None
    begin: int | None
    ends: tuple[int, ...]
    banned: tuple[int, ...]


def read_generation(folder: Path, config: Mapping[str, Any], rows: int) -> Generation:
    """Read the special tokens that the files name, ignoring ids that are not below `rows`.

    config: the values of ``config.json``.
    rows: the number of pieces in the model's vocabulary.

    As in transformers, a bad word that ends a text is not banned (a suppressed token is), and if there is a
    ``generation_config.json``, it alone says what ends a text.

    Raises ValueError for options that are not supported.
    """
    has_file = file_inside(folder, GENERATION).exists()
    file_name, values = (GENERATION, json_object(folder, GENERATION)) if has_file else (CONFIG, config)
    for name in REFUSED_OPTIONS:
        if values.get(name):
            raise ValueError(f"{file_name}: {name} is {shown_name(repr(values[name]))}, which cannot be carried out.")

    def ids(name: str, *others: Mapping[str, Any]) -> tuple[int, ...]:
        value = next((options[name] for options in (values, *others) if name in options), None)
        named = value if isinstance(value, list) else [value]
        return tuple(token_id for token_id in named if type(token_id) is int and 0 <= token_id < rows)

    words = values.get("bad_words_ids") or []
    if not isinstance(words, list) or not all(isinstance(word, list) and len(word) == 1 for word in words):
        raise ValueError(f"{file_name}: bad_words_ids can be carried out only where each word is a single piece.")
    ends = ids("eos_token_id")
    banned = {
        token_id
        for word in words
        for token_id in word
        if type(token_id) is int and 0 <= token_id < rows and token_id not in ends
    }
    pad, begin = (next(iter(ids(name, config)), None) for name in ("pad_token_id", "decoder_start_token_id"))
    return Generation(pad, begin, ends, tuple(sorted(banned | set(ids("suppress_tokens")))))
