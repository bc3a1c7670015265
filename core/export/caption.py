"""The caption of a run's figure: what was computed, on which text, what its rows are, and whose method it is."""

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, Asked, forces, switches_off
from core.text.labels import head_label
from core.tracing.sites import parse

LONGEST_QUOTE = 240  # characters of a text
LENS_METHOD = (
    "Rows are tokens; columns are layers, 0 the embedding alone; the colour is the probability. Logit lens "
    "(nostalgebraist 2020)."
)
_SCORES = {
    "scaled_dot": "Scaled dot-product attention, softmax(QKᵀ/√d_k) (Vaswani et al. 2017)",
    "dot": "Dot-product attention, softmax(QKᵀ) (Luong et al. 2015)",
    "general": "Attention with the general score, softmax(QWKᵀ) (Luong et al. 2015)",
    "additive": "Additive attention, softmax(vᵀ tanh(Wq + Uk)) (Bahdanau et al. 2015)",
}
_POSITIONS = {
    "rotary": "rotary positions (Su et al. 2021)",
    "alibi": "linear biases for the distance, ALiBi (Press et al. 2022)",
    "relative": "learned biases for the distance (Raffel et al. 2020)",
}


def caption(asked: Asked) -> str:
    """Return the caption of the figure that the scripts of a run draw, in sentences, on one line."""
    if asked.draws == GUESSES:
        what = "Probabilities of the classes" if asked.classes else f"Probabilities of the likeliest {asked.guesses}s"
        return _of_guesses(asked, what, "They are the softmax of the model’s logits.")
    if asked.draws == LENS:
        return _of_guesses(asked, "Likeliest next piece after each token and each layer", LENS_METHOD)
    config = asked.config
    positions = f", with {_POSITIONS[config.positions]}" if config.positions in _POSITIONS else ""
    said = [
        *(_of_vectors(asked) if asked.draws == HEAD_VECTORS else _of_matrix(asked)),
        *_changes(asked),
        f"{_SCORES[config.score]}{positions}. Layers and heads are counted from 1. Computed with Attention Explorer.",
    ]
    return " ".join(" ".join(said).split())


def _of_matrix(asked: Asked) -> list[str]:
    """Return the sentences on one head's weights or scores."""
    place, config = asked.place, asked.config
    kind = f"{place.stack.capitalize()} self-attention" if config.has_two_stacks else "Attention"
    axes = "Rows are queries and columns are keys, both the same tokens"
    if place.cross:
        kind, axes = "Cross-attention", "Rows are queries, the decoder’s tokens; columns are keys, the encoder’s tokens"
    of = f"of {head_label(place.layer, place.head)} of {asked.name}"
    if asked.draws == HEAD_SCORES:
        return [f"{kind} scores {of} before the mask and the softmax, {_reads(asked)}.", f"{axes}."]
    total = "less than 1" if config.sink_logits else "1"
    sums = f"sums to {total}" + " or is all zeros" * asked.has_empty_rows
    hides = "Keys that the mask hides have the weight 0." if asked.mask(place) is not None else ""
    return [f"{kind} weights {of}, {_reads(asked)}.", f"{axes}; each row {sums}.", hides]


def _of_vectors(asked: Asked) -> list[str]:
    """Return the sentences on one head's queries, keys and values."""
    place, config = asked.place, asked.config
    kind = " in cross-attention" if place.cross else f" of the {place.stack}" if config.has_two_stacks else ""
    turned = config.qk_norm or (config.positions == "rotary" and not place.cross)
    before = ", before a norm or rotary positions change them" * turned
    rows = "Rows are tokens: the decoder’s for Q, the encoder’s for K and V" if place.cross else "Rows are tokens"
    return [
        f"Queries (Q), keys (K) and values (V) of {head_label(place.layer, place.head)}{kind} of {asked.name}{before}, "
        f"{_reads(asked)}.",
        f"{rows}; columns are the numbers of a vector.",
    ]


def _of_guesses(asked: Asked, what: str, method: str) -> str:
    """Return the caption of probabilities. what: its first words; method: the sentence on how they were made."""
    changes = _changes(asked)
    said = [
        f"{what} by {asked.name}, {_reads(asked)}.",
        method,
        *changes,
        *["Layers and heads are counted from 1."] * bool(changes),
        "Computed with Attention Explorer.",
    ]
    return " ".join(" ".join(said).split())


def _reads(asked: Asked) -> str:
    target = f" and {quoted_text(asked.run.target)}" if asked.config.has_two_stacks else ""
    return f"reading {quoted_text(asked.run.text)}{target}"


def quoted_text(text: str) -> str:
    """Return a text in quotation marks, on one line, cut if it is long."""
    one_line = " ".join(text.split())
    return f"“{one_line if len(one_line) <= LONGEST_QUOTE else one_line[: LONGEST_QUOTE - 1] + '…'}”"


def _changes(asked: Asked) -> list[str]:
    """Return the sentences about the edits of a run."""
    off, forced = list[str](), list[str]()
    for edit in asked.run.edits:
        stack, layer, cross, _ = parse(edit.key)
        assert layer is not None and edit.head is not None
        which = "cross-attention, " if cross else f"{stack}, " if asked.config.has_two_stacks else ""
        named = f"{which}{head_label(layer, edit.head)}"
        if switches_off(edit):
            off.append(named)
        elif forces(edit):
            forced.append(named)
    said = (("Switched off", off), ("Attention forced", sorted(set(forced))))
    return [f"{what}: {'; '.join(names)}." for what, names in said if names]
