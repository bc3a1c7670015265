"""The parts of a model that write to the residual stream, in the order in which they run."""

from core.tracing.run import Run


def block_parts(run: Run, stack: str) -> list[tuple[str, str, str]]:
    """Return the parts of a block in the order in which they run.

    Each is a name, the site of the vector that it adds, and the site of the stream after it.
    """
    config = run.config
    crosses = stack == "decoder" and config.has_two_stacks
    cross = [("cross-attention", "cross.attn_out", "cross.resid_mid")] * crosses
    feed_forward = [("feed-forward", "ffn_out", "resid_post")] * bool(config.hidden_width)
    return [("attention", "attn_out", "resid_mid"), *cross, *feed_forward]


def start_parts(run: Run) -> list[tuple[str, str]]:
    """Return the vectors that are summed before the blocks, each as a name and a site."""
    positions, types = run.config.adds_positions, bool(run.config.token_types)
    return [("embedding", "embed"), *[("positions", "pos")] * positions, *[("token type", "types")] * types]
