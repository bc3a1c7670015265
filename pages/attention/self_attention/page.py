"""The page Self-attention: one head of attention taken apart."""

from pages.attention.self_attention import asymmetry, dictionary, six_steps
from pages.attention.self_attention.settings import SETTINGS
from pages.compute.one_head import telling_place
from pages.shell import Page
from pages.widgets import ATTENTION

PAGE = Page(
    file=__file__,
    title="Self-attention, step by step",
    address="self-attention",
    icon=":material/stairs:",
    question="How does one head of attention work, step by step?",
    definition="In **self-attention** each word of a text looks at the others and takes in something from each, most "
    "from those that fit it best. A **head** is one way of looking.",
    introduction="Each token has three vectors: a **query** (what it looks for), a **key** (what it can be found by) "
    "and a **value** (what it passes on). The better a query fits a key, the more of that key's value the token takes "
    "in.",
    views=(six_steps.VIEW, asymmetry.VIEW, dictionary.VIEW),
    settings=SETTINGS,
    model="storyteller",
    finds_head=telling_place,
    reads_target=ATTENTION,
)
