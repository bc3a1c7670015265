"""The lines of a script that are the block: norms, attention, feed-forward layer, and how they are joined."""

from core.export.asked import HEAD_SCORES, HEAD_VECTORS, LENS, Asked, forces, switches_off
from core.export.dialect import Dialect
from core.export.literals import WIDTH
from core.export.position_pieces import bias_call, has_bias
from core.model.config import TransformerConfig
from core.topics.shared.places import HeadAddress

ACTIVATIONS = {
    "relu": "ReLU",
    "gelu": "GELU (Hendrycks & Gimpel 2016)",
    "gelu_tanh": "GELU (Hendrycks & Gimpel 2016)",
    "silu": "SiLU",
    "swiglu": "SwiGLU",
    "geglu": "GEGLU",
    "geglu_tanh": "GEGLU",
}


def norm_piece(config: TransformerConfig) -> list[str]:
    """Return the definitions of the norms that the model has; [] if it has none."""
    lines: list[str] = []
    if _has_norms(config) and config.norm == "layernorm":
        bias = ' + W[f"{name}.bias"]' if config.norm_bias else ""
        lines = [
            "def norm(x, name):",
            '    """LayerNorm (Ba et al. 2016): the variance divides by d_model; ε is added under the root."""',
            f"    sigma = xp.sqrt(xp.var(x, -1, keepdims=True, correction=0) + {config.norm_eps!r})  # (L, 1)",
            f'    return (x - x.mean(-1, keepdims=True)) / sigma * W[f"{{name}}.gain"]{bias}  # as x',
        ]
    elif _has_norms(config):
        lines = _rms_norm("norm", config)
    if config.qk_norm and _head_norm(config) == "rms_norm":
        lines += [*["", ""] * bool(lines), *_rms_norm("rms_norm", config)]
    return lines


def uses_erf(config: TransformerConfig) -> bool:
    """Return whether the model's activation is GELU with the error function."""
    return bool(config.hidden_width or config.masked_head) and config.activation in ("gelu", "geglu")


def activation_lines(config: TransformerConfig, dialect: Dialect, name: str, product: str, shape: str) -> list[str]:
    """Return the lines that give a name to the activation of a product.

    shape: what the comment says of it, as "(L, d_ff)".
    """
    if config.activation == "relu":
        return [f"{name} = ({product}).clip(0)  # {shape}"]
    lines = [f"{name} = {product}  # {shape}"]
    if config.activation in ("gelu", "geglu"):
        factor = dialect.erf_call.format(f"{name} / math.sqrt(2)")
        return [*lines, f"{name} = {name} * (1 + {factor}) / 2  # GELU"]
    if config.activation in ("silu", "swiglu"):
        return [*lines, f"{name} = {name} * (1 + xp.tanh({name} / 2)) / 2  # SiLU, y · σ(y)"]
    return [
        *lines,
        f"{name} = {name} * (1 + xp.tanh(math.sqrt(2 / math.pi) * ({name} + 0.044715 * {name}**3))) / 2",
    ]


def attention_piece(asked: Asked, dialect: Dialect) -> list[str]:
    """Return the definition of `attention`, equation 1 of the paper with this run's scores and mask."""
    masked, may_be_empty = asked.is_masked, asked.has_empty_rows
    config = asked.config
    forced = any(forces(edit) for edit in asked.run.edits)
    parameters = [
        *("q", "k", "v"),
        *(["mask"] if masked else []),
        *(["bias"] if has_bias(config) else []),
        *(["name"] if _is_named(asked) else []),
    ]
    lines = [f"def attention({', '.join(parameters)}):", *_scores(config)]
    if asked.draws == HEAD_SCORES:
        lines.append('    SHOWN[f"{name}.scores"] = scores')
    some_open = any(asked.mask(place) is None for place in asked.attentions())
    guard = "    if mask is not None:" if masked and some_open else None
    reads = ["reads = mask | ~mask.any(-1, keepdims=True)  # (Q, K)"] if may_be_empty else []
    seen = "reads" if reads else "mask"
    if masked:
        lines += _guarded(guard, [*reads, f"scores = xp.where({seen}, scores, -math.inf)  # (h, Q, K), −∞: hidden"])
    lines += _softmax(config, dialect)
    if may_be_empty:
        zeros = "pattern = xp.where(mask, pattern, 0.0)  # a row that may attend to nothing is all zeros"
        lines += _guarded(guard, [zeros])
    if forced:
        lines += [
            "    for head, query, weights in FORCED.get(name, ()):  # this run's edit",
            "        pattern[head, query] = xp.asarray(weights)",
        ]
    return [*lines, "    return pattern @ v, pattern  # (h, Q, K) @ (h, K, d_v) → (h, Q, d_v)"]


