"""When the first token counts as an attention sink, and the weight that goes to no token."""

import numpy as np

MIN_SINK_RATIO = 2.0  # of its weight, times an even share
MIN_LOSS_RATIO = 1.25  # of what is lost without it, times what is lost without another token


def to_no_token(sums: np.ndarray) -> np.ndarray:
    """Return what a sink logit takes of each row of a pattern, from the rows' sums; 0 for a row that sees nothing."""
    return np.where(sums > 0, np.clip(1 - sums, 0, 1), 0.0)
