"""The Content-Security-Policy: sent with every answer, and no way round it to another host.

That no page needs what it refuses is watched in every tab of every browser test; see `tabs.py`.
"""

import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from pages.canvas.runtime import modules
from tests.browser.driver import WAIT, address
from tests.browser.tabs import LOOPBACK

ANSWERS = ("", "heads", "journey", "static/no-such-file.js", "_stcore/health", "_stcore/host-config", "..%2fapp.py")
NOTE = """window.refused = new Set();
document.addEventListener("securitypolicyviolation", (broken) => window.refused.add(broken.effectiveDirective));"""
# Ways to another host, or to a script that nobody has sent: what the policy has to refuse, and how it is tried.
REFUSED = {
    "img-src": "new Image().src = 'https://example.com/x.png'",
    "connect-src": "fetch('https://example.com/').catch(() => 0); new WebSocket('wss://example.com/')",
    "frame-src": "document.body.append(Object.assign(document.createElement('iframe'), {src: 'https://example.com/'}))",
    "font-src": "new FontFace('x', 'url(https://example.com/x.woff2)').load().catch(() => 0)",
    "style-src-elem": "document.head.append(Object.assign(document.createElement('link'), "
    "{rel: 'stylesheet', href: 'https://example.com/x.css'}))",
    "script-src-elem": "document.head.append(Object.assign(document.createElement('script'), "
    "{src: 'https://example.com/x.js'}))",
    "script-src-attr": "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.inline=true>')",
    "script-src": "try { new Function('window.made = true')() } catch {}",
    "worker-src": "try { new Worker(URL.createObjectURL(new Blob(['0']))) } catch {}",
    "form-action": "document.body.append(Object.assign(document.createElement('form'), "
    "{action: 'https://example.com/'})); document.forms[document.forms.length - 1].submit()",
    "base-uri": "document.head.append(Object.assign(document.createElement('base'), {href: 'https://example.com/'}))",
}


def headers_of(url: str) -> dict[str, str]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url) as answer:
            found = answer.headers
    except urllib.error.HTTPError as refused:
        found = refused.headers
    return {name.lower(): value for name, value in found.items()}


@pytest.mark.parametrize("path", [*ANSWERS, modules.address("lines/lines.js")])
def test_every_answer_has_the_policy(path: str, serve: Callable[[str], str]) -> None:
    found = headers_of(f"{serve('app.py')}/{path}")
    policy = dict(each.split(" ", 1) for each in found["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'" and "'unsafe-eval'" not in found["content-security-policy"]
    assert (
        policy["frame-ancestors"] == "'self' https://*.streamlit.app https://share.streamlit.io https://huggingface.co"
    )
    hosts = {source for name, sources in policy.items() if name != "frame-ancestors" for source in sources.split()}
    assert not [source for source in hosts if "." in source or "*" in source or source.startswith(("http", "ws"))]
    assert found["x-content-type-options"] == "nosniff" and found["x-dns-prefetch-control"] == "off"
    assert found["referrer-policy"] == "same-origin"


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A page that may log errors: of what is refused."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(WAIT)
    yield page
    context.close()


def test_no_script_on_a_page_gets_to_another_host(tab: Page, serve: Callable[[str], str]) -> None:
    asked = set[str | None]()
    tab.add_init_script(NOTE)
    tab.on("requestfinished", lambda request: asked.add(urlsplit(request.url).hostname))
    tab.goto(address(serve("app.py"), "glossary"))
    for directive, attempt in REFUSED.items():
        tab.evaluate(f"() => setTimeout(() => {{ {attempt} }})")  # later: what a test itself calls may make scripts
        tab.wait_for_function("(directive) => window.refused.has(directive)", arg=directive)
    assert asked <= LOOPBACK | {"", None}
    assert tab.evaluate("() => [window.inline, window.made]") == [None, None]
