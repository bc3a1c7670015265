"""The files of a run in one zip: scripts, notebook, caption, weights, vocabulary, tokenizer, card, licences."""

import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from core.checkpoints.class_layer import ClassLayer
from core.export.asked import PATTERN, Asked
from core.export.caption import caption
from core.export.card_files import card_files
from core.export.dialect import DIALECTS, TORCH
from core.export.names import plain_weights, weights_bytes, weights_file
from core.export.notebook import PICTURE, Around, notebook, parts_notebook
from core.export.script import script
from core.export.script_parts import REQUIREMENTS, WEIGHTS, ScriptParts
from core.memory import MIB
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run

VOCABULARY = "vocabulary.json"
LARGEST_MIB = 64  # of weights in float32; a zip takes about twice as much while it is made


def check_size(model: Transformer) -> None:
    """Raise ValueError, with the numbers in it, for a model whose weights are too large to hand out."""
    if (needed := weights_bytes(model)) > LARGEST_MIB * MIB:
        raise ValueError(
            f"This model's weights take {needed / MIB:,.0f} MiB, and {LARGEST_MIB} MiB are the most that are "
            "written: choose a smaller model."
        )


def take_home(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    place: HeadAddress,
    classes: ClassLayer | None,
    around: Around,
    draws: str = PATTERN,
) -> bytes:
    """Return the zip of a run.

    place, draws: what is printed and drawn, as in `Asked`.

    classes: the last layer of a classifier; None for any other model.
    around: what the notebook says and shows around the code.

    Raises ValueError for a run without a script, and for a model that is too large.
    """
    return zipped(files(Asked(run, place, tokenizer, classes, draws), model, around))


def files(asked: Asked, model: Transformer, around: Around | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file that the scripts of a run need, and the scripts.

    Raises ValueError as `check_size` does.
    """
    check_size(model)
    for dialect in DIALECTS:
        yield f"{dialect.key}_run.py", script(asked, dialect).encode()
    if around is not None:
        yield "notebook.ipynb", notebook(asked, TORCH, around).encode()
        if around.picture:
            yield PICTURE, around.picture.encode()
    yield "caption.txt", f"{caption(asked)}\n".encode()
    yield "requirements.txt", REQUIREMENTS.encode()
    if asked.run.source is not None:
        yield from card_files(asked.run.source.open()[0].card)
    if asked.guesses and asked.classes is None:
        vocabulary = asked.tokenizer.target
        pieces = vocabulary.labels(range(vocabulary.vocab_size))
        yield VOCABULARY, (json.dumps(pieces, ensure_ascii=False, indent=0) + "\n").encode()
    if isinstance(asked.tokenizer, Tokenizer):
        yield "tokenizer.model", asked.tokenizer.to_bytes()
    yield WEIGHTS, weights_file(plain_weights(model, asked.classes))


def parts_files(parts: ScriptParts, around: Around) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file of a script that runs no transformer."""
    for dialect in DIALECTS:
        yield f"{dialect.key}_run.py", parts.script(dialect).encode()
    yield "notebook.ipynb", parts_notebook(parts, TORCH, around).encode()
    if around.picture:
        yield PICTURE, around.picture.encode()
    yield "caption.txt", f"{parts.caption}\n".encode()
    yield "requirements.txt", REQUIREMENTS.encode()
    yield from parts.files()


def take_parts_home(parts: ScriptParts, around: Around) -> bytes:
    """Return the zip of a script that runs no transformer."""
    return zipped(parts_files(parts, around))


def zipped(contents: Iterable[tuple[str, bytes]]) -> bytes:
    """Return files as a zip; weights are stored as they are, for they do not get smaller."""
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for name, data in contents:
            archive.writestr(name, data, ZIP_STORED if name == WEIGHTS else ZIP_DEFLATED)
    return held.getvalue()
