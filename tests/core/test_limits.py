"""The limits: what a variable may say of each, and that everything that is limited asks them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import limits
from core.limits import LIMITS, Limit, invalid_limits, limit_rows
from core.model.config import TransformerConfig
from core.tracing.run import text_limit
from pages.shell.settings import HEADER_SETTINGS

ROOT = Path(__file__).parents[2]
ASKED = """
import json
from core import limits
print(json.dumps([limits.TOKENS, limits.D_MODEL, limits.HEADS, limits.invalid_limits()]))
"""


def test_each_limit_has_its_name_a_unit_a_reason_and_a_default_that_a_variable_may_say() -> None:
    for name, each in LIMITS.items():
        assert each.name == name and each.unit and 10 < len(each.reason) < 90, name
        assert getattr(limits, name) == each.default or each.variable in os.environ
        assert not each.refusal(str(each.default)) or each.default == 0, name
    assert [row.count("|") for row in limit_rows()] == [4] * len(LIMITS)


@pytest.mark.parametrize("said", ["lots", "0", "-5", "1.5", "²", "4GiB", "1025", "15", "1e2"])
def test_what_cannot_be_used_is_refused_with_a_sentence(said: str) -> None:
    (sentence,) = invalid_limits({"ATTENTION_EXPLORER_TOKENS": said, "ATTENTION_EXPLORER_LAYERS": " 12 "})
    assert sentence == f"ATTENTION_EXPLORER_TOKENS must be a whole number from 16 to 1,024 (tokens), not {said!r}."


def test_a_number_of_many_digits_is_refused_in_a_short_sentence() -> None:
    (sentence,) = invalid_limits({"ATTENTION_EXPLORER_TOKENS": "1" * 5000})
    assert sentence.endswith(f"not '{'1' * 21}'.")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"MEMORY_MIB": "650"}, ["must be 682 MiB or more, not 650: 650 are for the app (APP_MIB) and 32 for a run"]),
        ({"MEMORY_MIB": "681"}, ["must be 682 MiB or more, not 681"]),
        ({"MEMORY_MIB": "682"}, []),
        ({"MEMORY_MIB": "900", "APP_MIB": "869"}, ["must be 901 MiB or more, not 900"]),
        ({"MEMORY_MIB": "500", "APP_MIB": "400"}, []),
        ({"MEMORY_MIB": "0"}, ["must be a whole number from 1"]),
        ({"APP_MIB": "2000"}, []),
    ],
)
def test_memory_that_leaves_none_for_a_run_is_refused(said: dict[str, str], words: list[str]) -> None:
    found = invalid_limits({f"ATTENTION_EXPLORER_{name}": value for name, value in said.items()})
    assert len(found) == len(words) and all(word in each for word, each in zip(words, found, strict=True))


def test_what_is_empty_or_no_limit_is_none_of_its_business() -> None:
    assert invalid_limits({"ATTENTION_EXPLORER_TOKENS": "", "ATTENTION_EXPLORER_MODELS": "/models"}) == []
    assert Limit("A", 1, "b", 1, 3, "c").refusal("3") == ""


def test_a_variable_sets_a_limit_where_it_can_be_used() -> None:
    said = {"TOKENS": "64", "D_MODEL": " 128 ", "HEADS": "x"}
    environment = os.environ | {f"ATTENTION_EXPLORER_{name}": value for name, value in said.items()}
    command = [sys.executable, "-c", ASKED]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280)
    *found, refused = json.loads(done.stdout)
    assert found == [64, 128, 16] and "ATTENTION_EXPLORER_HEADS" in refused[0] and len(refused) == 1


def test_the_pages_ask_the_limits() -> None:
    high = {each.key: each.high for each in HEADER_SETTINGS}
    asked = limits.D_MODEL, limits.HEADS, limits.LAYERS, limits.D_FF, limits.TOKENS
    assert tuple(high[key] for key in ("d", "h", "n", "ff", "prefix")) == asked
    assert text_limit(TransformerConfig()) == limits.TOKENS


def test_the_server_does_not_start_with_a_secret_that_cannot_be_used(tmp_path: Path) -> None:
    """Secrets count as variables do."""
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit/secrets.toml").write_text('ATTENTION_EXPLORER_TOKENS = "many"')
    environment = os.environ | {"HOME": str(tmp_path)}
    command = [sys.executable, "-c", "import app"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.strip().endswith("must be a whole number from 16 to 1,024 (tokens), not 'many'.")


def test_the_docs_name_the_limits_as_they_are() -> None:
    table = (ROOT / "docs/limits.md").read_text()
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) >= 12 and set(rows) <= set(limit_rows())
