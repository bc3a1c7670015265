"""Sentences about the directions of a head's maps."""

from core.readings.words import percent, quoted

MIN_RATIO = 2.0  # to the strongest direction of random matrices, for a direction that tells something


def read_looked_for(layer: int, head: int, query: str, key: str) -> str:
    """Say which tokens look for which along a direction of a QK map.

    layer, head: from 0. query, key: the pieces at the same end of the direction.
    """
    return f"In head {head + 1} of layer {layer + 1}, a token like {quoted(query)} looks for one like {quoted(key)}."


def read_spoken_for(layer: int, head: int, read: str, written: str) -> str:
    """Say what a head speaks for when it reads a token along a direction of its OV map."""
    return (
        f"In head {head + 1} of layer {layer + 1}, a token like {quoted(read)} that is looked at makes the head speak "
        f"for {quoted(written)}."
    )


def read_direction_share(number: int, share: float, random_share: float) -> str:
    """Say how much of a head's map a direction is, beside the strongest of random matrices; number: from 0."""
    beside = f"in random matrices of this size the strongest makes up {percent(random_share)}"
    if share >= MIN_RATIO * random_share:
        return f"Direction {number + 1} makes up {percent(share)} of the head's map; {beside}."
    return f"Direction {number + 1} says little about this head: it makes up {percent(share)} of the map; {beside}."


def write_map(circuit: str) -> str:
    """Write in LaTeX a head's map as a sum of directions.

    circuit: "QK" or "OV".
    """
    if circuit == "QK":
        return r"W_Q W_K^\top = \sum_r \sigma_r u_r v_r^\top \quad q_i \cdot k_j = \sum_r \sigma_r (x_i u_r)(x_j v_r)"
    return r"W_O^\top W_V^\top = \sum_r \sigma_r u_r v_r^\top \quad o = \sum_r \sigma_r (x_j v_r)\, u_r"
