"""The URL of what is on the screen: as text, as a QR code, and as other machines in the network reach it."""

from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from pages.shell.model_choice import own_model
from pages.shell.network import network_host
from pages.shell.page import Page
from pages.shell.settings import MODEL, RANDOM_WEIGHTS
from pages.shell.url import query_of

ANY_ADDRESS = (None, "", "0.0.0.0", "::")  # values of `server.address` for a server that answers the network
LOCAL_MESSAGE = (
    "There is no QR code: this server answers on this computer alone, so a phone could not open its address. "
    "Start it with “make class” to let others in your network in."
)
OFFLINE_MESSAGE = "There is no QR code: this computer is in no network, so a phone could not open its address."
TOO_LONG_MESSAGE = "There is no QR code: the address is too long for one. A shorter text would fit."


def shared_address(page: Page) -> str:
    """Return the URL of this page with every setting that is not at its default.

    It names the model of a page that shows the one of the page before.
    """
    query = query_of(page)
    if page.reference and (own := own_model(page)) not in (page.model, RANDOM_WEIGHTS):
        query = {MODEL.key: [own], **query}
    base = (st.context.url or "").partition("?")[0]
    return f"{base}?{urlencode(query, doseq=True)}" if query else base


def code_of(address: str) -> tuple[segno.QRCode | None, str, str]:
    """Return the QR code of a URL, the URL that it holds, and the reason if there is no code, else "".

    If the URL leads to this computer itself, the machine's address in its network takes the place of the host.
    """
    reached, why = reachable(address, st.get_option("server.address"))
    code = None if why else qr_code(reached)
    return code, reached, why or ("" if code else TOO_LONG_MESSAGE)


def reachable(address: str, listens: str | None) -> tuple[str, str]:
    """Return a URL that others can open, and "" or the reason why they cannot.

    listens: the server's option `server.address`.
    """
    parts = urlsplit(address)
    if not _is_this_computer(parts.hostname or ""):
        return address, ""
    if listens not in ANY_ADDRESS:
        return address, LOCAL_MESSAGE
    host = network_host()
    if host is None:
        return address, OFFLINE_MESSAGE
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{host}{port}").geturl(), ""


def _is_this_computer(host: str) -> bool:
    """Return whether every computer means itself by this host: a name of its own, 127.0.0.0/8, ::1, 0.0.0.0 or ::."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        named = ip_address(host)
    except ValueError:  # a name in the network
        return False
    return named.is_loopback or named.is_unspecified


def qr_code(text: str) -> segno.QRCode | None:
    """Return the text as a QR code (ISO/IEC 18004); None if it is too long for any."""
    try:
        return segno.make_qr(text, error="l")
    except segno.DataOverflowError:
        return None
