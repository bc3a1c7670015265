"""Fixtures for tests in a real browser: a Chromium that is on the machine, a Streamlit server, watched pages."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One headless browser for the whole run; without one, tests fail in CI and are skipped elsewhere."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        message = f"no browser found: none of {', '.join(names)} is on the path"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes], seconds: float) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"the server stopped with code {server.returncode}")
        try:
            with opener.open(f"{url}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"no answer from {url} within {seconds} s")


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path | str], str]]:
    """`serve(app_path)` runs the app on a free port and returns its URL; one server per app, all stopped at the end."""
    running: dict[Path, tuple[subprocess.Popen[bytes], str]] = {}

    def start(app: Path | str) -> str:
        path = (ROOT / app).resolve()
        if path not in running:
            port = _free_port()
            command = [sys.executable, "-m", "streamlit", "run", str(path), "--server.headless=true"]
            command += [f"--server.port={port}", "--server.address=127.0.0.1", "--client.showErrorDetails=full"]
            environment = os.environ | {"PYTHONPATH": str(ROOT)}
            log = (tmp_path_factory.mktemp("server") / f"{path.stem}.log").open("wb")
            with log:
                server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
            running[path] = (server, f"http://127.0.0.1:{port}")
            _wait_until_healthy(running[path][1], server, 60)
        return running[path][1]

    yield start
    for server, _ in running.values():
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """`page(url, width=1280, height=900, dark=False, **context)` opens `url` and waits for the script's end.

    The test fails when any of its pages logs an error, throws, or asks another host for anything.
    """
    contexts, problems = [], []

    def watch(tab: Page) -> None:
        def foreign(url: str) -> None:
            parts = urlsplit(url)
            if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in LOOPBACK:
                problems.append(f"request to another host: {url}")

        def logged(message: ConsoleMessage) -> None:
            if message.type == "error":
                problems.append(f"console: {message.text}")

        tab.on("console", logged)
        tab.on("pageerror", lambda error: problems.append(f"page error: {error}"))
        tab.on("request", lambda request: foreign(request.url))
        tab.on("websocket", lambda socket: foreign(socket.url))

    def open_page(url: str, *, width: int = 1280, height: int = 900, dark: bool = False, **options: object) -> Page:
        scheme = "dark" if dark else "light"
        size = {"width": width, "height": height}
        context = chromium.new_context(viewport=size, color_scheme=scheme, **options)  # type: ignore[arg-type]
        contexts.append(context)
        tab = context.new_page()
        watch(tab)
        tab.goto(url)
        settled(tab)
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert not problems, "\n".join(problems)


def settled(tab: Page) -> None:
    """Wait until the app's script has run and nothing is left to run."""
    tab.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=60_000)
