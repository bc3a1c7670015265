"""The HTTP headers that tell every browser to ask no other host for anything, whatever the page holds."""

import base64
import hashlib
import re
from collections.abc import Mapping

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shell.index_page import index_page

POLICY = "Content-Security-Policy"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def directives() -> dict[str, str]:
    """Return the directives of the Content-Security-Policy, as strict as Streamlit and Vega allow.

    Each lists where one kind of content may come from. `'self'` is this host, by websocket too. Streamlit imports the
    loader of each drawing from memory (`blob:`), multiplies long numbers in WebAssembly, writes its style sheets into
    the page, and has its logo and some letters of formulas in `data:` URLs. Nothing needs `unsafe-eval`. The app may be
    embedded in pages of this host and of those in `client.allowedOrigins`.
    """
    return {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *_inline_scripts()]),
        "worker-src": "'none'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(["'self'", *st.get_option("client.allowedOrigins")]),
    }


def security_headers() -> dict[str, str]:
    """Return the headers by name, the policy among them.

    The others keep browsers from guessing the type of a file and from looking up the hosts of links before they are
    clicked, and keep the URL, which holds the visitor's text, from other sites.
    """
    return {
        POLICY: policy_of(directives()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "X-DNS-Prefetch-Control": "off",
    }


def policy_of(sources: Mapping[str, str]) -> str:
    """Return the Content-Security-Policy with these directives, each with its sources or ""."""
    return "; ".join(f"{name} {each}".rstrip() for name, each in sources.items())


class SecurityHeaders:
    """Middleware that puts the security headers on every HTTP answer; one that has a policy of its own keeps it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.headers = app, security_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # a websocket's messages have no headers
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                own = headers.get(POLICY)
                headers.update(self.headers | ({POLICY: own} if own else {}))
            await send(message)

        await self.app(scope, receive, with_headers)


def _inline_scripts() -> list[str]:
    """Return the SHA-256 of each script in the page that a visit begins with, so that no other inline script runs."""
    digests = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(index_page()))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
