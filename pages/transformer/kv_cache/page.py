"""The page KV cache: the keys and values kept from token to token, and the work that this saves."""

from pages.shell import Page, View
from pages.transformer.kv_cache.memory import memory_controls, show_memory
from pages.transformer.kv_cache.moment import moment, newest_place, text_parts
from pages.transformer.kv_cache.one_step import show_step, step_controls
from pages.transformer.kv_cache.operations import show_operations
from pages.transformer.kv_cache.same_answer import show_same
from pages.transformer.kv_cache.settings import SETTINGS
from pages.transformer.kv_cache.timing import show_time
from pages.transformer.kv_cache.why import show_why

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
    views=(
        View("one step", show_step, step_controls),
        View("why it may be kept", show_why),
        View("operations", show_operations),
        View("memory", show_memory, memory_controls),
        View("time", show_time),
        View("same answer", show_same),
    ),
    settings=SETTINGS,
    architectures=("decoder", "encoder-decoder"),
    model="storyteller",
    finds_head=newest_place,
    subject=moment,
    above=text_parts,
    reads_target=False,
)
