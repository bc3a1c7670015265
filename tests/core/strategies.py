"""Small transformers for hypothesis to draw."""

from typing import Any

from hypothesis import strategies as st

from core.model import config as options
from core.model.config import TransformerConfig


@st.composite
def configs(draw: st.DrawFn, **fixed: Any) -> TransformerConfig:
    """Any combination of choices that can be built, in sizes that run in a moment. fixed: fields not to draw."""
    heads = draw(st.integers(1, 3))
    chosen: dict[str, Any] = {
        "architecture": draw(st.sampled_from(options.ARCHITECTURES)),
        "vocab_size": 11,
        "heads": heads,
        "d_model": heads * 2 * draw(st.integers(2, 3)),
        "layers": draw(st.integers(1, 2)),
        "d_k": draw(st.sampled_from((None, 2, 6))),
        "d_v": draw(st.sampled_from((None, 1, 5))),
        "d_ff": draw(st.sampled_from((None, 3))),
        "activation": draw(st.sampled_from(options.ACTIVATIONS)),
        "norm_position": draw(st.sampled_from(options.NORM_POSITIONS)),
        "norm": draw(st.sampled_from(options.NORMS)),
        "final_norm": draw(st.sampled_from((None, True, False))),
        "residual": draw(st.booleans()),
        "positions": draw(st.sampled_from(options.POSITIONS)),
        "score": draw(st.sampled_from(options.SCORES)),
        "tied": draw(st.booleans()),
        "scale_embeddings": draw(st.booleans()),
        "max_length": 8,
        "seed": draw(st.integers(0, 9)),
    }
    return TransformerConfig(**(chosen | fixed))
