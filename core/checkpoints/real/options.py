"""Reads the options of a ``config.json``; each is carried out, changes nothing, or is refused by its name."""

import json
import re
from collections.abc import Iterable, Mapping
from sys import float_info
from typing import Any, TypeVar

from core.checkpoints.real.files import shown_name
from core.limits import FILE_HEADS, FILE_LAYERS, FILE_SIZES

CONFIG = "config.json"

# Options that change the computation of some model, under the names of transformers and of older files. A family reads
# those that it can carry out; the others must have a value that turns them off. All options that are not listed here
# change no number of a forward pass.
_COMPUTED = """
    add_bias_logits add_cross_attention add_final_layer_norm alibi apply_residual_connection_post_layernorm
    attention_bias attention_chunk_size attention_layers attention_multiplier attention_out_bias
    attention_softmax_in_fp32 attention_window attn_config attn_logit_softcapping bias clip_qkv
    cross_attention_hidden_size decoder_bias do_blenderbot_90_layernorm do_layer_norm_before embedding_multiplier
    embedding_size enable_bias ffn_config final_logit_softcapping first_k_dense_replace head_dim is_decoder kv_lora_rank
    kv_n_heads layer_rope_theta layer_types layers_block_type linear_attention lm_head_bias lm_head_multiplier
    local_attention logit_scale logits_scaling mamba_d_state mlp_bias mlp_only_layers moe_intermediate_size multi_query
    n_routed_experts n_shared_experts new_decoder_architecture no_rope_layers norm_bias normalize_before
    normalize_embedding num_experts num_experts_per_tok num_hidden_groups num_key_value_heads num_kv_heads
    num_ln_in_parallel_attn num_local_experts parallel_attn partial_rotary_factor per_layer_config pos_att_type
    position_embedding_type pruned_heads q_lora_rank qk_layernorm qk_nope_head_dim qk_norm qk_rope_head_dim qkv_bias
    query_pre_attn_scalar relative_attention residual_multiplier residual_scale rope_interleave rope_interleaved
    rope_parameters rope_scaling rope_theta rotary_dim rotary_emb_base rotary_pct rotary_value
    scale_attn_by_inverse_layer_idx scale_depth scale_emb scale_embedding sliding_window sliding_window_pattern softcap
    text_config tie_encoder_decoder trigram_input use_alibi use_bias use_bidirectional_attention use_bottleneck
    use_mrope use_parallel_residual use_qk_norm use_qkv_bias use_sliding_window v_head_dim vision_config window_size
    word_embed_proj_dim
"""
COMPUTED = frozenset(_COMPUTED.split())
NOT_USED: tuple[object, ...] = (False, 0, {}, [], "")
# Options of quantised weights, as transformers, compressed-tensors and MLX name them.
QUANTISED = ("quantization_config", "compression_config", "quantization")
QUANTISED_WEIGHTS = "its weights are quantised, which is not read here; take the model from which they were made"

# The ends of the names of transformers' classes, behind the name of their family.
CLASS_ENDINGS = r"Config|Model|LMHeadModel|MTModel|For[A-Z]\w*|Tokenizer(Fast)?"
MAX_NUMBER = float_info.max

T = TypeVar("T")


