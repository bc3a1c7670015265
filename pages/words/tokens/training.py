"""Train a tokenizer on pasted text, for this visitor alone, and use it on the page."""

from collections.abc import Iterator
from functools import partial

from core.lessons.glossary import glossary_text
from core.limits import PASTED_CHARACTERS, TOKENS
from core.text.pieces import FIRST_LEARNED
from core.text.tokenizer import TOKENIZERS, Tokenizer
from core.text.tokenizer_process import Standing
from core.topics.tokens.own import Own, train_own_apart
from core.topics.tokens.readings import read_before_training, read_standing, read_trained
from core.topics.tokens.words import Looked
from pages.canvas import Token, TokenButtons
from pages.compute.calls import core_call
from pages.compute.jobs import Job
from pages.session.visit import visit_part
from pages.shell import Shown, View
from pages.widgets import Caption, Control, JobButton, Listing, Part, TextArea, Values, control
from pages.words.tokens import queries
from pages.words.tokens.settings import KIND, SIZE

LONGEST_PIECES = 40  # number of pieces that are shown
NOTHING_YET = "Nothing has been trained in this visit yet. Press “Train”: it takes about a second."


def _controls(looked: Looked, values: Values) -> Iterator[Control]:
    yield control(KIND)
    yield control(SIZE, width=320)


def _show(looked: Looked, values: Values) -> Shown:
    """Show a box for the text, the button, and the tokenizer that was trained last."""
    own, workshop = looked.own, partial(_workshop, values[KIND], values[SIZE])
    return Shown(
        lead=f"Paste a text in any language, up to {PASTED_CHARACTERS:,} characters, or take what stands there: this "
        "app's glossary. It stays in your visit, and is neither kept nor shown to others.",
        pictures=[
            *([_in_pieces(looked, own.tokenizer)] if own else []),
            _in_pieces(looked, queries.named(TOKENIZERS[0], looked)),
            TextArea("Text to train on", "tokens-pasted", glossary_text(), PASTED_CHARACTERS, workshop),
            _longest(own) if own else Caption(NOTHING_YET),
        ],
        takeaway=_describe_training(looked, own) if own else _before(looked),
        about="**Unigram** begins with many pieces and drops, again and again, those that the text misses least. "
        "**BPE** begins with characters and joins the most frequent pair of neighbours, again and again. What you "
        "trained then stands beside the shipped ones in the other views of this page.",
        table=_pieces(own) if own else (),
        source=("core.text.trainer.train_model", "core.topics.tokens.own.train_own"),
    )


def _describe_training(looked: Looked, own: Own) -> tuple[str, str]:
    text, shipped = looked.run.text, queries.named(TOKENIZERS[0], looked)
    counts = len(shipped.encode(text)), len(own.tokenizer.encode(text))
    return read_trained(own.tokenizer.kind, own.tokenizer.vocab_size, own.characters, own.seconds, *counts)


def _before(looked: Looked) -> tuple[str, str]:
    """Return sentences on the number of tokens of the visitor's text under the shipped tokenizer that is drawn."""
    shipped = queries.named(TOKENIZERS[0], looked)
    return read_before_training(shipped.name, len(shipped.encode(looked.run.text)))


def _in_pieces(looked: Looked, tokenizer: Tokenizer) -> TokenButtons:
    """Return the visitor's text in the pieces of one tokenizer."""
    encoded = core_call(Tokenizer.encode, tokenizer, looked.run.text, limit=TOKENS)
    tokens = [Token(label, f"id {i:,}", under=f"{i:,}") for label, i in zip(encoded.labels, encoded.ids, strict=True)]
    caption = f"Your text above with {tokenizer.name}: {len(encoded):,} tokens."
    return TokenButtons(
        tokens, key=f"tokens-with-{tokenizer.name}", name=caption, hue="size", caption=caption, large=True
    )


def _longest(own: Own) -> TokenButtons:
    """Return the longest pieces that were learned."""
    longest = sorted(own.tokenizer.scores, key=len, reverse=True)[:LONGEST_PIECES]
    labels = own.tokenizer.labels([FIRST_LEARNED + index for index in _piece_indices(own, longest)])
    caption = "The longest pieces that it learned."
    learned = [Token(label) for label in labels]
    return TokenButtons(learned, key="tokens-own-pieces", name="Longest pieces", hue="size", caption=caption)


def _piece_indices(own: Own, pieces: list[str]) -> list[int]:
    indices = {piece: index for index, piece in enumerate(own.tokenizer.scores)}
    return [indices[piece] for piece in pieces]


def _pieces(own: Own) -> Listing:
    """Return all learned pieces with their scores."""
    ids = range(FIRST_LEARNED, own.tokenizer.vocab_size)
    scores = own.tokenizer.scores.values()
    score_name = "score" if own.tokenizer.kind == "unigram" else "minus the rank"
    return Listing("pieces", {"id": list(ids), "piece": own.tokenizer.labels(ids), score_name: list(scores)})


def _workshop(kind: str, size: int, text: str) -> list[Part]:
    """Return the button that trains on this text."""
    request = text, kind, size
    button = JobButton(
        *("tokens", request, partial(_job, *request), _tell),
        label="Train",
        icon="model_training",
        waiting="Waiting for its turn",
        keep=partial(_kept, request),
    )
    return [button]


def _kept(request: tuple[str, str, int], result: Standing | Own | None) -> bool:
    """Keep a tokenizer for this visit, and return whether it is a new one."""
    trained = visit_part(queries.TrainedTokenizer)
    if not isinstance(result, Own) or result is trained.own:
        return False
    trained.own, trained.asked = result, request
    return True


def _job(text: str, kind: str, size: int) -> Job[Standing | Own]:
    return Job(lambda before: train_own_apart(text, kind, size), alone=True)


def _tell(state: Standing | Own) -> tuple[float, str]:
    if isinstance(state, Own):
        return 1.0, ""
    return state.share, read_standing(state.kind, state.seconds, state.first, state.now, state.last)


VIEW = View("train your own", _show, _controls, reads_mask=False)
