"""The runs that lessons' questions are asked about, and the models that answer them."""

from dataclasses import replace
from functools import cache

from core.checkpoints import shipped
from core.model.masks import CausalMask
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.positions.shuffle import trained_run
from core.topics.shared.open_run import open_run
from core.tracing.run import Run

Asked = tuple[Transformer, AnyTokenizer, Run]


@cache
def asked(name: str, text: str) -> Asked:
    """Return a shipped model, its tokenizer and a run on a text: the first arguments of a question's function.

    As on the pages, a decoder has the causal mask.
    """
    run = trained_run(text, shipped.read(name))
    if "decoder" in run.config.stacks:
        run = replace(run, masks=(CausalMask(),))
    return *open_run(run), run
