"""The lines of a script that are the block: norms, attention, feed-forward layer, and how they are joined."""

from core.export.asked import Asked, forces, switches_off
from core.export.dialect import Dialect
from core.export.position_pieces import bias_call, has_bias
from core.model.config import TransformerConfig
from core.topics.shared.places import HeadAddress

ACTIVATIONS = {
    "relu": ("{}.clip(0)", "ReLU"),
    "gelu": ("gelu({})", "GELU"),
    "gelu_tanh": ("gelu({})", "GELU"),
    "silu": ("silu({})", "SiLU"),
    "swiglu": ("silu({})", "SwiGLU"),
    "geglu": ("gelu({})", "GEGLU"),
    "geglu_tanh": ("gelu({})", "GEGLU"),
}


def norm_piece(config: TransformerConfig) -> list[str]:
    """Return the definitions of the norms that the model has; [] if it has none."""
    lines: list[str] = []
    if _has_norms(config) and config.norm == "layernorm":
        bias = ' + W[f"{name}.bias"]' if config.norm_bias else ""
        lines = [
            "def norm(x, name):",
            '    """LayerNorm (Ba et al. 2016): the variance divides by d_model; ε is added under the root."""',
            "    mean = x.mean(-1, keepdims=True)",
            "    variance = ((x - mean) ** 2).mean(-1, keepdims=True)",
            f"    x = (x - mean) / xp.sqrt(variance + {config.norm_eps!r})",
            f'    return x * W[f"{{name}}.gain"]{bias}',
        ]
    elif _has_norms(config):
        lines = _rms_norm("norm", config)
    return [*lines, "", "", *_rms_norm("rms_norm", config)] if config.qk_norm else lines


def activation_piece(config: TransformerConfig, dialect: Dialect) -> list[str]:
    """Return the definition of GELU or SiLU if the model has one of them."""
    if not (config.hidden_width or config.masked_head):
        return []
    if config.activation in ("gelu", "geglu"):
        erf = "torch.erf" if dialect.key == "torch" else "erf"
        head = [*dialect.erf, "", ""] if dialect.erf else []
        about = f"    return x * (1 + {erf}(x / math.sqrt(2))) / 2  # Hendrycks & Gimpel 2016"
        return [*head, "def gelu(x):", about]
    if config.activation.endswith("gelu_tanh") or config.activation == "geglu_tanh":
        inner = "    root = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)  # Hendrycks & Gimpel 2016, section 2"
        return ["def gelu(x):", inner, "    return x * (1 + xp.tanh(root)) / 2"]
    if config.activation in ("silu", "swiglu"):
        return ["def silu(x):", "    return x * (1 + xp.tanh(x / 2)) / 2  # x · σ(x)"]
    return []


