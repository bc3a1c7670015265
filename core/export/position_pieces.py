"""The lines of a script that tell the model where in the text each token is."""

from core.model.config import TransformerConfig
from core.model.positions import alibi_slopes

SINUSOIDS = (
    "def positions(L):",
    '    """Return PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos(…) of section 3.5."""',
    "    scale = {base!r} ** (xp.arange(0, d_model, 2, dtype=xp.float64) / d_model)  # (d_model/2,)",
    "    angle = xp.arange(L)[:, None] / scale  # (L, d_model / 2)",
)
BINARY = (
    "def positions(L):",
    '    """Return the bits of each position, the lowest first."""',
    "    bits = xp.arange(L)[:, None] >> xp.arange({bits}) & 1  # (L, {bits})",
    "    table = xp.zeros((L, d_model), dtype=xp.float32)",
    "    table[:, :{bits}] = xp.asarray(bits, dtype=xp.float32)",
    "    return table",
)


def position_piece(config: TransformerConfig) -> list[str]:
    """Return the definition of `positions`, `rotate`, `alibi` or `relative_bias`, whichever the model uses; or []."""
    match config.positions:
        case "sinusoidal":
            return _sinusoids(config)
        case "binary":
            return [line.format(bits=min(config.d_model, 62)) for line in BINARY]
        case "rotary":
            return _rotary(config)
        case "alibi":
            return _alibi(config)
        case "relative":
            return _relative(config)
    return []


def has_bias(config: TransformerConfig) -> bool:
    """Return whether positions add a bias to the scores."""
    return config.positions in ("alibi", "relative")


def bias_call(config: TransformerConfig, stack: str, length: str) -> str:
    """Return the expression of the bias (H, L, L) in a stack's self-attention."""
    if config.positions == "alibi":
        return f"alibi({length})"
    two_sided = f", two_sided={stack == 'encoder'}" if config.has_two_stacks else ""
    return f'relative_bias("{stack}.relative", {length}{two_sided})'


def _sinusoids(config: TransformerConfig) -> list[str]:
    if config.sinusoids == "halves":
        joined = "xp.concat([xp.sin(angle), xp.cos(angle)], -1)  # all sines before all cosines"
    else:
        joined = "xp.stack([xp.sin(angle), xp.cos(angle)], -1).reshape(L, -1)  # interleaved"
    cut = "[:, :d_model]" * (config.d_model % 2)
    last = f"    return xp.asarray(table{cut}, dtype=xp.float32)  # (L, d_model)"
    return [*(line.format(base=config.position_base) for line in SINUSOIDS), f"    table = {joined}", last]


def _rotary(config: TransformerConfig) -> list[str]:
    """Return `rotate`, which turns pairs of numbers of queries and keys (…, L, d_k) by the angles of their rows."""
    width, whole = config.rotary_dim, config.rotary_dim == config.key_width
    lines = [
        "def rotate(x):",
        '    """Turn pairs of numbers by p · base^(−2i/d_k) at position p (Su et al. 2021, equation 34)."""',
        *_periods(config, width),
        f"    angle = xp.arange(x.shape[-2])[:, None] / scale  # (L, {'d_k / 2' if whole else width // 2})",
        "    cos, sin = (xp.asarray(f(angle), dtype=xp.float32) for f in (xp.cos, xp.sin))",
    ]
    turned = "x" if whole else f"x[..., :{width}]"
    if config.rotary_pairs == "adjacent":
        lines += [
            f"    a, b = {turned}[..., 0::2], {turned}[..., 1::2]  # neighbours are a pair",
            "    turned = xp.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(*x.shape[:-1], -1)",
        ]
    else:
        lines += [
            f"    a, b = x[..., :{width // 2}], x[..., {width // 2}:{width}]  # numbers i of both halves are a pair",
            "    turned = xp.concat([a * cos - b * sin, a * sin + b * cos], -1)",
        ]
    if whole:
        return [*lines[:-1], lines[-1].replace("turned =", "return")]
    return [*lines, f"    return xp.concat([turned, x[..., {width}:]], -1)  # the others stay"]


def _periods(config: TransformerConfig, width: int) -> list[str]:
    base, scaling = config.position_base, config.rotary_scaling
    plain = f"    scale = {base!r} ** (xp.arange(0, {width}, 2, dtype=xp.float64) / {width})"
    if scaling is None:
        return [plain]
    if scaling.kind == "linear":
        return [plain, f"    scale = scale * {scaling.factor!r}  # for longer texts (Chen et al. 2023)"]
    if scaling.kind == "ntk":
        longer = base * scaling.factor ** (width / (width - 2))
        line = plain.replace(f"{base!r}", f"{longer!r}", 1)
        return [line, f"    # the base was {base!r}, and is larger for texts {scaling.factor} times as long"]
    low, high = scaling.low_frequency_factor, scaling.high_frequency_factor
    return [
        plain,
        f"    turns = {scaling.original_length} / (2 * math.pi * scale)  # in the longest text of training",
        f"    kept = ((turns - {low!r}) / {high - low!r}).clip(0, 1)  # 1: turns fast and is kept (Llama Team 2024)",
        f"    scale = scale / (kept + (1 - kept) / {scaling.factor!r})",
    ]


def _alibi(config: TransformerConfig) -> list[str]:
    heads = config.heads
    if heads & (heads - 1) == 0:
        slopes = "    slopes = 2.0 ** (-8 * xp.arange(1, h + 1) / h)"
    else:
        given = ", ".join(f"{slope:.8g}" for slope in alibi_slopes(heads).tolist())
        slopes = f"    slopes = xp.asarray([{given}])"
    return [
        "def alibi(L):",
        '    """Return −slope · distance for each head (Press et al. 2022, section 3)."""',
        slopes,
        "    bias = -slopes[:, None, None] * abs(xp.arange(L)[:, None] - xp.arange(L))  # (h, L, L)",
        "    return xp.asarray(bias, dtype=xp.float32)",
    ]


def _relative(config: TransformerConfig) -> list[str]:
    """Return `relative_bias`; it takes `two_sided` only where a run needs both forms."""
    buckets, most = config.relative_buckets, config.relative_distance
    ahead = f"(step > 0) * {buckets // 2}, abs(step), {buckets // 2}"
    behind = f"0, (-step).clip(0), {buckets}"
    sides = ahead if config.architecture == "encoder" else behind
    if config.has_two_stacks:
        sides = f"({ahead}) if two_sided else ({behind})"
    return [
        f"def relative_bias(name, L{', two_sided' if config.has_two_stacks else ''}):",
        '    """Return what was learnt for each bucket of distances (Raffel et al. 2020, section 2.1)."""',
        "    step = xp.arange(L) - xp.arange(L)[:, None]  # (L, L), from query to key",
        f"    side, far, count = {sides}",
        "    exact = count // 2  # the first distances have a bucket each, further ones share",
        "    log = xp.log(xp.asarray(far.clip(1), dtype=xp.float32) / exact)",
        f"    wide = exact + xp.asarray(log / math.log({most} / exact) * (count - exact), dtype=xp.int64)",
        "    bucket = side + xp.where(far < exact, far, wide.clip(0, count - 1))",
        "    return W[name].mT[:, bucket]  # (h, L, L)",
    ]
