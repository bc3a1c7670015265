"""The view of the purpose of each part of a block: the parts are taken away, one at a time."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from core.charts.word_contexts import stages_data, stages_spec
from core.readings.words import capital
from core.text.labels import token_name
from core.text.spaced import SpacedTokenizer
from core.text.symbols import SymbolTokenizer
from core.topics.block.ablation import AblatedRun, RunOutcome
from core.topics.block.answers import answer_row
from core.topics.block.charts.paired_bars import paired_bars_data, paired_bars_spec
from core.topics.block.charts.taken_away import taken_away_data, taken_away_spec
from core.topics.block.held_out import held_out_run
from core.topics.block.readings import changes as say
from core.topics.block.variants import variants_of
from core.tracing.run import Run
from pages.compute.cache import check, reader
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.transformer.block import queries
from pages.transformer.block.parts import block_controls, stack_of, token_at, token_control, token_row_of
from pages.transformer.block.queries import Taken
from pages.transformer.block.settings import COMPUTE_REST, VARIANT
from pages.widgets import (
    Chart,
    Columns,
    Control,
    JobSwitch,
    Listing,
    Message,
    Part,
    Table,
    Values,
    control,
    layer_of,
    spec,
    visit_job,
)

AS_IT_IS = "as it is"
NO_ANSWER = ("", 0.0)
MAX_RATIO = 100  # lengths that differ by a larger factor are drawn on a logarithmic axis
# Seconds: variants that take no longer are waited for, on a busy machine for longer.
SHORT_SECONDS, WAIT_SECONDS = 1.0, 10.0
Where = tuple[Run, str, int, tuple[str, ...]]  # the run, the stack, the row of the answer, and the variants
LEAD = (
    "The same weights in a changed model: a part is taken away, or its norms are moved, and nothing is trained again. "
    "Each row is one such model."
)
MEANS = {  # an explanation of each variant, by the beginning of its name
    "no residuals": "what a part makes replaces the vector",
    "no norms": "vectors stay as they are, but for a norm after the last block",
    "post-norm": "the same norms behind each part",
    "pre-norm": "the same norms before each part",
    "no attention": "attention adds nothing, in all layers or in the one with the number",
    "no cross-attention": "cross-attention adds nothing, in all layers or in the one with the number",
    "no feed-forward": "the feed-forward layer adds nothing, in all layers or in the one with the number",
    "no layer": "what comes in is handed on",
}
MOST_MISSED = "no feed-forward"  # the part that the shipped models miss most
ABOUT = (
    "The bar of a vector is the length of its change ÷ its own length. A part that is missed little may still matter: "
    "others can stand in for it."
)


def _explain(names: Sequence[str]) -> str:
    """Explain in words the variants that this model has."""
    kinds = dict.fromkeys(name.rstrip("0123456789 ") for name in names)
    return " ".join(f"“{capital(kind)}”: {MEANS[kind]}." for kind in kinds if kind in MEANS)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from block_controls(run, values)
    names = _names(run, values)
    default = MOST_MISSED if MOST_MISSED in names else names[0]
    yield control(VARIANT, options=names, default=default, width=220)
    yield token_control(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show a row for each variant, and the one that is opened."""
    stack, token, names = stack_of(run, values), token_at(run, values), _names(run, values)
    rows, step = check(run), queries.last_step(run)
    row = answer_row(run, rows, step, stack, token)
    whole_loss, before = queries.loss(run, stack), queries.untouched(run, stack, row)
    chosen = names.index(values[VARIANT]) if values[VARIANT] in names else 0
    opened, name = token_name(rows[stack].labels, token), names[chosen]
    on = bool(values[COMPUTE_REST])
    outcomes = _so_far((run, stack, row, names), name, on)
    pending = [variant for variant in names if variant not in outcomes]
    taken = [outcomes.get(variant, (None, None)) for variant in names]
    moved = [float("nan") if ablated is None else float(ablated.moved[token]) for ablated, _ in taken]
    losses = [float("nan") if loss is None else loss for _, loss in taken]
    sentences = [] if pending else [*say.read_moves(opened, dict(zip(names, moved, strict=True)))]
    if whole_loss is not None and not pending:
        sentences = [*say.read_losses(whole_loss, dict(zip(names, losses, strict=True))), *sentences]
    grows = JobSwitch("block-without", len(names) - len(pending), len(names), "changed models", COMPUTE_REST, on)
    return Shown(
        lead=LEAD,
        click="Click a row to open it.",
        pictures=[
            token_row_of(run, values, "block-without-tokens"),
            *([grows] if pending else []),
            _overview(names, moved, losses, chosen, before, whole_loss, [ablated for ablated, _ in taken], pending),
            *_opened(run, before, outcomes[name][0], name, token),
        ],
        takeaway=[*sentences, *_read_opened(name, opened, token, before, outcomes[name][0])],
        notes=[None if run.is_trained else say.UNTRAINED],
        about=[_explain(names), ABOUT, *_measured(run, step.kind(run), stack)],
        table=[
            _table(names, moved, losses, before, whole_loss, [ablated for ablated, _ in taken]),
            *_opened_table(name, rows[stack].labels, outcomes[name][0]),
        ],
        source=(
            "core.topics.block.variants.changed_model",
            "core.topics.block.passes.changed_pass",
            "core.topics.block.ablation.without",
            "core.topics.block.held_out.held_out_loss",
        ),
    )


