"""Small transformers for hypothesis to draw."""

from typing import Any

from hypothesis import strategies as st

from core.model import config as options
from core.model.config import TransformerConfig
from core.model.rotary_scaling import RotaryScaling


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
        "d_ff": draw(st.sampled_from((None, 3, 0))),
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


@st.composite
def parts_of_others(draw: st.DrawFn, **fixed: Any) -> TransformerConfig:
    """The parts of models made elsewhere, in any combination that can be built."""
    architecture = fixed.pop("architecture", None) or draw(st.sampled_from(options.ARCHITECTURES))
    heads, groups = draw(st.sampled_from(((4, 1), (4, 2), (6, 3), (2, 2))))
    layers, several = draw(st.integers(1, 2)), architecture == "encoder-decoder"
    decoder_layers = draw(st.sampled_from((None, 1, 3))) if several else None
    window = st.integers(0, 4)
    decoders = () if architecture == "encoder" else (decoder_layers or layers) * (window,)
    parallel = not several and draw(st.booleans())
    masked = architecture == "encoder" and draw(st.booleans())
    tied = draw(st.booleans())
    chosen: dict[str, Any] = {
        "architecture": architecture,
        "heads": heads,
        "kv_heads": groups,
        "d_model": 12,
        "d_k": 4,
        "d_v": draw(st.sampled_from((4, 3))),
        "layers": layers,
        "decoder_layers": decoder_layers,
        "windows": draw(st.one_of(st.just(()), st.tuples(*decoders))) if decoders else (),
        "parallel_residual": parallel,
        "norm_position": draw(st.sampled_from(("pre", "none"))) if parallel else draw(st.sampled_from(("pre", "post"))),
        "residual": True,
        "masked_head": masked,
        "output_bias": (masked or tied or architecture != "encoder") and draw(st.booleans()),
        "tied": tied,
        "token_types": draw(st.sampled_from((0, 2))),
        "rotary_pairs": draw(st.sampled_from(options.ROTARY_PAIRS)),
        "rotary_width": draw(st.sampled_from((None, 2))),
        "rotary_scaling": draw(st.sampled_from((None, RotaryScaling("linear", 2.0)))),
        "sinusoids": draw(st.sampled_from(options.SINUSOIDS)),
        "relative_buckets": 4,
        "relative_distance": 6,
        "logit_scale": draw(st.sampled_from((1.0, 0.5))),
        "norm_eps": 1e-3,
    }
    for name in ("qkv_bias", "out_bias", "ffn_bias", "norm_bias", "embedding_norm", "qk_norm", "sink_logits"):
        chosen[name] = draw(st.booleans())
    return draw(configs(**(chosen | fixed)))
