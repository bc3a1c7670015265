"""What each attention head of a trained model does over many texts, measured once and kept in a small file.

``heads-NAME.safetensors`` says for each head in which texts of ``neuron-texts.json`` its strongest links are, and how
its scores are distributed. The file of a model made elsewhere is in the folder "measured" beside its weights.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError

from core.checkpoints.firing import PoolText, load_pool, pool_sum, write_tensors
from core.checkpoints.measured import MEASURED_FOLDER, rebuild_measured
from core.checkpoints.safetensors_file import open_tensors
from core.model.config import TransformerConfig
from core.text.broken_file import BrokenFile

WITH_HEADS: tuple[str, ...] = ("reader", "storyteller", "translator")  # the shipped models whose heads have a record
STRONGEST, DECILES = 8, 10  # contexts kept of each head: the strongest, and one of each decile
BINS = 20
MAX_BYTES = 16 * 2**20  # of a file
SELF_SCORES = (
    *("previous_token", "next_token", "own_token", "duplicate_token", "induction"),
    *("first_token", "mark", "even", "entropy"),
)
CROSS_SCORES = ("in_order", "turned", "first_token", "mark", "even", "entropy")
CORRELATION = (-1.0, 1.0)
RANGES = {"entropy": (0.0, 8.0), "in_order": CORRELATION, "turned": CORRELATION}  # of all others: 0 to 1
LINK_FIELDS = {"text": np.int16, "query": np.uint8, "key": np.uint8, "weight": np.float16}
SCORE_FIELDS = {"mean": np.float32, "counts": np.uint16, "reached": np.float32}


def score_range(score: str) -> tuple[float, float]:
    """Return the least and the greatest value of a score's histogram."""
    return RANGES.get(score, (0.0, 1.0))


def attentions(config: TransformerConfig) -> tuple[str, ...]:
    """Return the names of a model's attentions: its stacks, and "cross" for an encoder-decoder."""
    return (*config.stacks, *(("cross",) if config.has_two_stacks else ()))


def scores_of(attention: str) -> tuple[str, ...]:
    """Return the scores that are kept of an attention, in the order of the file."""
    return CROSS_SCORES if attention == "cross" else SELF_SCORES


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """The heads of one attention over many texts: N layers, H heads, C contexts, S scores.

    text, query, key, weight: (N, H, C), the texts' numbers in the pool with the link from a query to a key and its
        weight. First come the STRONGEST contexts, the strongest first; then one of each decile of the texts by their
        strongest link, from the lowest. A weight of 0 means that there is no such context.
    mean: (S, N, H), the mean of each score over the texts that have it; 0 if none has.
    counts: (S, N, H, BINS), the number of texts in each equal part of the score's range.
    reached: (S,), the best mean among heads with random weights.
    """

    text: np.ndarray
    query: np.ndarray
    key: np.ndarray
    weight: np.ndarray
    mean: np.ndarray
    counts: np.ndarray
    reached: np.ndarray


@dataclass(frozen=True, eq=False)
class HeadRecord:
    """The heads of a model over many texts, as read from its file.

    about: the file's own description.
    read: the number of texts of the pool that the model has read.
    pool: all texts.
    attentions: the record of each attention: "encoder", "decoder", "cross".
    """

    about: Mapping[str, Any]
    read: int
    pool: tuple[PoolText, ...]
    attentions: Mapping[str, AttentionRecord]


def write_heads(
    name: str,
    records: Mapping[str, AttentionRecord],
    pool: tuple[PoolText, ...],
    about: Mapping[str, Any],
    folder: Path = MEASURED_FOLDER,
) -> None:
    """Write a model's file of heads, whole or not at all.

    about: the file's description, including "read", the number of texts that the model has read.
    """
    tensors = {
        f"{attention}.{field}": np.ascontiguousarray(getattr(record, field), dtype=kind)
        for attention, record in records.items()
        for field, kind in {**LINK_FIELDS, **SCORE_FIELDS}.items()
    }
    write_tensors(folder / f"heads-{name}.safetensors", tensors, pool, about)


def load_heads(name: str, config: TransformerConfig, folder: Path = MEASURED_FOLDER, address: str = "") -> HeadRecord:
    """Read what the heads of a model do over many texts, and the texts.

    address: the model's name on the command line, if it is not `name`.

    Raises BrokenFile if the file is missing, damaged, or belongs to another model or other texts; MemoryError or
    OSError if it is the machine that cannot read it.
    """
    file, again, pool = f"heads-{name}.safetensors", rebuild_measured(f"heads-{address or name}"), load_pool()
    try:
        if (folder / file).stat().st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
        with open_tensors(folder / file, "numpy") as opened:
            about = json.loads(opened.metadata()["about"])
            records = {
                attention: AttentionRecord(
                    *(opened.get_tensor(f"{attention}.{field}") for field in (*LINK_FIELDS, *SCORE_FIELDS))
                )
                for attention in attentions(config)
            }
        read, of_pool = int(about["read"]), about.get("pool")
    except FileNotFoundError:
        raise BrokenFile(f"The file {file} is missing.", again) from None
    except (SafetensorError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        why = str(error).replace(f"{folder}/", "")
        raise BrokenFile(f"The file {file} cannot be read ({why[:100]}).", again) from error
    if of_pool != pool_sum(pool):
        raise BrokenFile(f"The file {file} belongs to other texts than those of neuron-texts.json.", again)
    for attention, record in records.items():
        layers = config.depth("decoder" if attention == "cross" else attention)
        if wrong := _mistake(record, (layers, config.heads), len(scores_of(attention)), len(pool), read):
            raise BrokenFile(f"The file {file} {wrong}.", again)
    return HeadRecord(about, read, pool, records)


def _mistake(record: AttentionRecord, heads: tuple[int, int], scores: int, texts: int, read: int) -> str:
    """Return the reason why tensors do not fit the model or the pool of texts; "" if they fit."""
    shapes = {
        **dict.fromkeys(LINK_FIELDS, (*heads, STRONGEST + DECILES)),
        "mean": (scores, *heads),
        "counts": (scores, *heads, BINS),
        "reached": (scores,),
    }
    for field, kind in {**LINK_FIELDS, **SCORE_FIELDS}.items():
        tensor = getattr(record, field)
        if tensor.dtype != kind or tensor.shape != shapes[field]:
            return f"is not that of a model of {heads[0]} layers with {heads[1]} heads each"
    if record.text.min() < 0 or record.text.max() >= texts:
        return "names texts that there are not"
    numbers = (record.weight, record.mean, record.reached)
    if not all(np.isfinite(tensor).all() for tensor in numbers) or record.weight.min() < 0 or record.weight.max() > 1:
        return "holds weights or scores that cannot be"
    if not 0 < read <= texts or record.counts.sum(-1, dtype=np.int64).max() > read:
        return "counts more texts than there are"
    return ""
