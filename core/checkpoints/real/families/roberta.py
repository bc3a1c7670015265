"""RoBERTa, XLM-RoBERTa and CamemBERT, with their masked-word head if the files hold it (Liu et al. 2019)."""

import re
from collections.abc import Collection
from typing import Any

from core.checkpoints.real.families.bert import bert_body, bert_fields, bert_head
from core.checkpoints.real.families.record import ClassHead, RealFamily
from core.checkpoints.real.families.words import OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

SKIPPED_ROWS = 2  # rows of the table of positions before that of the first token, because their padding has the id 1


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    options.fixed("pad_token_id", SKIPPED_ROWS - 1)
    headed = any(name.startswith("lm_head.") for name in held)
    fields = bert_fields(options, headed)
    if headed:
        options.fixed("hidden_act", "gelu")  # the head always has gelu, whatever the layers have
    if fields["max_length"] <= SKIPPED_ROWS:
        raise ValueError(f"config.json: max_position_embeddings must be more than {SKIPPED_ROWS}.")
    return TransformerConfig(**{**fields, "max_length": fields["max_length"] - SKIPPED_ROWS})


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    bert_body(table, config, "roberta.")
    table.take_behind("roberta.embeddings.position_embeddings.weight", "positions.weight", SKIPPED_ROWS)
    bert_head(table, config, "lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias")
    unused = [r"roberta\.(pooler\..*|embeddings\.position_ids)", OTHER_HEADS]
    table.unused = re.compile("|".join([*unused, r"lm_head\.bias"] if not config.tied else unused))


CLASS_HEAD = ClassHead("classifier.dense", "classifier.out_proj")
SHARED: dict[str, Any] = {"prefix": "roberta.", "classes": CLASS_HEAD}
ROBERTA = RealFamily("roberta", "RoBERTa", _config, _fill, code="Roberta", **SHARED)
XLM_ROBERTA = RealFamily("xlm-roberta", "XLM-RoBERTa", _config, _fill, code="XLMRoberta", **SHARED)
CAMEMBERT = RealFamily("camembert", "CamemBERT", _config, _fill, code="Camembert", **SHARED)
