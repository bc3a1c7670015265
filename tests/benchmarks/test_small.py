"""Every benchmark still runs: each carries out its smallest measurement, of which the numbers say nothing."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.driver import browser_path
from tests.fuzz.mode import NIGHTLY
from tests.rooms import ROOT

HERE = Path(__file__).parent
BROWSER = {
    "beside_training": "--changes 1 --rounds 1",
    "clicks_ahead": "--changes 1 --warm 0 --tokens 24",
    "cold_visit": "--visits 1 --pages positions",
    "experiment_latency": "--changes 1 --sizes default --only positions translate",
    "ui_latency": "--changes 1 --warm 0 --pages heads block depth layer-costs sentiment "
    "--controls view 'norm of' layers length typing",
}
WITHOUT = {
    "click_calls": "",
    "class_load": "--rooms 1 --phones 2 --visitors 1 --questions 1 --think 0.1 --join 0.1 --pause 0 --settle 0",
    "generation": "--shapes storyteller --rounds 2 --tokens 2 --threads 1",
    "lab_steps": "--rounds 2 --steps 1",
    "load": "--visitors 1 --minutes 0.1",
    "memory": "--only kv-cache --d 32 --heads 2 --layers 2 --tokens 16",
    "real_models": "--small --rounds 2 --length 16 --tokens 2",
    "trace_cost": "--rounds 2 --tokens 4",
    "word_neighbours": "--rounds 2",
}
SERVED = {"two_copies": "--visitors 1"}  # with a browser and a proxy


def run(name: str, smallest: str) -> None:
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *shlex.split(smallest)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0 and done.stdout, (done.stdout[-1000:], done.stderr[-3000:])


@pytest.mark.parametrize("name", WITHOUT)
def test_a_benchmark_runs(name: str) -> None:
    run(name, WITHOUT[name])


@pytest.mark.skipif(browser_path() is None or not NIGHTLY, reason="minutes in Chromium: in the nightly run alone")
@pytest.mark.parametrize("name", BROWSER)
def test_a_benchmark_in_a_browser_runs(name: str) -> None:
    run(name, BROWSER[name])


@pytest.mark.skipif(browser_path() is None or shutil.which("caddy") is None, reason="no Chromium, or no Caddy")
@pytest.mark.parametrize("name", SERVED)
def test_a_benchmark_behind_a_proxy_runs(name: str) -> None:
    run(name, SERVED[name])


def test_no_benchmark_is_left_out() -> None:
    modules = [*HERE.glob("*.py"), *HERE.glob("*/__main__.py")]
    mains = {path for path in modules if re.search("^if __name__ == ", path.read_text(), re.MULTILINE)}
    names = {path.stem if path.parent == HERE else path.parent.name for path in mains}
    assert names == {*WITHOUT, *BROWSER, *SERVED}
