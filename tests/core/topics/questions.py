"""The runs that lessons' questions are asked about, and the models that answer them."""

from functools import cache

from core.checkpoints import shipped
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.positions.shuffle import trained_run
from core.topics.shared.open_run import open_run
from core.tracing.run import Run

Asked = tuple[Transformer, AnyTokenizer, Run]


@cache
def asked(name: str, text: str) -> Asked:
    """Return a shipped model, its tokenizer and a run on a text: the first arguments of a question's function."""
    run = trained_run(text, shipped.read(name))
    return *open_run(run), run
