"""The model families that can be read, by their ``model_type``."""

from core.checkpoints.real.families.bert import BERT
from core.checkpoints.real.families.distilbert import DISTILBERT
from core.checkpoints.real.families.gpt2 import GPT2
from core.checkpoints.real.families.gpt_neo import GPT_NEO
from core.checkpoints.real.families.gpt_neox import GPT_NEOX
from core.checkpoints.real.families.granite import GRANITE, GRANITE_SWA
from core.checkpoints.real.families.llama import LLAMA
from core.checkpoints.real.families.marian import MARIAN
from core.checkpoints.real.families.mistral import MISTRAL
from core.checkpoints.real.families.opt import OPT
from core.checkpoints.real.families.phi3 import PHI3
from core.checkpoints.real.families.qwen import QWEN2, QWEN3
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.roberta import CAMEMBERT, ROBERTA, XLM_ROBERTA
from core.checkpoints.real.families.t5 import T5

_FAMILIES = (
    *(GPT2, GPT_NEO, GPT_NEOX, OPT, LLAMA, MISTRAL, PHI3, QWEN2, QWEN3, GRANITE, GRANITE_SWA),
    *(BERT, DISTILBERT, ROBERTA, XLM_ROBERTA, CAMEMBERT),
    *(MARIAN, T5),
)
FAMILIES_READ: dict[str, RealFamily] = {family.model_type: family for family in _FAMILIES}
