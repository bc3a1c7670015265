"""The page KV cache: the keys and values kept from token to token, and the work that this saves."""

from pages.shell import Page
from pages.transformer.kv_cache import memory, one_step, operations, same_answer, timing, why
from pages.transformer.kv_cache.moment import moment, newest_place, text_parts
from pages.transformer.kv_cache.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="KV cache",
    address="kv-cache",
    icon=":material/inventory_2:",
    question="What does a model keep between tokens?",
    definition="For each next token a model needs the **key** and the **value** of every token before it. They never "
    "change, so a **KV cache** keeps them.",
    introduction="To choose the next token, attention compares the newest token's **query** with all keys, and mixes "
    "the values. Under the causal mask the keys and values of earlier tokens stay as they are: with a cache, each "
    "step computes one row instead of all.",
    views=(one_step.VIEW, why.VIEW, operations.VIEW, memory.VIEW, timing.VIEW, same_answer.VIEW),
    settings=SETTINGS,
    architectures=("decoder", "encoder-decoder"),
    continues=True,
    model="storyteller",
    finds_head=newest_place,
    subject=moment,
    above=text_parts,
    reads_target=False,
)
