"""Scripts of the recurrent translators: where the one with attention looks, and what the other keeps of a sentence."""

from collections.abc import Iterator
from functools import partial

from torch import Tensor

from core.checkpoints.card import Card
from core.export.caption import quoted_text
from core.export.card_files import card_files
from core.export.figure_pieces import CELL_POINTS, fitted_labels
from core.export.literals import assigned
from core.export.names import weights_file
from core.export.script_parts import WEIGHTS, ScriptParts
from core.model.recurrent import GRUCell, Recurrent
from core.text.special import BOS
from core.topics.sequence_to_sequence.records import Passage
from core.tracing.run import TokenRow

SIGMOID = (
    "def sigmoid(x):",
    "    return (1 + xp.tanh(x / 2)) / 2  # = 1 / (1 + e^−x), but no power overflows",
)
GRU = (
    "def gru(name, x, h):",
    '    """Return the next state (U,) of a gated recurrent unit, in the form of nn.GRU in PyTorch."""',
    '    r = sigmoid(linear(f"{name}.W_r", x) + linear(f"{name}.U_r", h))  # the reset gate',
    '    z = sigmoid(linear(f"{name}.W_z", x) + linear(f"{name}.U_z", h))  # the update gate',
    '    n = xp.tanh(linear(f"{name}.W_n", x) + r * linear(f"{name}.U_n", h))  # the candidate',
    "    return (1 - z) * n + z * h",
)
LINEAR = (
    "def linear(name, x):",
    '    return x @ W[name] + W[f"{name}.b"]',
)
READ = (
    "def read(name, ids):",
    '    """Return the states after each token, a list of (U,)."""',
    "    states = [xp.zeros(units, dtype=xp.float32)]",
    "    for x in embed(ids):",
    "        states.append(gru(name, x, states[-1]))",
    "    return states[1:]",
)
EMBED = (
    "def embed(ids):",
    '    return W["E"][ids] * math.sqrt(d_model)  # as in Vaswani et al. 2017, section 3.4',
)
ATTEND = (
    "def attend(s, h, keys):",
    '    """Return the context (2U,) and the weights (S,), as in Bahdanau et al. 2015."""',
    '    e = xp.tanh(s @ W["W_a"] + keys) @ W["v_a"]  # e = vᵀ tanh(W s + U h + b), (S,)',
    "    a = xp.exp(e - e.max())",
    "    a = a / a.sum()",
    "    return a @ h, a",
)
ENCODE_BOTH = (
    'forwards = read("forwards", SOURCE_IDS)',
    'backwards = read("backwards", SOURCE_IDS[::-1])[::-1]  # back in the order of the text',
    "h = xp.concat([xp.stack(forwards), xp.stack(backwards)], -1)  # (S, 2U)",
    'keys = linear("U_a", h)  # (S, A)',
    's = xp.tanh(linear("W_s", backwards[0]))  # the first state of the decoder',
    "pattern, states = [], []",
    "for y in embed([START, *WRITTEN_IDS[:-1]]):  # the decoder reads its translation, one token late",
    "    context, a = attend(s, h, keys)",
    '    s = gru("decoder", xp.concat([y, context]), s)',
    "    pattern.append(a)",
    "    states.append(s)",
    "pattern, states = xp.stack(pattern), xp.stack(states)  # (T, S), (T, U)",
)
SHOW_PATTERN = (
    "print(CAPTION)",
    "for token, row in zip(WRITTEN, pattern.tolist(), strict=True):",
    '    print(f"{token:>14}", " ".join(f"{weight:.3f}" for weight in row))',
)
DRAW_PATTERN = (
    'image = axes.imshow(pattern.tolist(), cmap="RdPu", vmin=0, vmax=1, aspect="auto")',
    'figure.colorbar(image, label="attention weight")',
    "axes.set_xticks(range(len(SOURCE)), SOURCE, rotation=90)",
    "axes.set_yticks(range(len(WRITTEN)), WRITTEN)",
    'axes.set(xlabel="read (keys)", ylabel="written (queries): each row sums to 1")',
)
SHOW_STATES = (
    'states = xp.stack(read("forwards", SOURCE_IDS))  # (S, U)',
    "last = states[-1]  # all that the decoder gets of the sentence",
    "lengths = (states**2).sum(-1) ** 0.5",
    "cosines = states @ last / (lengths * lengths[-1])  # (S,)",
    "print(CAPTION)",
    "for token, cosine in zip(SOURCE, cosines.tolist(), strict=True):",
    '    print(f"{token:>14} {cosine:.3f}")',
)
DRAW_STATES = (
    'image = axes.imshow(states.tolist(), cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")',
    'figure.colorbar(image, label="value")',
    "axes.set_yticks(range(len(SOURCE)), SOURCE)",
    'axes.set(xlabel="numbers of the state, from 0", ylabel="after reading")',
)


