"""The options of a ``config.json``: each is carried out, known to change nothing, or refused by its name."""

from collections.abc import Iterable, Mapping
from sys import float_info
from typing import Any, TypeVar

from core.checkpoints.real.files import shown_name
from core.limits import FILE_HEADS, FILE_LAYERS, FILE_SIZES

CONFIG = "config.json"

# What says how a model was trained, how it was saved, or how its text is drawn: no number of a forward pass changes.
_WITHOUT_EFFECT = """
    _attn_implementation _attn_implementation_autoset _commit_hash _name_or_path _num_labels activation_dropout
    architectures attention_dropout attention_probs_dropout_prob attn_pdrop bad_words_ids begin_suppress_tokens
    bos_token_id chunk_size_feed_forward classif_dropout classifier_dropout decoder_layerdrop decoder_start_token_id
    directionality diversity_penalty do_sample dropout dropout_rate dtype early_stopping embd_pdrop
    encoder_layerdrop encoder_no_repeat_ngram_size eos_token_id exponential_decay_length_penalty finetuning_task
    force_bos_token_to_be_generated forced_bos_token_id forced_eos_token_id gradient_checkpointing hidden_dropout
    hidden_dropout_prob id2label init_std initializer_factor initializer_range is_encoder_decoder label2id
    length_penalty max_length min_length model_type no_repeat_ngram_size num_beam_groups num_beams
    num_return_sequences output_attentions output_hidden_states output_past output_scores pad_token_id
    pooler_fc_size pooler_num_attention_heads pooler_num_fc_layers pooler_size_per_head pooler_type prefix
    pretraining_tp problem_type qa_dropout remove_invalid_values reorder_and_upcast_attn repetition_penalty
    resid_pdrop return_dict return_dict_in_generate save_step sep_token_id seq_classif_dropout
    summary_activation summary_first_dropout summary_proj_to_labels summary_type summary_use_proj
    suppress_tokens task_specific_params temperature tokenizer_class top_k top_p torch_dtype torchscript
    transformers_version typical_p use_bfloat16 use_cache vocab_type
"""
WITHOUT_EFFECT = frozenset(_WITHOUT_EFFECT.split())
# What must have this value, in every family that has the option: anything else changes the computation.
FIXED: Mapping[str, tuple[object, ...]] = {
    "add_cross_attention": (False,),
    "cross_attention_hidden_size": (),
    "is_decoder": (False,),
    "pruned_heads": ({},),
    "tf_legacy_loss": (False,),
}
REFUSED = {
    "auto_map": "it asks for code of its own, which is never run",
    "trust_remote_code": "it asks for code of its own, which is never run",
    "quantization_config": "quantised weights cannot be read",
}

MOST = float_info.max

T = TypeVar("T")


class Options:
    """Reads options by name and notes which were read, so that `finish` can refuse those that nobody knows.

    null stands for an option that is not there, as with those who wrote it.
    """

    def __init__(self, values: Mapping[str, Any], place: str = CONFIG) -> None:
        self._values = {name: value for name, value in values.items() if value is not None}
        self._place = place
        self._read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def whole(self, name: str, default: int | None = None, least: int = 1, most: int = FILE_SIZES) -> int:
        """A whole number. ValueError where it is missing without a default, or out of bounds."""
        value = self._given(name, default)
        if type(value) is not int or not least <= value <= most:
            raise self._wrong(name, value, f"a whole number from {least} to {most:,}")
        return value

    def depth(self, name: str, default: int | None = None) -> int:
        """How many layers there are."""
        return self.whole(name, default, most=FILE_LAYERS)

    def heads(self, name: str, default: int | None = None) -> int:
        """How many heads a layer has."""
        return self.whole(name, default, most=FILE_HEADS)

    def number(self, name: str, default: float | None = None, most: float = MOST) -> float:
        """A number above 0."""
        value = self._given(name, default)
        if type(value) not in (int, float) or not 0 < value <= most:
            raise self._wrong(name, value, "a number above 0" + (f", at most {most:g}" if most < MOST else ""))
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        value = self._given(name, default)
        if type(value) is not bool:
            raise self._wrong(name, value, "true or false")
        return value

    def choice(self, name: str, default: str, options: Mapping[str, T]) -> T:
        """What stands for one of several words."""
        value = self._given(name, default)
        if not isinstance(value, str) or value not in options:
            raise self._wrong(name, value, f"one of {', '.join(options)}")
        return options[value]

    def part(self, name: str) -> "Options | None":
        """The options of an object within; None where there is none."""
        value = self._given(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, value, "an object")
        return Options(value, f"{self._place}: {name}") if value else None

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A list of words; None where there is none."""
        value = self._given(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._wrong(name, value, "a list of words")
        return tuple(value) or None

    def first(self, name: str) -> object:
        """A value as it stands, of a list the first; None where there is none."""
        value = self._values.get(name)
        return next(iter(value), None) if isinstance(value, list) else value

    def fixed(self, name: str, *values: object) -> None:
        """ValueError where an option is there and has none of these values: nothing else can be carried out."""
        self._read.add(name)
        value = self._values.get(name)
        if value is not None and not any(value == each and type(value) is type(each) for each in values):
            what = " or ".join(map(repr, values)) if values else "nothing else"
            raise ValueError(f"{self._place}: {name} is {shown_name(repr(value))}; only {what} can be carried out.")

    def unused(self, names: Iterable[str]) -> None:
        """Notes options that change nothing in this family."""
        self._read.update(names)

    def finish(self) -> None:
        """ValueError that names the first option of which it is not known what it does."""
        for name, reason in REFUSED.items():
            if name in self._values:
                raise ValueError(f"{self._place}: {name} is refused, because {reason}.")
        for name, values in FIXED.items():
            if name not in self._read:
                self.fixed(name, *values)
        if unknown := sorted(set(self._values) - self._read - WITHOUT_EFFECT):
            raise ValueError(f"{self._place}: the option {shown_name(unknown[0])} is not known, so it is refused.")

    def _given(self, name: str, default: object) -> Any:
        self._read.add(name)
        value = self._values.get(name, default)
        if value is None:
            raise ValueError(f"{self._place} does not say {name}.")
        return value

    def _wrong(self, name: str, value: object, wanted: str) -> ValueError:
        return ValueError(f"{self._place}: {name} is {shown_name(repr(value))}, and must be {wanted}.")
