"""The app on a port of its own, for browser tests and benchmarks."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[2]


WATCH = Path(__file__).parent / "watch"
FLAGS = ("--server.headless=true", "--server.address=127.0.0.1", "--client.showErrorDetails=full")


@contextmanager
def serving(
    app: Path | str,
    log: Path | None = None,
    base: str = "",
    *,
    flags: tuple[str, ...] = FLAGS,
    foreign: Path | None = None,
    port: int = 0,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Run the app (a path from the project's root) on this port, or on a free one; gives its URL and stops it at the
    end.

    log: a file for what the server says. base: the path below which the app stands. variables: of its environment.
    foreign: a file for what it asks of other hosts, which is then refused; read it with `foreign_hosts`. Raises
    RuntimeError when it does not answer within 150 seconds.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / app), *flags]
    command += [f"--server.baseUrlPath={base}"] if base else []
    environment = os.environ | {"PYTHONPATH": str(ROOT), "STREAMLIT_SERVER_PORT": str(port)} | dict(variables)
    environment.pop("DISPLAY", None)
    if foreign:
        environment |= {"PYTHONPATH": os.pathsep.join([str(WATCH), str(ROOT)]), "FOREIGN_HOSTS": str(foreign)}
    with (log or Path(os.devnull)).open("wb") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
    try:
        url = f"http://127.0.0.1:{port}" + (f"/{base}" if base else "")
        _wait_until_healthy(url, server, 150)
        yield url
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def processor_seconds(url: str) -> float:
    """How long the processors have worked for the server at this address so far."""
    ticks = 0
    for folder in processes(url):
        with suppress(OSError):
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            ticks += int(words[11]) + int(words[12])  # utime and stime, of proc(5)
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_bytes(url: str) -> int:
    """How much of the machine's memory the server at this address holds."""
    pages = 0
    for folder in processes(url):
        with suppress(OSError):
            pages += int((folder / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def foreign_hosts(foreign: Path) -> list[str]:
    """What a server has asked of other hosts."""
    return foreign.read_text(encoding="utf-8").splitlines() if foreign.exists() else []


def processes(url: str) -> Iterator[Path]:
    """Where the system tells about each process of the server at this address."""
    mark = f"STREAMLIT_SERVER_PORT={url.rpartition(':')[2].partition('/')[0]}\0".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes() + b"\0":
                yield folder


def free_port() -> int:
    """A port that nobody listens on."""
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
