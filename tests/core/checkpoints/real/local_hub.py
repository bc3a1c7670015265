"""A hub on this machine: it answers as the hub of Hugging Face does, with its headers, and keeps a log."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class LocalHub:
    """The state of a hub.

    models: the folder of each model, by its name.
    gated: names of models that are listed but give no file; private: names that are answered like missing ones.
    broken: names of files of which only the first half is sent, before the hub fails.
    log: each request, as "METHOD file" or "METHOD file bytes" with the bytes that were sent.
    """

    models: dict[str, Path]
    gated: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    failing: bool = False
    log: list[str] = field(default_factory=list)
    address: str = ""

    def sent(self, name: str) -> int:
        """The bytes of a file that were sent."""
        return sum(int(line.split()[2]) for line in self.log if line.startswith(f"GET {name} "))


@contextmanager
def local_hub(**state: object) -> Iterator[LocalHub]:
    """Run a hub until the block ends."""
    hub = LocalHub(**state)  # type: ignore[arg-type]
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: LocalHub

    def log_message(self, *_: object) -> None: ...

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).strip("/")
        if self.hub.failing:
            self._answer(503, b"", {"X-Error-Message": "The hub rests."})
        elif path.startswith("api/models/"):
            self._information(path.removeprefix("api/models/"))
        else:
            name, _, place = path.partition("/resolve/")
            self._file(name, place.partition("/")[2])

    def _information(self, name: str) -> None:
        self.hub.log.append(f"{self.command} {name}")
        if (folder := self._folder(name)) is None:
            return
        files = [path for path in folder.rglob("*") if path.is_file()]
        siblings = [{"rfilename": path.relative_to(folder).as_posix(), "size": path.stat().st_size} for path in files]
        card = {"license": "apache-2.0"}
        said = {"id": name, "sha": REVISION, "private": False, "tags": [], "siblings": siblings, "cardData": card}
        self._answer(200, json.dumps(said).encode(), {"Content-Type": "application/json"})

    def _file(self, name: str, file: str) -> None:
        if name in self.hub.gated:
            self._answer(403, b"", {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access is restricted."})
            return
        if (folder := self._folder(name)) is None:
            return
        if not (folder / file).is_file():
            self._answer(404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        body, status, headers = (folder / file).read_bytes(), 200, {"X-Repo-Commit": REVISION}
        headers |= {"ETag": f'"{sha256(body).hexdigest()}"', "Accept-Ranges": "bytes"}
        if wanted := self.headers.get("Range"):
            first, last = wanted.removeprefix("bytes=").split("-")
            part = body[int(first) : int(last) + 1 if last else None]
            headers["Content-Range"] = f"bytes {first}-{int(first) + len(part) - 1}/{len(body)}"
            body, status = part, 206
        elif file in self.hub.broken and self.command == "GET":
            body = body[: len(body) // 2]
        self.hub.log.append(f"{self.command} {file} {len(body) * (self.command == 'GET')}")
        self._answer(status, body, headers)

    def _folder(self, name: str) -> Path | None:
        """The folder of a model; without one the request has been answered."""
        if name in self.hub.models and name not in self.hub.private:
            return self.hub.models[name]
        status = 401 if name in self.hub.private else 404
        self._answer(status, b"", {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})
        return None

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
