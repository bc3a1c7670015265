"""Open the app to everyone in the room's network, for a class: `make class`, or `python -m pages.classroom`."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from pages.shell.network import network_hosts

ROOT = Path(__file__).resolve().parents[2]
PORT = 8501
WHO = """\
Until you press Ctrl+C, everyone in this computer's network can open the app, without a password.
They use its pages and join a class with its code. They see nothing that others type, and no file of this computer."""
NO_ANSWER = """\
If a phone gets no answer:
  - Is it in the same network? Many schools keep phones apart from each other (“client isolation”).
    Then let this computer, or a phone, be the hotspot for all; it needs no internet.
  - Does the firewall let port {port} in?
    Linux    sudo ufw allow {port}/tcp    or    sudo firewall-cmd --add-port={port}/tcp
    macOS    System Settings, Network, Firewall, Options: allow incoming connections for Python
    Windows  answer “Allow” for private networks when Windows asks about Python"""
NO_NETWORK = """\
This computer is in no network, so no phone can reach it. Join a network or make this computer a hotspot (neither
needs internet), then start this again."""


def invitation(hosts: Mapping[str, str], port: int) -> str:
    """Return what a teacher reads before the app opens: who can reach it, at which address, and what may be in the way.

    hosts: the computer's addresses with the names of their interfaces, the likeliest first; at least one.
    """
    (host, interface), *others = hosts.items()
    lines = [WHO, "", f"Open on this computer, and on phones:  http://{host}:{port}   ({interface})"]
    if others:
        named = ", ".join(f"http://{other}:{port} ({name})" for other, name in others)
        lines.append(f"If phones cannot open that, this computer also is:  {named}")
    lines.append("A class's QR code has the address at which you open the app.")
    return "\n".join([*lines, "", NO_ANSWER.format(port=port)])


def main() -> None:
    """Say who can reach the app and where, then start it for everyone in the network."""
    parser = argparse.ArgumentParser(prog="python -m pages.classroom", description=__doc__)
    parser.add_argument("--port", type=int, default=PORT, help=f"the port that the app answers at ({PORT})")
    port = parser.parse_args().port
    hosts = network_hosts()
    if not hosts:
        sys.exit(NO_NETWORK)
    print(invitation(hosts, port), flush=True)
    options = ["--server.address", "0.0.0.0", "--server.port", str(port), "--server.headless", "true"]
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", "app.py", *options])


if __name__ == "__main__":
    main()
