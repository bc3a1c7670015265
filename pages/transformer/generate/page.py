"""The page Generate: a text, written token by token."""

from pages.shell import Page
from pages.transformer.generate import along_text, attention, layers, samples, stages
from pages.transformer.generate.settings import SETTINGS
from pages.transformer.generate.story import newest_place, sampling_controls, story, story_parts

PAGE = Page(
    file=__file__,
    title="Generate",
    address="generate",
    icon=":material/edit_note:",
    question="How does a model choose the next word?",
    definition="A language model reads a text and gives every **token** (a word or a piece of one) a probability of "
    "coming next. One is drawn and added at the end, and the model reads it all again.",
    introduction="The model gives every token of its vocabulary a score, a **logit**; a softmax makes probabilities of "
    "them. The **temperature** and other settings change these before one token is drawn.",
    views=(stages.VIEW, along_text.VIEW, layers.VIEW, attention.ATTENTION_VIEW, attention.MASK_VIEW, samples.VIEW),
    settings=SETTINGS,
    architectures=("decoder",),
    continues=True,
    model="storyteller",
    finds_head=newest_place,
    controls=sampling_controls,
    subject=story,
    above=story_parts,
)
