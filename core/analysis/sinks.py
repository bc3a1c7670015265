"""When the first token counts as an attention sink."""

MIN_SINK_RATIO = 2.0  # of its weight, times an even share
MIN_LOSS_RATIO = 1.25  # of what is lost without it, times what is lost without another token
