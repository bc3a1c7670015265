"""The files of an exported run: scripts, weights, vocabulary, tokenizer, card and licences, by their names."""

import json
from collections.abc import Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from core.export.asked import Asked
from core.export.dialect import DIALECTS
from core.export.names import plain_weights, weights_bytes, weights_file
from core.export.output_pieces import says_anything
from core.export.script import script
from core.memory import MIB
from core.model.transformer import Transformer

REQUIREMENTS = "torch\nnumpy>=2\nsafetensors\nmatplotlib\n"
WEIGHTS, VOCABULARY = "weights.safetensors", "vocabulary.json"
LARGEST_MIB = 96  # of weights in float32


def check_size(model: Transformer) -> None:
    """Raise ValueError, with the numbers in it, for a model whose weights are too large to hand out."""
    if (needed := weights_bytes(model)) > LARGEST_MIB * MIB:
        raise ValueError(
            f"This model's weights take {needed / MIB:,.0f} MiB, and {LARGEST_MIB} MiB are the most that are "
            "written: choose a smaller model."
        )


def files(asked: Asked, model: Transformer) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file that the scripts of a run need, and the scripts.

    Raises ValueError as `check_size` does.
    """
    check_size(model)
    for dialect in DIALECTS:
        yield f"{dialect.key}_run.py", script(asked, dialect).encode()
    yield "requirements.txt", REQUIREMENTS.encode()
    if says_anything(asked) and asked.classes is None:
        vocabulary = asked.tokenizer.target
        pieces = vocabulary.labels(range(vocabulary.vocab_size))
        yield VOCABULARY, (json.dumps(pieces, ensure_ascii=False, indent=0) + "\n").encode()
    yield WEIGHTS, weights_file(plain_weights(model, asked.classes))


def zipped(contents: Iterator[tuple[str, bytes]]) -> bytes:
    """Return files as a zip; weights are stored as they are, for they do not get smaller."""
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for name, data in contents:
            archive.writestr(name, data, ZIP_STORED if name == WEIGHTS else ZIP_DEFLATED)
    return held.getvalue()
