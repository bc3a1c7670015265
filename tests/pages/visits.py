"""Visits that are made side by side: what each looks at, and fingerprints of what it sees and of the models."""

import hashlib
import random
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
import torch
from torch import nn

from core.checkpoints.examples import examples_of
from core.decoding.sampling import Sampling
from core.device import Placement
from core.topics.generate.records import Intervention
from core.topics.heads.switches import silencing
from core.topics.shared.places import HeadAddress
from core.topics.translate.interventions import force_attention
from core.topics.word_vectors.live import TrainingSettings
from core.tracing.edits import Edit, ablate_head, force_row
from core.tracing.run import Run
from pages.attention.heads import queries as heads
from pages.compute import cache, generation
from pages.compute import one_head as one_head
from pages.shell import run_plan
from pages.start.journey import queries as journey
from pages.transformer.block import queries as block
from pages.words.word_vectors import queries as vectors

MODELS = ("storyteller-small", "translator", "toy-sort", "sentiment", "storyteller", "reader")
CPU = Placement("cpu", "float32")
Look = Callable[[], object]


@dataclass(frozen=True)
class VisitPlan:
    """One visit. number: everything that the visitor does is drawn from it. model: "" for random weights."""

    number: int
    model: str = ""

    @property
    def run(self) -> Run:
        """The text, the model and the edits."""
        draw = random.Random(self.number)
        if not self.model:
            chosen = {"kind": draw.choice(("encoder", "decoder")), "d": 16 * draw.randint(1, 4), "seed": self.number}
            run = run_plan.make_run(run_plan.DEFAULTS | chosen | {"n": 2}, f"visit {self.number} of many", "")
        else:
            texts = [each.text for each in examples_of(self.model).values() if each.text]
            text = texts[self.number % len(texts)]
            run = run_plan.make_run(run_plan.DEFAULTS, text, text, cache.trained(self.model))
        stack, length = run.config.stacks[-1], len(cache.check(run)[run.config.stacks[-1]])
        weights = (1.0, *[0.0] * (length - 1))
        edits: Sequence[Edit] = (
            ablate_head(run.config, 0, draw.randrange(run.config.heads), stack),
            Edit(f"{stack}.0.ffn_out", "scale", draw.random()),
            force_row(run.config, run.config.depth(stack) - 1, draw.randrange(run.config.heads), 0, weights, stack),
        )
        return replace(run, edits=tuple(draw.sample(edits, 2)), placement=CPU)

    def looks(self) -> list[Look]:
        """What the visitor looks at, one call after the other, as the pages call it."""
        run, draw = self.run, random.Random(-self.number - 1)
        stack = run.config.stacks[-1]
        layer, head = draw.randrange(run.config.depth(stack)), draw.randrange(run.config.heads)
        place, setup = HeadAddress(stack, layer, head), TrainingSettings(seed=self.number, width=4)
        looks: list[Look] = [
            lambda: one_head.head(run, place),
            lambda: heads.overview(run, place),
            lambda: heads.ablate(replace(run, edits=()), place, silencing(run.config, place, [(layer, head)])),
            lambda: _trained(setup, draw.choice((20, 40, 60))),
            lambda: self._patched(replace(run, edits=()), stack),
        ]
        if stack == "decoder":
            looks.append(lambda: self._written(replace(run, edits=()), layer, head))
        if cache.class_layer(run) is not None:
            looks.append(lambda: journey.judged(run))
        draw.shuffle(looks)
        return looks

    def see(self) -> list[str]:
        """Fingerprints of all that the visitor sees."""
        return [fingerprint(look()) for look in self.looks()]

    def _written(self, run: Run, layer: int, head: int) -> object:
        """A text of few tokens with a forced head, and the choice of the last."""
        if run.config.has_two_stacks:
            length = len(cache.check(run)["encoder"])
            forced = force_attention(run.config, 1, self.number % length, length, layer, head, "layer")
        else:
            forced = Intervention((ablate_head(run.config, layer, head),))
        sampling = Sampling(0.9, seed=self.number)
        found = generation.written(run, sampling, count=5, intervention=forced)
        ids = (*generation.start(run), *(each.chosen for each in found))
        return found, generation.step(run, ids, sampling, len(found), intervention=forced)

    def _patched(self, run: Run, stack: str) -> object:
        """The first row of the map of patches, from the same model on another text."""
        run = block.short(run)
        other = " ".join(reversed(run.text.split()))
        pair = block.pair(run, other, stack, 1)
        rows = next(block.patched(run, other, stack, 1, None))
        return pair.labels, list(rows.items())[:1]


def _trained(setup: TrainingSettings, steps: int) -> object:
    """The tables of a live training, and its loss, after so many steps."""
    while (now := vectors.trained_live(setup, steps)).steps < steps:
        pass
    return now.inputs, now.outputs, now.losses


def forget() -> None:
    """Empty all caches of the app."""
    st.cache_data.clear()
    st.cache_resource.clear()


def alone(plans: Iterable[VisitPlan], first: Callable[[], None] = forget) -> list[list[str]]:
    """What visits see that are made one after the other. first: what comes before each."""
    seen = []
    for plan in plans:
        first()
        seen.append(plan.see())
    return seen


def together(plans: Sequence[VisitPlan]) -> list[list[str]]:
    """What visits see that begin at the same moment, in threads of their own."""
    seen: list[list[str]] = [[] for _ in plans]
    at_once = threading.Barrier(len(plans))

    def visit(number: int) -> None:
        at_once.wait()
        seen[number] = plans[number].see()

    threads = [threading.Thread(target=visit, args=(number,)) for number, _ in enumerate(plans)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def models_of(plans: Iterable[VisitPlan]) -> dict[str, nn.Module]:
    """The models of these visits, which all visitors share."""
    runs = {plan.model or f"random {plan.number}": plan.run for plan in plans}
    return {name: cache.compute(lambda model, tokenizer, run: model, run) for name, run in runs.items()}


def tensors_of(models: Mapping[str, nn.Module]) -> dict[str, str]:
    """A fingerprint of each parameter and buffer, as it is now."""
    return {
        f"{title} {name}": fingerprint(value.detach())
        for title, model in models.items()
        for name, value in (*model.named_parameters(), *model.named_buffers())
    }


def fingerprint(value: Any) -> str:
    """A sum over every bit of a record: its arrays, its numbers and its words."""
    total = hashlib.sha256()
    _add(total, value)
    return total.hexdigest()


def _add(total: Any, value: Any) -> None:
    if isinstance(value, torch.Tensor):
        value = value.contiguous().view(torch.uint8).numpy()
    if isinstance(value, np.ndarray):
        total.update(f"{value.dtype}{value.shape}".encode())
        total.update(np.ascontiguousarray(np.ma.getdata(value)).tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        total.update(type(value).__name__.encode())
        for each in fields(value):
            _add(total, getattr(value, each.name))
    elif isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            _add(total, (key, value[key]))
    elif isinstance(value, list | tuple):
        total.update(f"{len(value)}".encode())
        for each in value:
            _add(total, each)
    else:
        total.update(repr(value).encode())
