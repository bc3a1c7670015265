"""One answer to which run settings mean, for all who ask."""

from typing import Any

import pytest

from pages.shell.compare.pinned_run import pinned_run
from pages.shell.last_change import _run_with
from pages.shell.page import Page
from pages.shell.run_plan import plan_run, run_of_screen
from pages.shell.settings import HEADER_SETTINGS, MASK_SIZES, MODEL, RANDOM_WEIGHTS, SEED, TARGET
from pages.shell.url_params import written_value
from tests.pages.house import PAGES

WINDOW = dict(MASK_SIZES)["sliding window"]
VALUES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "random weights": {MODEL.key: RANDOM_WEIGHTS, SEED.key: 7, "d": 32, "h": 2},
    "the size of a mask that is not chosen": {WINDOW.key: WINDOW.default + 1},
    "a mask": {"mask": ("sliding window",), WINDOW.key: WINDOW.default + 1},
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_page_question_pin_and_former_value_are_of_one_run(page: Page, values: dict[str, Any]) -> None:
    kind = {"kind": page.architectures[-1]} if values.get(MODEL.key) == RANDOM_WEIGHTS else {}
    values = values | kind
    plan = plan_run(page, values)
    run = plan.checked()
    by_key = {setting.key: setting for setting in HEADER_SETTINGS}
    written = {key: [*written_value(by_key[key], value)][-1] for key, value in values.items()}
    assert run_of_screen(page, written, plan.text) == run
    assert _run_with(page, values, run) == run
    pins = {by_key[key]: value for key, value in (values or {SEED.key: SEED.default}).items()} | {TARGET: plan.target}
    assert pinned_run(page, run, pins) == run


def test_the_size_of_a_mask_that_is_not_chosen_makes_no_other_run() -> None:
    page = PAGES[3]
    assert plan_run(page, VALUES["the size of a mask that is not chosen"]).run == plan_run(page, {}).run
