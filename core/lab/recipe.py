"""Describe a run of the lab by its recipe: a task, a model and its training, as plain values and as text."""

from dataclasses import dataclass, fields, replace
from typing import Any

from core.lab.task import HELD_OUT_ROWS, Task
from core.lab.tasks import task_named
from core.model.config import TransformerConfig
from core.model.layers import EMBEDDING_INITS
from core.model.transformer import parameter_count

MOST_STEPS = 20_000
MOST_PARAMETERS = 500_000  # a state with the optimizer's moments then takes 6 MB
MOST_NUMBERS = 20_000_000  # in memory during a step: about 100 MiB, and 0.2 s on a slow processor
SETTING_CHARACTERS = 60  # of a setting in a recipe's text, at most
LIMITS: dict[str, tuple[float, float]] = {  # the least and the greatest value of each number
    "layers": (1, 8),
    "heads": (1, 16),
    "d_model": (1, 256),
    "lr": (0.0, 1e9),
    "steps": (1, MOST_STEPS),
    "seed": (0, 999_999),
    "batch": (1, 512),
    "weight_decay": (0.0, 10.0),
    "warmup": (0, 2000),
    "clip": (0.0, 100.0),
    "dropout": (0.0, 0.9),
    "d_k": (0, 256),
}
CHOICES: dict[str, tuple[str, ...]] = {
    "positions": ("learned", "sinusoidal", "rotary", "alibi", "none"),
    "norm": ("pre", "post", "none"),
    "init": EMBEDDING_INITS,
    "architecture": ("decoder", "encoder-decoder"),
}


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a run: with the same recipe, the same kind of processor trains the same weights.

    lr: the learning rate after the warm-up.
    norm: where each block normalises, as in `TransformerConfig.norm_position`.
    scaled: whether scores are divided by √d_k.
    sink_logits: whether each head has a learned logit beside its scores, as in `TransformerConfig.sink_logits`.
    feed_forward: whether blocks have a feed-forward layer beside attention.
    clip: the largest norm of the gradient; 0: no bound.
    d_k: the width of a head's queries and keys; 0: d_model / heads.
    init: how embeddings are drawn at first, as in `core.model.layers.initialise`.
    architecture: a decoder reads question and answer as one text; an encoder-decoder reads them apart.

    Raises ValueError, with a sentence, for a value that cannot be used.
    """

    task: str = "sort"
    layers: int = 2
    heads: int = 2
    d_model: int = 32
    positions: str = "learned"
    lr: float = 2e-3
    steps: int = 1000
    seed: int = 0
    batch: int = 32
    norm: str = "pre"
    residual: bool = True
    scaled: bool = True
    feed_forward: bool = True
    tied: bool = False
    weight_decay: float = 0.0
    warmup: int = 20
    clip: float = 1.0
    dropout: float = 0.0
    d_k: int = 0
    init: str = "normal"
    architecture: str = "decoder"
    sink_logits: bool = False

    def __post_init__(self) -> None:
        task = self.of
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name} can be from {low:g} to {high:g}, not {value:g}.")
        for name, options in CHOICES.items():
            if (value := getattr(self, name)) not in options:
                raise ValueError(f"{name} can be {', '.join(options)}, not “{value}”.")
        if self.architecture == "encoder-decoder" and not task.has_question:
            raise ValueError("The rows of this task have no question for an encoder to read: take a decoder.")
        check_size(self.config, task, self.batch)  # `config` refuses sizes that do not fit together

    @property
    def of(self) -> Task:
        """The task that the recipe names.

        Raises ValueError if it is not in memory, such as a pasted text that was dropped.
        """
        return task_named(self.task)

    def check_step(self, step: int) -> None:
        """Raise ValueError for a step that a run of this recipe does not have."""
        if not 0 <= step <= self.steps:
            raise ValueError(f"This run has steps 0 to {self.steps:,}; there is no step {step:,}.")

    @property
    def config(self) -> TransformerConfig:
        """The config of the model that the recipe describes."""
        return TransformerConfig(
            architecture=self.architecture,
            vocab_size=self.of.vocab_size,
            d_model=self.d_model,
            heads=self.heads,
            layers=self.layers,
            d_k=self.d_k or None,
            d_v=(self.d_model // self.heads or 1) if self.d_k else None,
            d_ff=4 * self.d_model if self.feed_forward else 0,
            activation="gelu",
            norm_position=self.norm,
            residual=self.residual,
            positions=self.positions,
            max_length=64,
            score="scaled_dot" if self.scaled else "dot",
            tied=self.tied,
            scale_embeddings=False,
            dropout=self.dropout,
            seed=self.seed,
            sink_logits=self.sink_logits,
        )


KINDS: dict[str, Any] = {field.name: field.type for field in fields(Recipe)}  # the type of each value


def check_size(config: TransformerConfig, task: Task, batch: int) -> None:
    """Raise ValueError, with the numbers, for a model or a batch that is too large for a shared server."""
    parameters = parameter_count(config)
    if parameters > MOST_PARAMETERS:
        raise ValueError(
            f"This model would have {parameters:,} parameters, and {MOST_PARAMETERS:,} may be trained here. "
            "Take fewer layers or a smaller d_model."
        )
    longest = max(task.length, task.longest)
    layers = config.layers * len(config.stacks)
    numbers = max(layers * _numbers_held(config, batch, task.length), 2 * _numbers_held(config, HELD_OUT_ROWS, longest))
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"A step would hold {numbers / 1e6:,.0f} million numbers at once, and {MOST_NUMBERS / 1e6:,.0f} million "
            "may be held here. Take a smaller batch, fewer layers or heads, or a smaller d_model or d_k."
        )


def _numbers_held(config: TransformerConfig, rows: int, length: int) -> int:
    """Return about how many numbers one block holds for its backward pass."""
    heads = config.heads * (length + 2 * config.key_width + 2 * config.value_width)
    return rows * length * (heads + 4 * config.d_model + 2 * config.hidden_width)


def starting_recipe(task: str, **changes: Any) -> Recipe:
    """Return the recipe with which a task starts, with some values changed.

    Raises ValueError if there is no such task, or for a value that cannot be used.
    """
    return replace(Recipe(task), **{**task_named(task).start, **changes})


def write_recipe(recipe: Recipe) -> str:
    """Return a recipe as text: its task, and the values in which it differs from the task's start, "sort,seed=3"."""
    changed = differences(recipe, starting_recipe(recipe.task))
    return ",".join([recipe.task, *(f"{name}={value}" for name, (value, _) in changed.items())])


def differing(first: Recipe, second: Recipe) -> dict[str, tuple[Any, Any]]:
    """Return the values in which two recipes differ, by the names of their fields."""
    pairs = {name: (getattr(first, name), getattr(second, name)) for name in KINDS}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def differences(first: Recipe, second: Recipe) -> dict[str, tuple[str, str]]:
    """Return the values in which two recipes differ, as text, by the names of their fields."""
    return {name: (_written(one), _written(other)) for name, (one, other) in differing(first, second).items()}


def read_recipe(text: str) -> Recipe:
    """Return the recipe that a text describes, in the form of `write_recipe`.

    Raises ValueError, with a sentence, if it is none.
    """
    task, *parts = text.split(",")
    changes: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name not in KINDS or name == "task" or len(part) > SETTING_CHARACTERS:
            raise ValueError(f"“{part[:30]}” is no setting of a run.")
        changes[name] = _parsed(name, value)
    return starting_recipe(task, **changes)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _parsed(name: str, value: str) -> Any:
    try:
        return {"true": True, "false": False}[value] if KINDS[name] is bool else KINDS[name](value)
    except (KeyError, ValueError) as wrong:
        raise ValueError(f"{name} cannot be “{value[:30]}”.") from wrong
