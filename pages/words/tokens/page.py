"""The page Tokens: how a text becomes tokens, and how an id selects a vector."""

from pages.shell import Page, View
from pages.words.tokens.languages import languages_controls, show_languages
from pages.words.tokens.merging import PLAYER, merges_controls, show_merges
from pages.words.tokens.one_hot import one_hot_controls, show_one_hot
from pages.words.tokens.queries import looked
from pages.words.tokens.settings import SETTINGS
from pages.words.tokens.side_by_side import cuts_controls, show_cuts
from pages.words.tokens.training import show_tokenizer_training, workshop_controls
from pages.words.tokens.unigram import lattice_controls, show_lattice

PAGE = Page(
    file=__file__,
    title="Tokens",
    address="tokens",
    icon=":material/content_cut:",
    question="What are the pieces that a model reads?",
    definition="A model reads neither letters nor words but **tokens**: **pieces** of text out of a fixed list, its "
    "**vocabulary**, each with a number.",
    introduction="A frequent word is one piece; a rare word falls into several. Which ones, a **tokenizer** has "
    "learned from counts of text, before the model was trained.",
    views=(
        View("all tokenizers", show_cuts, cuts_controls, reads_mask=False),
        View("how BPE got there", show_merges, merges_controls, player=PLAYER, reads_mask=False),
        View("how unigram chose", show_lattice, lattice_controls, reads_mask=False),
        View("train your own", show_tokenizer_training, workshop_controls, reads_mask=False),
        View("one-hot against dense", show_one_hot, one_hot_controls),
        View("other languages", show_languages, languages_controls, reads_text=False, reads_mask=False),
    ),
    settings=SETTINGS,
    runs_model=False,
    model="translator",
    text="It was a misunderstanding of international proportions.",
    subject=looked,
    shows_model=False,
    reads_target=False,
    owns=frozenset({"tok"}),
)
