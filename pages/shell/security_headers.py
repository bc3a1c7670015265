"""What the server tells every browser with every answer: to ask no other host for anything, whatever the page holds."""

import base64
import hashlib
import re
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def directives() -> dict[str, str]:
    """The Content-Security-Policy: where each kind of thing may come from, as strict as Streamlit and Vega can bear.

    `'self'` is this host, by websocket too. Streamlit imports the loader of each drawing from memory (`blob:`),
    multiplies long numbers in WebAssembly, writes its style sheets into the page, and has its logo and some letters of
    formulas in addresses of their own (`data:`). Nothing needs `unsafe-eval`. Pages in whose frames the app may stand
    are those of `client.allowedOrigins`.
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
    """The policy; besides, no browser guesses the type of a file or looks up the hosts of links before they are
    clicked, and no other site learns the address, which holds the visitor's text."""
    policy = "; ".join(f"{name} {sources}" for name, sources in directives().items())
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "X-DNS-Prefetch-Control": "off",
    }


class SecurityHeaders:
    """Middleware that puts them on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.headers = app, security_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # a websocket's messages have none
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, with_headers)


def _inline_scripts() -> list[str]:
    """The scripts that stand in Streamlit's own page, each by its SHA-256: no other one runs."""
    page = (Path(file_util.get_static_dir()) / "index.html").read_text(encoding="utf-8")
    digests = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