def multi_head_piece(asked: Asked) -> list[str]:
    """Return the definition of `multi_head` (section 3.2.2 of the paper)."""
    config, masked, bias = asked.config, asked.is_masked, has_bias(asked.config)
    named = _is_named(asked)
    given = f"{', mask' * masked}{', bias' * bias}"
    shared, keys = config.n_kv_heads != config.heads, "memory" if config.has_two_stacks else "x"
    own = "its own W_Q; groups share W_K and W_V" if shared else "its own W_Q, W_K and W_V"
    count = config.n_kv_heads if shared else "h"
    lines = [
        f"def multi_head(x{', memory' * config.has_two_stacks}{given}, name):",
        f'    """Every head has {own}; W_O joins the heads."""',
        f"    q = {_linear('x', 'Q', config.qkv_bias)}  # (Q, d_model) @ (h, d_model, d_k) → (h, Q, d_k)",
        f"    k = {_linear(keys, 'K', config.qkv_bias)}  # ({count}, K, d_k)",
        f"    v = {_linear(keys, 'V', config.qkv_bias)}  # ({count}, K, d_v)",
    ]
    if asked.draws == HEAD_VECTORS:
        lines.append('    SHOWN.update({f"{name}.Q": q, f"{name}.K": k, f"{name}.V": v})')
    if config.qk_norm:
        norm = _head_norm(config)
        lines.append(f'    q, k = {norm}(q, f"{{name}}.norm_q"), {norm}(k, f"{{name}}.norm_k")')
    if config.positions == "rotary" and config.has_two_stacks:
        lines += ["    if x is memory:  # within one text", "        q, k = rotate(q), rotate(k)"]
    elif config.positions == "rotary":
        lines.append("    q, k = rotate(q), rotate(k)  # positions")
    if shared:
        reads = f"[n * {config.n_kv_heads} // h for n in range(h)]"  # `TransformerConfig.kv_head_of`
        lines.append(f"    k, v = (y[{reads}] for y in (k, v))  # (h, K, …): query heads share them")
    lines.append(f"    z, PATTERNS[name] = attention(q, k, v{given}{', name' * named})  # (h, Q, d_v), (h, Q, K)")
    if any(switches_off(edit) for edit in asked.run.edits):
        lines += ["    for head in OFF.get(name, ()):  # this run's edit", "        z[head] = 0  # adds nothing"]
    joined = _linear("xp.concat([*z], -1)", "O", config.out_bias)
    return [*lines, f"    return {joined}  # (Q, h·d_v) → (Q, d_model)"]


def feed_forward_piece(config: TransformerConfig, dialect: Dialect) -> list[str]:
    """Return the definition of `feed_forward` (equation 2 of the paper); [] for blocks with attention only."""
    if not config.hidden_width:
        return []
    title, first = ACTIVATIONS[config.activation], _linear("x", "1", config.ffn_bias)
    gate = [f"    hidden = hidden * ({_linear('x', '3', config.ffn_bias)})  # (L, d_ff)"] if config.gated else []
    about = f"Equation 2: W_2 f(W_1 x), f = {title}, the same at every position."
    if config.gated:
        about = f"{title} in place of equation 2 (Shazeer 2020): (f(x W_1) ⊙ x W_3) W_2."
    return [
        "def feed_forward(x, name):",
        f'    """{about}"""',
        *(f"    {line}" for line in activation_lines(config, dialect, "hidden", first, "(L, d_model) → (L, d_ff)")),
        *gate,
        f"    return {_linear('hidden', '2', config.ffn_bias)}  # (L, d_ff) → (L, d_model)",
    ]


