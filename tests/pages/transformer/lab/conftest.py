"""What all tests of the page The lab need."""

import pytest

from core.tracing.run import Run
from pages.shell.run_plan import DEFAULTS, make_run
from pages.transformer.lab import queries


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes no fewer steps in these tests."""
    monkeypatch.setattr(queries, "WAIT_SECONDS", 120)


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(DEFAULTS, "the wolf", "")