def _so_far(where: Where, opened: str, on: bool) -> dict[str, Taken]:
    """Return the variants that have been computed so far, and the opened one.

    The others are computed in the background while `on` is true; if all take only a moment, they are waited for.
    """
    job = visit_job("block-without", where, lambda: Job(partial(queries.taken_away, *where)))
    soon = queries.take_seconds(where[0], where[3]) < SHORT_SECONDS
    if on or soon:
        job.go_on()
    else:
        job.cancel()
    outcomes = job.look(WAIT_SECONDS if soon else 0) or {}
    return outcomes if opened in outcomes else outcomes | {opened: queries.variant(*where[:3], opened)}


def _names(run: Run, values: Values) -> tuple[str, ...]:
    stack = stack_of(run, values)
    return variants_of(run.config, stack, layer_of(run, values, stack))


def _overview(
    names: Sequence[str],
    moved: Sequence[float],
    losses: Sequence[float],
    chosen: int,
    before: RunOutcome,
    whole_loss: float | None,
    ablated_runs: Sequence[AblatedRun | None],
    pending: Sequence[str],
) -> Part:
    """Chart all variants below the model as it is; of those that are left, only the names."""
    answers = (
        []
        if before.best is None
        else [before.best, *(ablated.best if ablated and ablated.best else NO_ANSWER for ablated in ablated_runs)]
    )
    all_losses = [] if whole_loss is None else [whole_loss, *losses]
    data = taken_away_data([AS_IT_IS, *names], [0.0, *moved], answers, all_losses, chosen + 1, pending)
    drawn = spec(taken_away_spec, bool(answers), bool(all_losses))
    return Chart(data, drawn, "block-without-rows", "what is missed without each part", partial(_open, names))


def _open(names: Sequence[str], index: int) -> dict[str, str]:
    return {VARIANT.key: names[index - 1]} if index else {}


def _opened(run: Run, before: RunOutcome, after: AblatedRun | None, name: str, token: int) -> list[Part]:
    """Show one variant beside the model as it is: its answers, and the length of the token's stream by layer."""
    if after is None:
        return [Message(say.read_overflow(name))]
    stages = ("before layer 1", *(f"layer {layer + 1}" for layer in range(len(before.lengths) - 1)))
    sizes = [before.lengths[:, token], after.lengths[:, token]]
    least, most = min(map(min, sizes)), max(map(max, sizes))
    lines = Chart(
        stages_data(stages, {AS_IT_IS: sizes[0], name: sizes[1]}),
        spec(
            stages_spec,
            "How long is the token’s vector?",
            "length",
            (AS_IT_IS, name),
            (),
            bool(most > MAX_RATIO * least > 0),
        ),
        "block-without-lengths",
        f"lengths, {name}",
    )
    if not after.answers:
        return [lines]
    labels, *shares = zip(*after.answers, strict=True)
    bars = Chart(
        paired_bars_data(labels, (AS_IT_IS, name), np.array(shares).T),
        spec(paired_bars_spec, "What does it answer?", (AS_IT_IS, name)),
        "block-without-answers",
        f"answers, {name}",
    )
    return [Columns([[bars], [lines]])]


def _read_opened(name: str, opened: str, token: int, before: RunOutcome, after: AblatedRun | None) -> list[str]:
    if after is None:
        return [say.read_overflow(name)]
    answers = [answer for answer in (before.best, after.best) if answer is not None]
    return say.read_without(name, opened, float(after.moved[token]), float(after.cosine[token]), answers)


def _measured(run: Run, kind: str, stack: str) -> list[str]:
    """Say which answer is given, and on which texts the loss is measured."""
    if not kind:
        return ["An encoder that was not trained to answer anything has no answer and no loss."]
    tokenizer, several = reader(run), run.config.has_two_stacks
    count, whole = queries.questions_asked(held_out_run(run, tokenizer))
    letters = isinstance(tokenizer, SymbolTokenizer)
    one_task = isinstance(tokenizer, SpacedTokenizer)
    sentence = say.read_rows(count) if one_task else say.read_questions(kind, several, letters, count, whole)
    return [say.read_answered(kind, several, stack == "decoder"), sentence]


def _table(
    names: Sequence[str],
    moved: Sequence[float],
    losses: Sequence[float],
    before: RunOutcome,
    whole_loss: float | None,
    ablated_runs: Sequence[AblatedRun | None],
) -> Listing:
    columns: dict[str, Sequence[str | float]] = {"model": [AS_IT_IS, *names], "moved": [0.0, *moved]}
    if before.best is not None:
        best = [before.best, *(ablated.best if ablated and ablated.best else NO_ANSWER for ablated in ablated_runs)]
        columns |= {"answer": [piece for piece, _ in best], "probability": [probability for _, probability in best]}
    if whole_loss is not None:
        columns["loss"] = [whole_loss, *losses]
    return Listing("without", columns)


def _opened_table(name: str, labels: Sequence[str], after: AblatedRun | None) -> list[Table]:
    """Return a table of how far each token's last vector moves in the opened variant, and of its cosine to before."""
    if after is None:
        return []
    rows = ("change ÷ length", "cosine with what it was")
    return [Table(f"without {name.removeprefix('no ')}", np.stack([after.moved, after.cosine]), rows, labels, "token")]


VIEW = View("take away", _show, _controls)
