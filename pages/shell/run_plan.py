"""The run that a page's settings describe: for the page, a lesson's question, a pinned side, and a former value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.checkpoints.examples import Example
from core.checkpoints.source import Shipped
from core.device import choose
from core.limits import TEXT_CHARACTERS
from core.topics.shared.run_from_choices import run_of
from core.tracing.run import Run
from pages.compute import cache, generation
from pages.shell import own_text
from pages.shell.model_choice import ChosenModel, default_example, model_for
from pages.shell.page import Page
from pages.shell.settings import (
    ARCHITECTURE_SETTINGS,
    HEADER_SETTINGS,
    MASK,
    MASK_SIZES,
    MODEL,
    RANDOM_WEIGHTS,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
    TOKENIZER,
)
from pages.shell.url_params import parsed

KIND = ARCHITECTURE_SETTINGS[0]
DEFAULTS = {setting.key: setting.default for setting in HEADER_SETTINGS} | {"placement": choose()}


@dataclass(frozen=True)
class Plan:
    """The outcome of a page's settings: its model, its texts, and the run or the reason why there is none.

    model: the model that the page shows.
    values: the values of the header's settings by key, and the placement, as the run has them.
    first: the example that the page opens with.
    text, target: the contents of the text box, and of the box for the decoder.
    helped: the model whose training texts are offered below the text box, if any.
    run: without the translation that the model writes itself; None if the settings cannot be run.
    refusal: the reason in that case, else "".
    """

    page: Page
    model: ChosenModel
    values: Mapping[str, Any]
    first: Example
    text: str
    target: str
    helped: Shipped | None
    run: Run | None
    refusal: str

    @property
    def trained(self) -> Shipped | None:
        """The trained model; None for random weights."""
        return self.model.trained

    def checked(self) -> Run:
        """Return the run with the translation that its model writes itself.

        Raises ValueError, with a sentence, if the settings cannot be run.
        """
        if self.model.refusal:
            raise ValueError(self.model.refusal)
        if self.run is None:
            raise ValueError(self.refusal)
        return with_own_target(self.run)


def plan_run(
    page: Page, values: Mapping[str, Any], reads_text: bool = True, texts: tuple[str, str] | None = None
) -> Plan:
    """Return the plan for these settings on a page: its model, its texts and its run.

    values: the values by the settings' keys. A missing text is the one that the page opens with; others have their
        defaults.
    reads_text: whether the view that is looked at reads the visitor's text.
    texts: a text that a model reads as it stands, and one for the decoder, in place of those of `values`.
    """
    every = DEFAULTS | dict(values)
    model = model_for(page, str(every[MODEL.key] or MODEL.default), str(every[KIND.key] or KIND.default))
    trained = model.trained
    chosen = values_of_run(every, trained)
    first = default_example(page, trained.name if trained else RANDOM_WEIGHTS)
    helped = trained if texts is None and reads_text and own_text.helps(page, trained) else None
    text, target = texts or _texts(page, values, chosen[KIND.key], first)
    run, refusal = _checked_run(
        page, chosen, own_text.as_read(text) if own_text.translates(helped) else text, target, trained
    )
    return Plan(page, model, chosen, first, text, target, helped, run, refusal)


def run_of_screen(page: Page, settings: Mapping[str, str], text: str) -> Run:
    """Return the run that a page shows with these settings, as written in the URL, and this text.

    Raises ValueError, with a sentence, if it cannot be run.
    """
    values = {TEXT.key: text} | {
        setting.key: parsed(setting, [settings[setting.key]]) for setting in HEADER_SETTINGS if setting.key in settings
    }
    return plan_run(page, values).checked()


def values_of_run(values: Mapping[str, Any], trained: Shipped | None) -> dict[str, Any]:
    """Return the values of the header's settings by key, as the run has them, and its placement.

    Those that a trained model fixes have their defaults, and its own architecture. The size of a mask that is not
    chosen has its default.

    values: the values of all settings of the header.
    trained: None for random weights.
    """
    chosen = {setting.key: values[setting.key] for setting in HEADER_SETTINGS}
    if trained:
        chosen |= {setting.key: setting.default for setting in SIZE_SETTINGS}
        chosen[KIND.key] = trained.config.architecture
    masks = chosen[MASK.key] = tuple(chosen[MASK.key])
    chosen |= {setting.key: setting.default for kind, setting in MASK_SIZES if kind not in masks}
    return chosen | {"placement": choose(chosen["device"], chosen["dtype"])}


def _texts(page: Page, values: Mapping[str, Any], architecture: str, first: Example) -> tuple[str, str]:
    """Return the text and that of the decoder, each cut to TEXT_CHARACTERS, the most that a link can carry."""
    text, target = first.text, first.target or ""
    if not page.reads_text:  # a run needs a text all the same: one that the model can read
        return text, target or TARGET.default
    text = values.get(TEXT.key, text) or ""
    if page.asks_target and architecture == "encoder-decoder":
        target = values.get(TARGET.key, target) or ""
    return text[:TEXT_CHARACTERS], target[:TEXT_CHARACTERS]


def _checked_run(
    page: Page, chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None
) -> tuple[Run | None, str]:
    """Return the run that the values describe, and ""; or None, and why it cannot be run.

    A page that uses no model gets a run of the default sizes, with the first tokenizer that can be used.
    """
    mistakes = []
    any_model = [DEFAULTS | {TOKENIZER.key: name} for name in TOKENIZER.options]
    for values in [chosen] if page.uses_model else any_model:
        try:
            run = make_run(values, text, target, trained)
            cache.check(replace(run, target=run.text) if _writes_target(run) else run)
        except ValueError as mistake:
            mistakes.append(str(mistake))
        else:
            return run, ""
    return None, mistakes[0]


def make_run(chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None = None) -> Run:
    """Return the run that the values of the widgets describe.

    Raises ValueError if the values do not go together.

    chosen: the values by the settings' keys.
    trained: None for random weights.
    """
    return run_of(chosen, text, target, 0 if trained else cache.tokenizer(chosen["tok"]).vocab_size, trained)


def with_own_target(run: Run) -> Run:
    """Fill an empty decoder text with the translation that a trained encoder-decoder writes itself.

    If that translation is blank, the decoder reads the source text. Any other run is returned unchanged. Raises
    ValueError if the result cannot be run.
    """
    if not _writes_target(run):
        return run
    if run.source and not run.source.is_ready():
        return replace(run, target=run.text)  # until it is trained, for which the page waits
    translation = generation.own_translation(run)
    run = replace(run, target=translation if translation.strip() else run.text)
    cache.check(run)
    return run


def _writes_target(run: Run) -> bool:
    """Return whether the model itself writes the decoder's text, because the visitor has left it empty."""
    return run.is_trained and run.config.architecture == "encoder-decoder" and not run.target.strip()


def warm_up() -> None:
    """Make and check a run with the default settings."""
    cache.check(make_run(DEFAULTS, TEXT.default, TARGET.default))
