"""The numbers that a script gets from the library are those of the page: same model, same text, same tensors."""

import pytest
import torch

from core.checkpoints import shipped
from core.lab.opened import QUESTION
from core.registry import parse_source
from core.topics.shared.open_run import open_run, run_of_model
from core.tracing.run import Run, execute, prepare
from pages.shell.run_plan import DEFAULTS, make_run

TEXTS = {"toy-copy": ("b d a", "b d"), "toy-reverse": ("b d a", "a d"), "toy-sort": ("b d a", "a b")}
ENGLISH, FRENCH = "The Old man reads a book.", "Le vieil homme lit un livre."
LAB = ("lab:induction,steps=20@20", "lab:sort,steps=20,architecture=encoder-decoder@20", "recorded:modular@4800")


def last(run: Run) -> torch.Tensor:
    model, tokenizer = open_run(run)
    return execute(model, run, prepare(run, tokenizer), [f"{run.config.stacks[-1]}.final"]).output


@pytest.mark.parametrize("name", [*shipped.names(), *LAB])
def test_a_trained_model_gives_a_script_the_numbers_of_the_page(name: str) -> None:
    known = parse_source(name).open()[0]
    if name in LAB:
        texts = known.source.task_texts()
        text, target = texts.get(QUESTION, next(iter(texts.values()))), texts["row 1"]
    else:
        text, target = TEXTS.get(name, (ENGLISH, FRENCH))
    target = target if known.config.has_two_stacks else ""
    page = make_run(DEFAULTS, text, target, known)
    script = run_of_model(name, text, target)
    assert script == page
    assert torch.equal(last(script), last(page))
