"""Write the recorded runs as Markdown for `docs/lab.md`."""

from pathlib import Path

from core.lab.recorded import RECORDED_FOLDER, RecordedRun, recorded_names


def cards_text(folder: Path = RECORDED_FOLDER) -> str:
    """Return a section in Markdown for each recorded run: its settings, its command, and its findings by step."""
    return "\n".join(_section(RecordedRun(name, folder)) for name in recorded_names(folder))


def _section(run: RecordedRun) -> str:
    card, recipe = run.card, run.recipe
    layers = "1 layer" if recipe.layers == 1 else f"{recipe.layers} layers"
    lines = [
        f"### {card.name}: {card.title}",
        "",
        f"{recipe.of.about}",
        "",
        f"- {layers} of {recipe.heads} heads, d_model {recipe.d_model}, positions: {recipe.positions}, "
        f"{'with' if recipe.feed_forward else 'without'} feed-forward, {card.parameters:,} parameters",
        f"- learning rate {recipe.lr:g}, batch {recipe.batch}, weight decay {recipe.weight_decay:g}, seed {card.seed}, "
        f"{card.steps:,} steps in {card.minutes:g} minutes, {len(run.steps)} of them kept",
        f"- `{card.commands['train']}`",
        "",
        "| step | what is seen |",
        "|---|---|",
        *(f"| {'' if finding.step is None else f'{finding.step:,}'} | {finding.sentence} |" for finding in run.seen),
        "",
    ]
    return "\n".join(lines)
