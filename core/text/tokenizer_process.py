"""Train a tokenizer in a process of its own: with progress, within limits of time and memory, and cancellable.

`python -m core.text.tokenizer_process KIND SIZE` is that process. It reads the texts as JSON from standard input and
writes the model, or the reason why there is none, to standard output. sentencepiece's log on standard error shows the
progress.
"""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.limits import TRAINER_MIB, TRAINER_SECONDS
from core.memory import MIB
from core.text.pieces import FIRST_LEARNED
from core.text.trainer import train_model

ROOT = Path(__file__).parents[2]
POLL_SECONDS = 0.05  # seconds from one look at the log to the next
# Exit status if no such model can be trained on the text, and if the disk is full.
REFUSED_STATUS, FULL_DISK_STATUS = 3, 4
_SEEDS, _LEFT = re.compile(r"Initialized (\d+) seed pieces"), re.compile(r"EM sub_iter=\d+ size=(\d+)")
_LETTERS, _MERGES = re.compile(r"Alphabet size=(\d+)"), re.compile(r"merges=(\d+)")


@dataclass(frozen=True)
class Standing:
    """The progress of the training of a tokenizer.

    seconds: the time since its start.
    first, now, last: for unigram, the number of pieces at the start, now, and about at the end; for BPE, the number of
        merges, from 0. None before the log shows it.
    """

    kind: str
    seconds: float
    first: int | None = None
    now: int | None = None
    last: int | None = None

    @property
    def share(self) -> float:
        """The share of the way from first to last that is done, from 0 to 1."""
        if self.first is None or self.now is None or self.last is None or self.first == self.last:
            return 0.0
        return min(1.0, max(0.0, (self.now - self.first) / (self.last - self.first)))


def train_apart(
    kind: str, size: int, texts: Iterable[str], seconds: float = TRAINER_SECONDS
) -> Generator[Standing, None, bytes]:
    """Yield the progress of a training in another process, and return the model that `train_model` returns.

    The process is paused whenever its progress is yielded, and ends if the generator is closed.

    seconds: the time limit, not counting the time that it is paused.

    Raises ValueError as `train_model` does, TimeoutError after `seconds`, MemoryError if `TRAINER_MIB` are not enough,
    and OSError if the disk cannot take the files.
    """
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        given, made, log = (Path(folder) / name for name in ("texts", "model", "log"))
        given.write_text(json.dumps(list(texts)), encoding="utf-8")
        with _process(kind, size, given, made, log) as process:
            while process.poll() is None:
                if spent > seconds:
                    raise TimeoutError(f"longer than {seconds:g} seconds")
                with _standing_still(process):
                    yield standing(kind, size, log.read_bytes(), spent)
                begun = time.monotonic()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
                spent += time.monotonic() - begun
        output = made.read_bytes()
    if process.returncode == REFUSED_STATUS:
        raise ValueError(output.decode())
    if process.returncode == FULL_DISK_STATUS:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if process.returncode:
        raise MemoryError(f"more than {TRAINER_MIB:,} MiB")
    return output


def standing(kind: str, size: int, log: bytes, seconds: float) -> Standing:
    """Read how far a training has come from sentencepiece's log."""
    text = log.decode(errors="replace")
    if kind == "unigram":
        first, left = _last(_SEEDS, text), _last(_LEFT, text)
        return Standing(kind, seconds, first, first if left is None else left, size)
    letters = _last(_LETTERS, text)
    merges = None if letters is None else max(0, size - FIRST_LEARNED - letters)
    return Standing(kind, seconds, 0, _last(_MERGES, text) or 0, merges)


def _last(pattern: re.Pattern[str], text: str) -> int | None:
    numbers = pattern.findall(text)
    return int(numbers[-1]) if numbers else None


@contextmanager
def _process(kind: str, size: int, given: Path, made: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process that trains; it is killed when the context ends."""
    command = [sys.executable, "-m", "core.text.tokenizer_process", kind, str(size)]
    with given.open("rb") as texts, made.open("wb") as model, log.open("wb") as messages:
        process = subprocess.Popen(command, cwd=ROOT, stdin=texts, stdout=model, stderr=messages)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def _standing_still(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Pause the process in this context, on systems that can."""
    if not hasattr(signal, "SIGSTOP"):
        yield
        return
    process.send_signal(signal.SIGSTOP)
    yield
    process.send_signal(signal.SIGCONT)


def _main(kind: str, size: str) -> int:
    """Train on the texts from standard input, write the model to standard output, and return the exit status."""
    with suppress(ImportError, ValueError, OSError):  # not every system has this limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (TRAINER_MIB * MIB,) * 2)
    try:
        model = train_model(kind, int(size), json.loads(sys.stdin.buffer.read()), log=True)
    except ValueError as mistake:
        sys.stdout.buffer.write(str(mistake).encode())
        return REFUSED_STATUS
    try:
        sys.stdout.buffer.write(model)
        sys.stdout.buffer.flush()
    except OSError:
        os._exit(FULL_DISK_STATUS)  # at its end Python would try to write again
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
