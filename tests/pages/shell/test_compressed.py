"""Streamlit's scripts and style sheets come compressed, with the content of its files, where the browser reads that."""

import gzip

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.shell.compressed import CompressedFiles, compressed, static_files
from pages.shell.index_page import IndexPage, _streamlits_own, index_page

NAME = max(static_files(), key=lambda name: static_files()[name].stat().st_size)


async def plain(request: Request) -> Response:
    own = _streamlits_own()
    if request.url.path == "/":
        return FileResponse(own, stat_result=own.stat())
    return PlainTextResponse("as it is")


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/{path:path}", plain, methods=["GET", "POST"])]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(CompressedFiles), Middleware(IndexPage)]))


def test_a_script_is_streamlits_own_and_much_smaller(client: TestClient) -> None:
    answer = client.get(f"/{NAME}", headers={"Accept-Encoding": "gzip, deflate, br"})
    own = static_files()[NAME].read_bytes()
    assert answer.content == own and answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding" and "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert int(answer.headers["content-length"]) == len(compressed(NAME)) < len(own) / 2


@pytest.mark.parametrize("offer", ["identity", "", "br", "gzip;q=0"])
def test_who_cannot_read_it_gets_streamlits_answer(client: TestClient, offer: str) -> None:
    assert client.get(f"/{NAME}", headers={"Accept-Encoding": offer}).text == "as it is"
    page = client.get("/", headers={"Accept-Encoding": offer})
    assert page.text == index_page() and "content-encoding" not in page.headers


def test_other_requests_pass(client: TestClient) -> None:
    assert client.post(f"/{NAME}").text == "as it is"
    for path in ("/static/js/none.js", "/static/../app.py", "/static/media/x.woff2"):
        assert client.get(path).text == "as it is"


def test_the_page_comes_compressed(client: TestClient) -> None:
    answer = client.get("/", headers={"Accept-Encoding": "gzip"})
    assert answer.text == index_page() and answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(gzip.compress(index_page().encode())) + 100