def attention_piece(asked: Asked, dialect: Dialect) -> list[str]:
    """Return the definition of `attention`, equation 1 of the paper with this run's scores and mask."""
    masked, may_be_empty = asked.is_masked, asked.has_empty_rows
    config = asked.config
    forced = any(forces(edit) for edit in asked.run.edits)
    parameters = [
        *("q", "k", "v"),
        *(["mask"] if masked else []),
        *(["bias"] if has_bias(config) else []),
        *(["name"] if forced or config.score in ("general", "additive") else []),
    ]
    lines = [f"def attention({', '.join(parameters)}):", *_scores(config)]
    if has_bias(config):
        lines.append("    scores = scores + bias  # what the distance adds")
    some_open = any(asked.mask(place) is None for place in asked.attentions())
    guard = "    if mask is not None:" if masked and some_open else None
    fill = "scores = xp.where(mask{}, scores, -math.inf)  # hidden keys: −∞ before the softmax"
    empty = " | ~mask.any(-1, keepdims=True)" if may_be_empty else ""
    fill = fill.format(empty)
    if len(fill) > 90:
        fill = "reads = mask | ~mask.any(-1, keepdims=True)\nscores = xp.where(reads, scores, -math.inf)  # −∞: hidden"
    if masked:
        lines += _guarded(guard, fill.split("\n"))
    lines.append(f"    pattern = {dialect.softmax_call.format('scores')}  # (h, Q, K), each row sums to 1")
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
    """Return the definitions of `split` and `multi_head` (section 3.2.2 of the paper)."""
    config, masked = asked.config, asked.is_masked
    bias, forced = has_bias(config), any(forces(edit) for edit in asked.run.edits)
    named = forced or config.score in ("general", "additive")
    given = f"q, k, v{', mask' * masked}{', bias' * bias}{', name' * named}"
    keys = config.n_kv_heads
    count = "h" if keys == config.heads else str(keys)
    own = "Every head has its own W_Q, W_K and W_V"
    if keys != config.heads:
        own = "Every head has its own W_Q; groups of heads share W_K and W_V"
    lines = [
        "def split(x, heads):",
        "    return x.reshape(len(x), heads, -1).swapaxes(0, 1)  # (L, heads · d) → (heads, L, d)",
        "",
        "",
        f"def multi_head(x, memory{', mask' * masked}{', bias' * bias}, name):",
        f'    """{own}; W_O joins them to (Q, d_model)."""',
        *(
            f"    {letter.lower()} = split({_linear('x' if letter == 'Q' else 'memory', letter, config.qkv_bias)}, {n})"
            for letter, n in (("Q", "h"), ("K", count), ("V", count))
        ),
    ]
    if config.qk_norm:
        lines.append('    q, k = rms_norm(q, f"{name}.norm_q"), rms_norm(k, f"{name}.norm_k")')
    if config.positions == "rotary" and config.has_two_stacks:
        lines += ["    if x is memory:  # within one text", "        q, k = rotate(q), rotate(k)"]
    elif config.positions == "rotary":
        lines.append("    q, k = rotate(q), rotate(k)  # positions")
    if keys != config.heads:
        reads = [config.kv_head_of(head) for head in range(config.heads)]
        lines.append(f"    k, v = k[{reads}], v[{reads}]  # query heads share keys and values")
    lines.append(f"    z, PATTERNS[name] = attention({given})  # (h, Q, d_v), (h, Q, K)")
    if any(switches_off(edit) for edit in asked.run.edits):
        lines += ["    for head in OFF.get(name, ()):  # this run's edit", "        z[head] = 0  # adds nothing"]
    return [
        *lines,
        f"    return {_linear('z.swapaxes(0, 1).reshape(len(x), -1)', 'O', config.out_bias)}",
    ]


def feed_forward_piece(config: TransformerConfig) -> list[str]:
    """Return the definition of `feed_forward` (equation 2 of the paper); [] for blocks with attention only."""
    if not config.hidden_width:
        return []
    form, title = ACTIVATIONS[config.activation]
    first = _linear("x", "1", config.ffn_bias)
    hidden = form.format(f"({first})" if form.startswith("{}.") else first)
    gate = ["    hidden = hidden * ({})".format(_linear("x", "3", config.ffn_bias))] if config.gated else []
    about = f"Equation 2, W_2 f(W_1 x) with f of {title}: the same at every position."
    if config.gated:
        about = f"{title} in place of equation 2 (Shazeer 2020): (f(x W_1) ⊙ x W_3) W_2."
    return [
        "def feed_forward(x, name):",
        f'    """{about}"""',
        f"    hidden = {hidden}  # (L, d_model) → (L, d_ff)",
        *gate,
        f"    return {_linear('hidden', '2', config.ffn_bias)}  # (L, d_ff) → (L, d_model)",
    ]


def block_piece(asked: Asked) -> list[str]:
    """Return the definition of `block`: residual lines around attention, cross-attention and feed-forward layer."""
    config, masked = asked.config, asked.is_masked
    given = f"{', mask' * masked}{', bias' * has_bias(config)}"
    cross = f", memory=None{', cross_mask=None' * _hides_in_cross(asked)}" if config.has_two_stacks else ""
    lines = [f"def block(x{given}, name{cross}):", f'    """{_form(config)}"""']
    if config.parallel_residual:
        lines += _parallel(config, given)
    else:
        lines += _part(config, f"multi_head(READ, READ{given}, name)", "norm_attn", "    ")
        if config.has_two_stacks:
            lines.append("    if memory is not None:  # the decoder looks at the encoder's output")
            hidden = ", cross_mask" if _hides_in_cross(asked) else ", None" * masked
            shared = f"memory{hidden}{', 0.0' * has_bias(config)}"
            inner = f'multi_head(READ, {shared}, f"{{name}}.cross")'
            lines += _part(config, inner, "norm_cross", "        ")
        if config.hidden_width:
            lines += _part(config, "feed_forward(READ, name)", "norm_ffn", "    ")
    if lines[-1].startswith("    x = "):
        return [*lines[:-1], lines[-1].replace("x =", "return", 1)]
    return [*lines, "    return x"]


