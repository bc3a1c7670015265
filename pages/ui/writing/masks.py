"""Which mask a text is written under, where it is not the one that the frame asks for."""

from core.explorer.generation.setup import BESIDE_CAUSAL
from core.model.masks import MaskSpec


def mask_note(mask: MaskSpec) -> str | None:
    """What of the frame's mask plays no part in writing, as a sentence; None where all of it does."""
    idle = [kind for kind in mask.kinds if kind not in (*BESIDE_CAUSAL, "causal")]
    if not idle and "causal" in mask.kinds:
        return None
    rest = f"; the mask “{'” and “'.join(idle)}” plays no part here" if idle else ""
    return f"A text is always written under the causal mask, each token after those before it{rest}."
