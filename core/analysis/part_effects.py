"""When what a word loses without a part counts as less or more than the part's share in its logit."""

MAX_REPLACED_RATIO = 0.5  # of the share: below it, later parts make up for the rest
MIN_BUILT_ON_RATIO = 1.5  # above it, later parts build on what it wrote