def stack_lines(asked: Asked, stack: str) -> list[str]:
    """Return the lines that run a stack's blocks over x, under the masks `mask` and `cross_mask` if they exist."""
    config = asked.config
    own = "None" if asked.mask(HeadAddress(stack)) is None else "mask"
    if asked.windows and stack == "decoder":
        own += " & (j > i - WINDOWS[n])"
    given = f"{f', {own}' * asked.is_masked}{', bias' * has_bias(config)}"
    memory = ""
    if stack == "decoder" and config.has_two_stacks:
        memory = ", memory" + ", cross_mask" * _hides_in_cross(asked)
    lines = [f"bias = {bias_call(config, stack, 'len(x)')}"] if has_bias(config) else []
    lines += [f"for n in range({config.depth(stack)}):", f'    x = block(x{given}, f"{stack}.{{n}}"{memory})']
    made = f'norm(x, "{stack}.norm")' if config.ends_with_norm else "x"
    if stack == "encoder" and config.has_two_stacks:
        return [*lines, f"memory = {made}  # (S, d_model): what the decoder looks at"]
    return lines if made == "x" else [*lines, f"x = {made}"]


def _scores(config: TransformerConfig) -> list[str]:
    match config.score:
        case "general":
            text = 'q @ W[f"{name}.W_a"] @ k.mT  # (h, Q, K), Luong et al. 2015, "general"'
        case "additive":
            return [
                '    """Additive scores v_aᵀ tanh(W_a q + U_a k) (Bahdanau et al. 2015); softmax(scores) @ v."""',
                '    w_q = (q @ W[f"{name}.W_a"])[:, :, None]  # (h, Q, 1, d_k)',
                '    u_k = (k @ W[f"{name}.U_a"])[:, None]  # (h, 1, K, d_k)',
                '    scores = (xp.tanh(w_q + u_k) @ W[f"{name}.v_a"][:, None])[..., 0]  # (h, Q, K)',
            ]
        case "dot":
            text = "q @ k.mT  # (h, Q, d_k) @ (h, d_k, K) → (h, Q, K)"
        case _:
            text = "q @ k.mT / math.sqrt(d_k)  # (h, Q, d_k) @ (h, d_k, K) → (h, Q, K)"
    formula = {"general": "softmax(qᵀ W k) v", "dot": "softmax(q kᵀ) v, unscaled"}
    about = formula.get(config.score, "Equation 1: softmax(q kᵀ / √d_k) v")
    return [f'    """{about}; queries are rows, keys are columns."""', f"    scores = {text}"]


def _guarded(guard: str | None, lines: list[str]) -> list[str]:
    if guard is None:
        return [f"    {line}" for line in lines]
    return [guard, *(f"        {line}" for line in lines)]


def _linear(x: str, letter: str, bias: bool) -> str:
    return f'{x} @ W[f"{{name}}.W_{letter}"]' + (f' + W[f"{{name}}.b_{letter}"]' if bias else "")


def _rms_norm(name: str, config: TransformerConfig) -> list[str]:
    return [
        f"def {name}(x, name):",
        '    """RMSNorm (Zhang & Sennrich 2019)."""',
        f"    root = xp.sqrt((x**2).mean(-1, keepdims=True) + {config.norm_eps!r})",
        '    return x / root * W[f"{name}.gain"]',
    ]


def _hides_in_cross(asked: Asked) -> bool:
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


def _parallel(config: TransformerConfig, given: str) -> list[str]:
    pre = config.norm_position == "pre"
    lines = ['    y = norm(x, f"{name}.norm_attn")'] if pre else []
    read = "y" if pre else "x"
    lines.append(f"    attended = multi_head({read}, {read}{given}, name)")
    if not config.hidden_width:
        return [*lines, "    x = x + attended"]
    fed = 'norm(x, f"{name}.norm_ffn")' if pre else "x"
    return [*lines, f"    x = x + attended + feed_forward({fed}, name)"]
