"""The addresses of this computer in the networks that it is in."""

import socket
from collections.abc import Iterator
from ipaddress import ip_address

import psutil

NO_HOST = "192.0.2.1"  # reserved for documentation (RFC 5737): no host has it
# How interfaces are named that lead to no other device of the room: of containers, virtual machines and tunnels.
INWARD = (
    *("docker", "br-", "bridge", "veth", "vethernet", "virbr", "vmnet", "vboxnet", "lxc", "cni", "podman"),
    *("tun", "tap", "utun", "wg", "ppp", "zt", "tailscale"),
)


def network_hosts() -> dict[str, str]:
    """Return this computer's IPv4 addresses in its networks, each with its interface's name; the likeliest first.

    First come those that other devices of a room may be behind, and of these the one that leads to the internet, if any
    does. A network needs no way out: a phone's or a laptop's own hotspot is one.
    """
    way_out = _way_out()
    found = sorted(_addresses(), key=lambda each: (each[1].lower().startswith(INWARD), each[0] != way_out, each[1]))
    return dict(found)


def network_host() -> str | None:
    """Return the likeliest of this computer's addresses in its networks; None if it is in none."""
    return next(iter(network_hosts()), None)


def _addresses() -> Iterator[tuple[str, str]]:
    """Yield each IPv4 address of an interface that is up, with the interface's name; not those within the computer."""
    states = psutil.net_if_stats()
    for name, entries in psutil.net_if_addrs().items():
        for entry in entries:
            if entry.family != socket.AF_INET or name not in states or not states[name].isup:
                continue
            address = ip_address(entry.address)
            if not (address.is_loopback or address.is_link_local or address.is_unspecified):
                yield entry.address, name


def _way_out() -> str:
    """Return the address of the interface that leads to the internet; "" if none does.

    Connecting a UDP socket only chooses the interface; nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((NO_HOST, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
