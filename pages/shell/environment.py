"""Checks of the server's environment variables, so that none of them is ignored without a message."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network

from core.checkpoints.real.places import PLACE_VARIABLE
from core.limits import LIMITS, PREFIX

PATCHES_VARIABLE = f"{PREFIX}PATCHES"  # "needed" leaves out those that only make the app quicker
REDIS_VARIABLE = f"{PREFIX}REDIS"  # the address of the Redis that keeps the classes of several copies
PROXIES_VARIABLE = "FORWARDED_ALLOW_IPS"  # read by uvicorn: whose X-Forwarded-For it believes
ORIGIN = re.compile(r"https?://(\*\.)?([\w-]+(\.[\w-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def known_variables() -> list[str]:
    """Return the names of all environment variables that the app itself reads."""
    return [*(limit.variable for limit in LIMITS.values()), PLACE_VARIABLE, PATCHES_VARIABLE, REDIS_VARIABLE]


def unread_variables(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that has no effect, and one if every proxy is trusted.

    Variables without effect are those with the app's prefix that it does not read, and a proxy that is no address.
    """
    return [*_unknown(environ), *_proxies(environ.get(PROXIES_VARIABLE, ""))]


def _unknown(environ: Mapping[str, str]) -> Iterable[str]:
    known = [name.removeprefix(PREFIX) for name in known_variables()]
    for name in sorted(environ):
        own = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and own not in known:
            near = get_close_matches(own, known, 1)
            hint = f"Did you mean {PREFIX}{near[0]}?" if near else "`python -m core.limits` lists what can be set."
            yield f"{name} sets nothing: there is no such variable. {hint}"


def _proxies(listed: str) -> Iterable[str]:
    for proxy in filter(None, map(str.strip, listed.split(","))):
        if proxy == "*":
            yield (
                f"{PROXIES_VARIABLE}=* believes whatever a visitor says of their address, where a proxy passes it on. "
                "Name the proxy's address or network."
            )
            continue
        try:
            ip_network(proxy)
        except ValueError as mistake:
            yield f"{PROXIES_VARIABLE}: {mistake}, so this proxy is not believed."


def refused_origins(origins: Iterable[str]) -> list[str]:
    """Return a sentence for each item of `client.allowedOrigins` that is no origin; a browser would not read it."""
    return [
        f"client.allowedOrigins: {origin!r} is no origin, such as https://course.example.org. In "
        "STREAMLIT_CLIENT_ALLOWED_ORIGINS they stand with spaces between them."
        for origin in origins
        if not ORIGIN.fullmatch(origin)
    ]