def alignment_script(model: Recurrent, card: Card, text: str, source: TokenRow, passage: Passage) -> ScriptParts:
    """Return the script of the additive attention with which a sentence was translated.

    model: one of kind "attention". text, source: the sentence and its tokens. passage: what the model wrote.
    """
    return ScriptParts(
        title=f"Where {card.name} looks while it writes a translation",
        caption=f"Additive attention (Bahdanau et al. 2015) of {card.name}, which translates {quoted_text(text)} as "
        f"{quoted_text(passage.text)}: rows are the tokens that it writes, columns those that it reads; each row sums "
        "to 1. Computed with Attention Explorer.",
        prints="the attention weights of each token that the model wrote",
        facts=(
            "# Shapes: S tokens read, T tokens written, U numbers of a state, A of a key.",
            *_facts(model, source),
            *assigned("WRITTEN", passage.pieces),
            *assigned("WRITTEN_IDS", passage.ids),
            f"START = {BOS}  # the id of the start token",
        ),
        definitions=(SIGMOID, LINEAR, GRU, EMBED, READ, ATTEND),
        computed=(*ENCODE_BOTH, *SHOW_PATTERN),
        saved='{"pattern": pattern, "states": states}',
        drawn=DRAW_PATTERN,
        fitted=(fitted_labels("SOURCE", "WRITTEN"),),
        exercise="Add the line `e = e / 4` below the first one of `attend` and run all cells again. Do the rows of the "
        "figure get sharper or flatter, and why?",
        reads_weights=True,
        files=partial(_files, model, card),
    )


def states_script(model: Recurrent, card: Card, text: str, source: TokenRow) -> ScriptParts:
    """Return the script of the states that an encoder makes of a sentence, and how alike each is to the last one."""
    return ScriptParts(
        title=f"What {card.name} keeps of a sentence",
        caption=f"States of the encoder of {card.name} (a gated recurrent unit, Cho et al. 2014), reading "
        f"{quoted_text(text)}: rows are the tokens that it reads, columns the numbers of the state after each. What is "
        "printed is the cosine of each state with the last one. Computed with Attention Explorer.",
        prints="the cosine of each state with the last one, which is all that the decoder gets",
        facts=("# Shapes: S tokens read, U numbers of a state.", *_facts(model, source)),
        definitions=(SIGMOID, LINEAR, GRU, EMBED, READ),
        computed=SHOW_STATES,
        saved='{"states": states, "cosines": cosines}',
        drawn=DRAW_STATES,
        fitted=(f'    axes.tick_params(axis="y", labelsize=min(size, {CELL_POINTS} * height / len(SOURCE)))',),
        exercise="Swap the first two entries of `SOURCE_IDS` and of `SOURCE` and run all cells again. Which of the "
        "printed cosines change most?",
        reads_weights=True,
        files=partial(_files, model, card),
    )


def recurrent_weights(model: Recurrent) -> dict[str, Tensor]:
    """Return the weights by their names in the scripts; all matrices stand as in x @ W, and NAME.b is the bias of NAME.

    E (V, d_model): the embedding table.
    forwards, backwards, decoder: of each GRU .W_r, .W_z, .W_n of its input, and .U_r, .U_z, .U_n of its state.
    W_a (U, A), U_a (2U, A), v_a (A,): of the attention. W_s: of the decoder's first state.
    """
    named = {"E": model.embed.weight} | _linear("W_s", model.start.weight, model.start.bias)
    for name in ("forwards", "backwards", "decoder"):
        if isinstance(cell := getattr(model, name, None), GRUCell):
            named |= _gru(name, cell)
    if model.config.kind == "attention":
        attend = model.attend
        named |= {"W_a": attend.w.weight.T, "v_a": attend.v.weight[0]}
        named |= _linear("U_a", attend.u.weight, attend.u.bias)
    return {name: value.detach().float().cpu() for name, value in named.items()}


def _linear(name: str, weight: Tensor, bias: Tensor) -> dict[str, Tensor]:
    return {name: weight.T, f"{name}.b": bias}


def _gru(name: str, cell: GRUCell) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for linear, letter in ((cell.w, "W"), (cell.u, "U")):
        for gate, weight, bias in zip("rzn", linear.weight.chunk(3), linear.bias.chunk(3), strict=True):
            found |= _linear(f"{name}.{letter}_{gate}", weight, bias)
    return found


def _facts(model: Recurrent, source: TokenRow) -> list[str]:
    config = model.config
    return [
        f"d_model, units = {config.d_model}, {config.units}",
        *assigned("SOURCE", source.pieces),
        *assigned("SOURCE_IDS", source.ids),
    ]


def _files(model: Recurrent, card: Card) -> Iterator[tuple[str, bytes]]:
    yield from card_files(card)
    yield WEIGHTS, weights_file(recurrent_weights(model))
