"""The page Circuits: which parts of a model wrote a word, what they read for it, and what the first token is for."""

from pages.shell import Page
from pages.transformer.circuits import between_heads, head_directions, head_seeks, head_writes, who_wrote, why_first
from pages.transformer.circuits.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="Circuits",
    address="circuits",
    icon=":material/account_tree:",
    question="Which part of the model did what?",
    definition="A word's score is a sum: every **attention head** and every **feed-forward layer** adds its share. A "
    "circuit is a few parts that together do one thing.",
    introduction="A part's share is a calculation; switching the part off shows what else reacts.",
    views=(who_wrote.VIEW, head_writes.VIEW, head_seeks.VIEW, head_directions.VIEW, between_heads.VIEW, why_first.VIEW),
    settings=SETTINGS,
    model="storyteller",
    finds_head=why_first.strongest_head,
    text="Peter had a dog and a cat. The dog was called Mr. Brown and the cat was called Mrs. White. One day Mr.",
)
