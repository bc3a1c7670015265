"""Spoilt files of models, tokenizers and cards: one clear sentence for each, never more memory than is allowed.

20 files for each reader in every run, and in the nightly mode 2,000 others each night; see `tests/fuzz/test_pages.py`.
"""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fuzz.loaders import ALL_TRIED, LOADERS
from tests.fuzz.mode import NIGHTLY

ROOT = Path(__file__).parents[2]
FIRST, COUNT = (int(time.time()), 2_000) if NIGHTLY else (0, 20)


@pytest.mark.timeout(0 if NIGHTLY else 300)
def test_spoilt_files_are_refused_in_a_sentence_and_in_bounded_memory() -> None:
    command = [sys.executable, "-m", "tests.fuzz.loaders", str(FIRST), str(COUNT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    wrong = [f"{lines[at - 1]}: {line}" for at, line in enumerate(lines) if line.startswith("WRONG")]
    assert not wrong, "\n".join(wrong)
    assert lines and lines[-1] == ALL_TRIED, f"{lines[-1:]} ended with {done.returncode}: {done.stderr[-2000:]}"
    assert len(lines) == COUNT * len(LOADERS) + 1