def block_piece(asked: Asked) -> list[str]:
    """Return the definition of `block`: residual lines around attention, cross-attention and feed-forward layer."""
    config, masked = asked.config, asked.is_masked
    given = f"{', mask' * masked}{', bias' * has_bias(config)}"
    cross = f", memory=None{', src_mask=None' * _hides_padding(asked)}" if config.has_two_stacks else ""
    read = f"{'READ, ' * config.has_two_stacks}READ"
    lines = [f"def block(x{given}, name{cross}):", f'    """{_form(config)}"""']
    if config.parallel_residual:
        lines += _parallel(config, f"multi_head({read}{given}, name)")
    else:
        lines += _part(config, f"multi_head({read}{given}, name)", "norm_attn", "    ")
        if config.has_two_stacks:
            lines.append("    if memory is not None:  # the decoder looks at the encoder's output")
            hidden = ", src_mask" if _hides_padding(asked) else ", None" * masked
            shared = f"memory{hidden}{', 0.0' * has_bias(config)}"
            inner = f'multi_head(READ, {shared}, f"{{name}}.cross")'
            lines += _part(config, inner, "norm_cross", "        ")
        if config.hidden_width:
            lines += _part(config, "feed_forward(READ, name)", "norm_ffn", "    ")
    if lines[-1].startswith("    x = "):
        lines[-1] = lines[-1].replace("x =", "return", 1)
    else:
        lines.append("    return x")
    return [*lines[:2], *map(_shaped, lines[2:])]


def stack_lines(asked: Asked, stack: str) -> list[str]:
    """Return the lines that run a stack's blocks over x, under the masks `mask` and `src_mask` if they exist."""
    config = asked.config
    allowed, own = asked.mask(HeadAddress(stack)), mask_name(config, stack)
    if asked.windows and stack == "decoder":
        assert allowed is not None
        own = "j > i - WINDOWS[n]" if allowed.all() else f"{own} & (j > i - WINDOWS[n])"
    elif allowed is None:
        own = "None"
    given = f"{f', {own}' * asked.is_masked}{', bias' * has_bias(config)}"
    memory = ""
    if stack == "decoder" and config.has_two_stacks:
        memory = ", memory" + ", src_mask" * _hides_padding(asked)
    lines = [f"bias = {bias_call(config, stack, 'len(x)')}"] if has_bias(config) else []
    lines += [f"for n in range({config.depth(stack)}):", f'    x = block(x{given}, f"{stack}.{{n}}"{memory})']
    if asked.draws == LENS and stack == "decoder":
        each = "xp.stack(streams)"
        each = f'norm({each}, "{stack}.norm")' if config.ends_with_norm else each
        lines = ["streams = [x]  # the embedding, then x after each layer", *lines, "    streams.append(x)"]
        return [*lines, f"x = {each}  # (N + 1, L, d_model)"]
    made = f'norm(x, "{stack}.norm")' if config.ends_with_norm else "x"
    if stack == "encoder" and config.has_two_stacks:
        return [*lines, f"memory = {made}  # (S, d_model): what the decoder looks at"]
    return lines if made == "x" else [*lines, f"x = {made}  # (L, d_model)"]


def _scores(config: TransformerConfig) -> list[str]:
    bias = " + bias" * has_bias(config)
    match config.score:
        case "general":
            text = f'q @ W[f"{{name}}.W_a"] @ k.mT{bias}  # (h, Q, K), Luong et al. 2015, "general"'
        case "additive":
            return [
                '    """Additive scores v_aᵀ tanh(W_a q + U_a k) (Bahdanau et al. 2015); softmax(scores) @ v."""',
                '    w_q = (q @ W[f"{name}.W_a"])[:, :, None]  # (h, Q, 1, d_k)',
                '    u_k = (k @ W[f"{name}.U_a"])[:, None]  # (h, 1, K, d_k)',
                f'    scores = (xp.tanh(w_q + u_k) @ W[f"{{name}}.v_a"][:, None])[..., 0]{bias}  # (h, Q, K)',
            ]
        case "dot":
            text = f"q @ k.mT{bias}  # (h, Q, d_k) @ (h, d_k, K) → (h, Q, K)"
        case _:
            text = f"q @ k.mT / math.sqrt(d_k){bias}  # (h, Q, d_k) @ (h, d_k, K) → (h, Q, K)"
    formula = {"general": "softmax(qᵀ W k) v", "dot": "softmax(q kᵀ) v, unscaled"}
    about = formula.get(config.score, "Equation 1: softmax(q kᵀ / √d_k) v")
    return [f'    """{about}; queries are rows, keys are columns."""', f"    scores = {text}"]


