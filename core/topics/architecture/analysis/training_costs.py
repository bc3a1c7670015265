"""The memory of training beside the weights: gradients, Adam's moments, and the tensors that the backward pass needs.

Counted for the networks here as PyTorch saves tensors for the backward pass, each once: those that a product, a norm,
an activation or the loss needs to make its gradients. Ids are left out.
"""

from core.analysis.model_sizes import Sizes
from core.topics.architecture.analysis.parts import PartCount, sized_parts

FLOAT = 4  # bytes of a number in float32
COPIES = 4  # of each parameter in training with Adam: weight, gradient and two moments (Kingma & Ba 2015, algorithm 1)
UNGATED, GATED = 2, 4  # tensors of width F kept; of ReLU one, for it can go back from its own output


def kept_bytes(sizes: Sizes, source: int, target: int, batch: int = 1, fused: bool = False) -> dict[str, int]:
    """Return the bytes kept for the backward pass in float32, by the key of a part.

    source, target, batch: `batch` texts of this many tokens in the encoder and in the decoder, two tokens or more.
    fused: whether a kernel computes attention again in the backward pass and keeps one number for each query in place
    of its weights (Dao et al. 2022).

    The loss is the cross-entropy of the logits; an encoder alone keeps nothing for one.
    """
    parts = sized_parts(sizes, source, target)
    return {part.key: _kept(part, sizes, batch, fused) for part in parts}


def _kept(part: PartCount, sizes: Sizes, batch: int, fused: bool) -> int:
    """Return the bytes of one part: numbers of each text, and those that all texts share."""
    outputs = part.steps[-1].numbers
    if part.kind == "norm":  # the input with mean and deviation; RMSNorm is several steps
        numbers = 2 * outputs + part.shape[0] if sizes.norm == "rmsnorm" else outputs + 2 * part.shape[0]
        return FLOAT * batch * numbers
    if part.kind.endswith("attention"):
        return _of_attention(part, sizes, batch, fused)
    rows = part.shape[0] * sizes.d_model
    dropped = rows if sizes.dropout else 0
    hidden = 1 if sizes.activation == "relu" else GATED if sizes.gated else UNGATED
    kept = {
        "embedding": dropped if part.key.endswith(".embed") else 0,
        "feed-forward": rows + hidden * part.steps[0].numbers + dropped,
        "unembedding": rows + outputs,  # its input, and the logarithms of the chances
        "pooler": 2 * outputs,  # the first token's vector, and the tanh of the output
        "class layer": sizes.d_model + outputs,  # the mean of all vectors, and the logarithms of the chances
    }
    return FLOAT * batch * kept.get(part.kind, 0)


def _of_attention(part: PartCount, sizes: Sizes, batch: int, fused: bool) -> int:
    """Return the bytes of an attention.

    They are its input, q, k, v, the weights, among them those of sink logits, and z; the tensors of a score function;
    cos and sin; a causal mask.
    """
    elements = {step.name: step.numbers for step in part.steps}
    queries, rows = part.shape[0], part.steps[-1].numbers
    crosses, inner = part.kind == "cross-attention", sizes.heads * part.shape[0]
    numbers = (
        rows + elements["q"] + elements["k"] + elements["v"] + elements["z"] + (inner if fused else elements["scores"])
    )
    if sizes.sink_logits and not fused:
        numbers += inner
    if crosses and part.layer == 0:  # the encoder's output, which all layers read
        numbers += elements["k"] // (sizes.kv_heads * sizes.key_width) * sizes.d_model
    if sizes.score == "general":
        numbers += elements["q"]
    if sizes.score == "additive":  # tanh of every pair, and each head's v once for every query
        numbers += elements["scores"] * sizes.key_width + (elements["q"] if sizes.heads > 1 else 0)
    numbers += rows if sizes.dropout else 0
    if batch > 1 and sizes.heads > 1:  # W and U, copied for each text
        numbers += {"general": 1, "additive": 2}.get(sizes.score, 0) * sizes.heads * sizes.key_width**2
    shared = 0
    if sizes.positions == "rotary" and not crosses and part.layer == 0:  # for all layers of the stack
        shared += FLOAT * queries * sizes.key_width
    if part.stack == "decoder" and not (crosses or fused):
        shared += queries**2  # a byte for each cell of the mask
    return FLOAT * batch * numbers + shared
