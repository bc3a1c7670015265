"""Well-known models, described by the sizes in their papers and released weights; none of them is built."""

from dataclasses import dataclass, replace

from core.analysis.model_sizes import Sizes


@dataclass(frozen=True)
class KnownModel:
    """A published model.

    published: the number of parameters in its source.
    said: the figure as the source writes it.
    exact: whether that figure counts every number, or is rounded.
    source: the source of the figure and the sizes.
    context: the most tokens that it reads; None if nothing bounds them.
    note: a remark needed to compare it.
    """

    title: str
    sizes: Sizes
    published: int
    said: str
    exact: bool
    source: str
    context: int | None = None
    note: str = ""


def _paper(d_model: int, heads: int, hidden: int) -> Sizes:
    """Return the sizes of a model in Vaswani et al. 2017, table 3.

    Six blocks in each stack, one table of about 37,000 pieces for all.
    """
    width = d_model // heads
    return Sizes(("encoder", "decoder"), 37_000, d_model, 6, heads, heads, width, width, hidden)


def _gpt2(d_model: int, layers: int, heads: int) -> Sizes:
    """Return the sizes of a GPT-2 model (Radford et al. 2019, table 2).

    Norms come first, and positions are a learned table of 1,024 rows.
    """
    width = d_model // heads
    sizes = Sizes(("decoder",), 50_257, d_model, layers, heads, heads, width, width, 4 * d_model)
    return replace(sizes, activation="gelu_tanh", norm_position="pre", final_norm=True, positions="learned", table=1024)


def _bert(d_model: int, layers: int, heads: int) -> Sizes:
    """Return the sizes of a BERT model (Devlin et al. 2019, section 3).

    512 learned positions, two token types, a norm after the embeddings.
    """
    width = d_model // heads
    sizes = Sizes(("encoder",), 30_522, d_model, layers, heads, heads, width, width, 4 * d_model)
    sizes = replace(sizes, activation="gelu", positions="learned", table=512)
    return replace(sizes, token_types=2, embedding_norm=True, pooler=True)


def _llama(vocab_size: int, window: int | None = None) -> Sizes:
    """Return the sizes of Llama 3 8B or Mistral 7B.

    32 heads share 8 heads of keys and values; SwiGLU, RMSNorm, no biases.
    """
    sizes = Sizes(("decoder",), vocab_size, 4096, 32, 32, 8, 128, 128, 14_336, "swiglu")
    sizes = replace(sizes, qkv_bias=False, out_bias=False, ffn_bias=False)
    sizes = replace(sizes, norm="rmsnorm", norm_position="pre", final_norm=True)
    return replace(sizes, positions="rotary", tied=False, window=window)


PAPER = "Vaswani et al. 2017, table 3"
ROUNDED = "The paper gives rounded figures and “about 37,000” pieces; counted here with 37,000."
GPT2 = "released weights; Radford et al. 2019, table 2"
CORRECTED = "The paper's own table says {}: OpenAI corrected it when the weights were released."
BERT = "released weights (uncased); Devlin et al. 2019, section 3"
WITHOUT_HEAD = "Counted with the pooler, and without the layers that guess hidden words, as the weights are."

KNOWN_MODELS: dict[str, KnownModel] = {
    known.title: known
    for known in (
        KnownModel("Transformer base", _paper(512, 8, 2048), 65 * 10**6, "65 million", False, PAPER, note=ROUNDED),
        KnownModel("Transformer big", _paper(1024, 16, 4096), 213 * 10**6, "213 million", False, PAPER, note=ROUNDED),
        KnownModel(
            *("GPT-2 small", _gpt2(768, 12, 12), 124_439_808, "124,439,808", True, GPT2, 1024),
            note=CORRECTED.format("117 million"),
        ),
        KnownModel(
            *("GPT-2 medium", _gpt2(1024, 24, 16), 354_823_168, "354,823,168", True, GPT2, 1024),
            note=CORRECTED.format("345 million"),
        ),
        KnownModel(
            *("GPT-2 large", _gpt2(1280, 36, 20), 774_030_080, "774,030,080", True, GPT2, 1024),
            note=CORRECTED.format("762 million"),
        ),
        KnownModel(
            *("GPT-2 XL", _gpt2(1600, 48, 25), 1_557_611_200, "1,557,611,200", True, GPT2, 1024),
            note=CORRECTED.format("1,542 million"),
        ),
        KnownModel(*("BERT base", _bert(768, 12, 12), 109_482_240, "109,482,240", True, BERT, 512), note=WITHOUT_HEAD),
        KnownModel(
            *("BERT large", _bert(1024, 24, 16), 335_141_888, "335,141,888", True, BERT, 512), note=WITHOUT_HEAD
        ),
        KnownModel(
            *("Llama 3 8B", _llama(128_256), 8_030_261_248, "8,030,261,248", True),
            *("released weights; Llama Team 2024, table 3", 8192),
        ),
        KnownModel(
            *("Mistral 7B", _llama(32_000, window=4096), 7_241_732_096, "7,241,732,096", True),
            *("released weights (v0.1); Jiang et al. 2023, table 1", 8192),
            note="In each layer a token looks back at most 4,096 tokens: so many keys are kept, and counted.",
        ),
    )
}