def _softmax(config: TransformerConfig, dialect: Dialect) -> list[str]:
    if not config.sink_logits:
        return [f"    pattern = {dialect.softmax_call.format('scores')}  # (h, Q, K), each row sums to 1"]
    together = dialect.softmax_call.format("xp.concat([scores, sink], -1)")
    return [
        '    sink = xp.broadcast_to(W[f"{name}.sink"], (*scores.shape[:2], 1))  # (h, Q, 1)',
        f"    pattern = {together}  # (h, Q, K + 1)",
        "    pattern = xp.concat([pattern[..., :-1]], -1)  # (h, Q, K), rows sum to less than 1",
    ]


def _is_named(asked: Asked) -> bool:
    """Return whether `attention` reads or keeps something of its own layer."""
    config = asked.config
    kept = asked.draws == HEAD_SCORES or any(forces(edit) for edit in asked.run.edits)
    return kept or config.sink_logits or config.score in ("general", "additive")


def _shaped(line: str) -> str:
    """Return a line that computes x or y with its shape, if there is room for it."""
    said = f"{line}  # (L, d_model)"
    return said if "(" in line and "#" not in line and len(said) <= WIDTH else line


def _guarded(guard: str | None, lines: list[str]) -> list[str]:
    if guard is None:
        return [f"    {line}" for line in lines]
    return [guard, *(f"        {line}" for line in lines)]


def _linear(x: str, letter: str, bias: bool) -> str:
    return f'{x} @ W[f"{{name}}.W_{letter}"]' + (f' + W[f"{{name}}.b_{letter}"]' if bias else "")


def _head_norm(config: TransformerConfig) -> str:
    """Return the name of the function that normalises queries and keys."""
    return "norm" if config.norm == "rmsnorm" and _has_norms(config) else "rms_norm"


def _rms_norm(name: str, config: TransformerConfig) -> list[str]:
    return [
        f"def {name}(x, name):",
        '    """RMSNorm (Zhang & Sennrich 2019)."""',
        f'    return x / xp.sqrt((x**2).mean(-1, keepdims=True) + {config.norm_eps!r}) * W[f"{{name}}.gain"]  # as x',
    ]


def mask_name(config: TransformerConfig, stack: str) -> str:
    """Return the name of the mask of a stack's self-attention; that of an encoder before a decoder hides padding."""
    return "src_mask" if config.has_two_stacks and stack == "encoder" else "mask"


def _hides_padding(asked: Asked) -> bool:
    """Return whether the decoder does not look at the padding of the encoder's text."""
    return asked.config.has_two_stacks and asked.mask(HeadAddress("decoder", cross=True)) is not None


def _has_norms(config: TransformerConfig) -> bool:
    return config.norm_position != "none" or config.ends_with_norm or config.embedding_norm or config.masked_head


def _form(config: TransformerConfig) -> str:
    if config.parallel_residual:
        return "Both parts read the same x, and both are added to it."
    f = "x + f(x)" if config.residual else "f(x)"
    match config.norm_position:
        case "pre":
            return f"Pre-norm: x ← {f.replace('f(x)', 'f(norm(x))')} for each part f (Xiong et al. 2020)."
        case "post":
            return f"Post-norm, as in the paper: x ← norm({f}) for each part f."
    return f"x ← {f} for each part f; there are no norms."


def _part(config: TransformerConfig, call: str, norm: str, indent: str) -> list[str]:
    """Return the lines of one part of a block. call: its expression, with READ for what it reads."""
    add = "x + " if config.residual else ""
    match config.norm_position:
        case "pre":
            normed = f'norm(x, f"{{name}}.{norm}")'
            if call.count("READ") == 1:
                return [f"{indent}x = {add}{call.replace('READ', normed)}"]
            return [f"{indent}y = {normed}", f"{indent}x = {add}{call.replace('READ', 'y')}"]
        case "post":
            return [f'{indent}x = norm({add}{call.replace("READ", "x")}, f"{{name}}.{norm}")']
    return [f"{indent}x = {add}{call.replace('READ', 'x')}"]


def _parallel(config: TransformerConfig, attend: str) -> list[str]:
    """Return the lines of a block whose two parts read the same. attend: as the `call` of `_part`."""
    pre = config.norm_position == "pre"
    attend = attend.replace("READ", 'norm(x, f"{name}.norm_attn")' if pre else "x")
    if not config.hidden_width:
        return [f"    x = x + {attend}"]
    fed = 'norm(x, f"{name}.norm_ffn")' if pre else "x"
    return [f"    attended = {attend}", f"    x = x + attended + feed_forward({fed}, name)"]
