"""Known models, counted without building: against their published totals, and against modules written out here."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from core.analysis.kv_costs import kept_numbers
from core.topics.architecture.analysis.known_models import KNOWN_MODELS
from core.topics.architecture.analysis.parts import sized_parts


def counted(title):
    return sum(part.parameters for part in sized_parts(KNOWN_MODELS[title].sizes, 5, 7))


@pytest.mark.parametrize("title", [title for title, known in KNOWN_MODELS.items() if known.exact])
def test_the_total_is_the_published_one(title):
    assert counted(title) == KNOWN_MODELS[title].published == int(KNOWN_MODELS[title].said.replace(",", ""))


@pytest.mark.parametrize(("title", "published", "counts"), [("base", 65, 63.08), ("big", 213, 214.25)])
def test_the_papers_rounded_figures_are_near(title, published, counts):
    known = KNOWN_MODELS[f"Transformer {title}"]
    assert known.published == published * 10**6 and known.said == f"{published} million"
    assert counted(known.title) / 1e6 == pytest.approx(counts, abs=0.005)
    assert counted(known.title) == pytest.approx(known.published, rel=0.03)


def written_out(title):
    """The module, on the meta device, by PyTorch's own layers."""
    sizes = KNOWN_MODELS[title].sizes
    shape = (sizes.d_model, sizes.heads, sizes.hidden)
    if title.startswith("Transformer"):
        stacks = nn.Transformer(shape[0], shape[1], sizes.layers, sizes.layers, shape[2])
        stacks.encoder.norm = stacks.decoder.norm = None  # PyTorch adds a last norm that the paper does not have
        return nn.ModuleList([nn.Embedding(37_000, shape[0]), stacks])
    block = nn.TransformerEncoderLayer(*shape)
    stack = nn.TransformerEncoder(block, sizes.layers, enable_nested_tensor=False)
    if title.startswith("GPT-2"):
        return nn.ModuleList([nn.Embedding(50_257, shape[0]), nn.Embedding(1024, shape[0]), stack, norm(shape[0])])
    tables = [nn.Embedding(rows, shape[0]) for rows in (30_522, 512, 2)]
    return nn.ModuleList([*tables, norm(shape[0]), stack, nn.Linear(shape[0], shape[0])])


def norm(width):
    return nn.LayerNorm(width)


class Grouped(nn.Module):
    """A block of Llama and Mistral: 32 heads of queries, 8 of keys and values, no biases."""

    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList([nn.RMSNorm(4096), nn.RMSNorm(4096)])
        self.q, self.o = (nn.Linear(4096, 4096, bias=False) for _ in range(2))
        self.k, self.v = (nn.Linear(4096, 8 * 128, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(4096, 14_336, bias=False) for _ in range(2))
        self.down = nn.Linear(14_336, 4096, bias=False)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("title", [*(each for each in KNOWN_MODELS if not each.startswith(("Llama", "Mistral")))])
def test_the_total_is_that_of_pytorchs_own_layers(title):
    with torch.device("meta"):
        module = written_out(title)
    assert counted(title) == sum(each.numel() for each in module.parameters())


@pytest.mark.parametrize(("title", "pieces"), [("Llama 3 8B", 128_256), ("Mistral 7B", 32_000)])
def test_a_model_of_grouped_queries_part_by_part(title, pieces):
    with torch.device("meta"):
        block, table = Grouped(), nn.Embedding(pieces, 4096)
    parts = {part.key: part.parameters for part in sized_parts(KNOWN_MODELS[title].sizes, 0, 7)}
    assert parts["decoder.embed"] == parts["logits"] == table.weight.numel()
    assert parts["decoder.31.attn"] == sum(each.weight.numel() for each in (block.q, block.k, block.v, block.o))
    assert parts["decoder.31.ffn"] == sum(each.weight.numel() for each in (block.gate, block.up, block.down))
    assert parts["decoder.0.norm_attn"] == parts["decoder.final"] == 4096 and "decoder.pos" not in parts
    assert len(parts) == 3 + 32 * 4


def test_multiply_adds_of_a_block_of_grouped_queries_are_those_that_torch_counts():
    """Seven tokens: queries of 32 heads against keys and values of 8, each repeated four times."""
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        block, x = Grouped(), torch.empty(7, 4096)
        q, k, v = (each(x).unflatten(-1, (-1, 128)).transpose(0, 1) for each in (block.q, block.k, block.v))
        k, v = (each.repeat_interleave(4, dim=0) for each in (k, v))  # (H, L, E)
        block.o((q @ k.transpose(1, 2) @ v).transpose(0, 1).flatten(1))
        block.down(block.gate(x) * block.up(x))
    parts = [part for part in sized_parts(KNOWN_MODELS["Llama 3 8B"].sizes, 0, 7) if part.layer == 0]
    assert sum(part.multiply_adds for part in parts) == counter.get_total_flops() // 2


@pytest.mark.parametrize("title", KNOWN_MODELS)
def test_heads_are_as_wide_as_their_papers_say(title):
    sizes, width = KNOWN_MODELS[title].sizes, 128 if title.startswith(("Llama", "Mistral")) else 64
    assert sizes.heads * width == sizes.d_model and sizes.key_width == sizes.value_width == width


def test_a_query_of_mistral_meets_no_more_keys_than_its_window():
    mixed = {}
    for length in (4096, 8192):
        parts = {part.key: part for part in sized_parts(KNOWN_MODELS["Mistral 7B"].sizes, 0, length)}
        mixed[length] = next(step for step in parts["decoder.0.attn"].steps if step.name == "z").multiply_adds
    assert mixed == {4096: 4096 * 4096 * 4096, 8192: 8192 * 4096 * 4096}


def test_keys_and_values_that_are_kept():
    """32 layers of 8 heads of 128 + 128 numbers a token; Mistral forgets those that no query meets any more."""
    row = 32 * 8 * 256
    assert [kept_numbers(KNOWN_MODELS["Llama 3 8B"].sizes, each) for each in (1, 8192)] == [row, 8192 * row]
    assert [kept_numbers(KNOWN_MODELS["Mistral 7B"].sizes, each) for each in (4096, 8192)] == [4096 * row, 4096 * row]
