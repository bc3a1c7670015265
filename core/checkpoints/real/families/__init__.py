"""The families that can be read, by their ``model_type``."""

from core.checkpoints.real.families.bert import BERT
from core.checkpoints.real.families.distilbert import DISTILBERT
from core.checkpoints.real.families.gpt2 import GPT2
from core.checkpoints.real.families.gpt_neox import GPT_NEOX
from core.checkpoints.real.families.llama import LLAMA
from core.checkpoints.real.families.marian import MARIAN
from core.checkpoints.real.families.mistral import MISTRAL
from core.checkpoints.real.families.qwen import QWEN2, QWEN3
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.t5 import T5

FAMILIES_READ: dict[str, RealFamily] = {
    family.model_type: family for family in (GPT2, BERT, DISTILBERT, LLAMA, MISTRAL, QWEN2, QWEN3, GPT_NEOX, MARIAN, T5)
}