class Options:
    """Options read by name, so that `finish` can refuse those that were not read and would change a number.

    An option that is null counts as missing, as its writers mean it.

    nulls: the names of those options.
    """

    def __init__(self, values: Mapping[str, Any], path: str = CONFIG) -> None:
        self._values = {name: value for name, value in values.items() if value is not None}
        self.nulls = values.keys() - self._values.keys()
        self._place = path
        self._read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def whole(self, name: str, default: int | None = None, min_value: int = 1, max_value: int = FILE_SIZES) -> int:
        """Return a whole number.

        Raises ValueError if it is missing without a default, or out of bounds.
        """
        value = self._given(name, default)
        if type(value) is not int or not min_value <= value <= max_value:
            raise self._wrong(name, value, f"a whole number from {min_value} to {max_value:,}")
        return value

    def depth(self, name: str, default: int | None = None) -> int:
        """Return a number of layers."""
        return self.whole(name, default, max_value=FILE_LAYERS)

    def heads(self, name: str, default: int | None = None) -> int:
        """Return a number of heads."""
        return self.whole(name, default, max_value=FILE_HEADS)

    def number(self, name: str, default: float | None = None, max_value: float = MAX_NUMBER) -> float:
        """Return a number above 0."""
        value = self._given(name, default)
        if type(value) not in (int, float) or not 0 < value <= max_value:
            raise self._wrong(
                name, value, "a number above 0" + (f", at most {max_value:g}" if max_value < MAX_NUMBER else "")
            )
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        value = self._given(name, default)
        if type(value) is not bool:
            raise self._wrong(name, value, "true or false")
        return value

    def choice(self, name: str, default: str, options: Mapping[str, T]) -> T:
        """Return the value to which `options` maps the option's text.

        Raises ValueError, with the possible texts, for any other.
        """
        value = self._given(name, default)
        if not isinstance(value, str) or value not in options:
            raise self._wrong(name, value, f"one of {', '.join(options)}")
        return options[value]

    def part(self, name: str) -> "Options | None":
        """Return the options of an object within these; None if there is no such object."""
        value = self._given(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, value, "an object")
        return Options(value, f"{self._place}: {name}") if value else None

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return the value of the option `name`, a list of strings; None if it is not set or empty."""
        value = self._given(name, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self._wrong(name, value, "a list of words")
        return tuple(value) or None

    def numbers(self, name: str) -> tuple[float, ...] | None:
        """Return the value of the option `name`, a list of numbers from 0 on; None if it is not set or empty."""
        value = self._given(name, [])
        if not isinstance(value, list) or not all(type(n) in (int, float) and 0 <= n <= MAX_NUMBER for n in value):
            raise self._wrong(name, value, "a list of numbers from 0 on")
        return tuple(map(float, value)) or None

    def fixed(self, name: str, *values: object) -> None:
        """Raise ValueError if an option is set to any value but these, because nothing else can be carried out."""
        self._read.add(name)
        value = self._values.get(name)
        if value is not None and not any(value == allowed and type(value) is type(allowed) for allowed in values):
            what = " or ".join(map(repr, values)) if values else "nothing else"
            raise ValueError(f"{self._place}: {name} is {shown_name(repr(value))}; only {what} can be carried out.")

    def same(self, name: str, other: str) -> None:
        """Raise ValueError unless the option `name`, an alias of the option `other`, has the same value."""
        self.fixed(name, self._values.get(other))

    def own_code(self, prefix: str) -> None:
        """Raise ValueError if ``auto_map`` names a class that transformers does not have in this family.

        Code of a folder is never run. If its classes are named as those of transformers, the model is read as one of
        the family; a class of another name may compute something else.

        prefix: the beginning of the names of the family's classes.
        """
        named = self._values.get("auto_map")
        classes = json.dumps(list(named.values()) if isinstance(named, dict) else named)
        for name in re.findall(r"(?:[^\"]*\.)?(\w+)\"", classes):
            if not re.fullmatch(rf"{prefix}({CLASS_ENDINGS})", name):
                raise ValueError(
                    f"{self._place}: auto_map names {shown_name(name)}, a class with code of its own, and such code is "
                    "never run."
                )

    def unused(self, names: Iterable[str]) -> None:
        """Mark as read the options that change nothing in this family, so that `finish` does not refuse them."""
        self._read.update(names)

    def finish(self) -> None:
        """Raise ValueError for the first option that would change the computation and was not read."""
        for name in QUANTISED:
            if name in self._values:
                raise ValueError(f"{self._place}: {name} says that {QUANTISED_WEIGHTS}.")
        for name in sorted(COMPUTED & (set(self._values) - self._read)):
            value = self._values[name]
            factor_of_one = type(value) is float and value == 1.0
            if not factor_of_one and not any(value == unused for unused in NOT_USED):
                shown_value = shown_name(repr(value))
                raise ValueError(f"{self._place}: {name} is {shown_value}, which cannot be carried out in this family.")

    def finish_part(self) -> None:
        """Raise ValueError for the first option that was not read: inside a part, each changes the computation."""
        if unknown := sorted(set(self._values) - self._read):
            raise ValueError(f"{self._place}: the option {shown_name(unknown[0])} is not known, so it is refused.")

    def _given(self, name: str, default: object) -> Any:
        self._read.add(name)
        value = self._values.get(name, default)
        if value is None:
            raise ValueError(f"{self._place} does not say {name}.")
        return value

    def _wrong(self, name: str, value: object, wanted: str) -> ValueError:
        return ValueError(f"{self._place}: {name} is {shown_name(repr(value))}, and must be {wanted}.")
