"""The page Generate: a text, written token by token."""

from pages.shell import Page, View
from pages.transformer.generate.along_text import show_along
from pages.transformer.generate.attention import attention_controls, show_attention, show_mask
from pages.transformer.generate.layers import show_lens
from pages.transformer.generate.samples import samples_controls, show_samples
from pages.transformer.generate.settings import SETTINGS
from pages.transformer.generate.stages import show_stages
from pages.transformer.generate.story import newest_place, once_written, sampling_controls, story, story_parts

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
    views=(
        View("next word", once_written(show_stages)),
        View("along the text", once_written(show_along)),
        View("layer by layer", once_written(show_lens)),
        View("attention", once_written(show_attention), attention_controls),
        View("mask", once_written(show_mask), attention_controls),
        View("many texts", once_written(show_samples), samples_controls),
    ),
    settings=SETTINGS,
    architectures=("decoder",),
    model="storyteller",
    finds_head=newest_place,
    controls=sampling_controls,
    subject=story,
    above=story_parts,
)
