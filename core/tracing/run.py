"""The record of a run (a text, a model, a mask and any edits, in plain values), and the functions that execute it.

Every page shows one run from its own point of view. A `Run` is hashable, so it is also the key of every cache.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType

import torch
from torch import Tensor

from core.checkpoints.source import ModelSource
from core.device import Placement
from core.limits import TOKENS
from core.model.config import TransformerConfig
from core.model.masks import CausalMask, Mask, PaddingMask, build_mask, explicit_mask
from core.model.transformer import Masks, Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import BOS, EOS, PAD, SPECIAL_LABELS, TextFormat
from core.tracing.edits import Edit
from core.tracing.sites import SITES
from core.tracing.taps import Reduce
from core.tracing.trace import Trace, trace

# Defaults of `Run`, told from equal values by identity.
AS_BUILT: tuple[Mask, ...] = (CausalMask(),)
NO_FORMAT = TextFormat()
BY_IDENTITY = MappingProxyType({"by_identity": True})


class Overflow(ValueError):
    """The error for a recorded tensor with infinity or NaN in it.

    Its message names the first layer whose output is not finite, or the tensor's site if all of these are finite.
    """


@dataclass(frozen=True)
class Run:
    """The settings of a run.

    text: the input of the encoder, or of the decoder in a model without an encoder.
    config: the architecture of the model.
    target: the input of the decoder in an encoder-decoder.
    tokenizer: the tokenizer used with fresh weights: the name of a shipped one, or the trained model it belongs to.
    masks: act together on self-attention; in an encoder-decoder on the decoder's, except that `PaddingMask` acts on all
        attention. `AS_BUILT`, the default, is causal in a model with a decoder and masks nothing in an encoder; `()`
        masks nothing in either. A mask may be of any class that extends `core.model.masks.Mask`.
    pads: the number of padding tokens appended to the text; `PaddingMask` hides them.
    edits: the changes made while the model runs.
    placement: the device and the number format.
    source: the trained model, or a step of its training; None for fresh weights. `core.registry` reads its address.
    format: the form in which the model reads `text`; lower case is for both texts. Fresh weights read the plain text.

    Raises ValueError for a trained model without a format, because without the special pieces of its training its
    numbers mean nothing. `core.topics.shared.open_run.run_of_model` fills it in.
    """

    text: str
    config: TransformerConfig
    target: str = ""
    tokenizer: str | ModelSource = "unigram-8000"
    masks: tuple[Mask, ...] = field(default=AS_BUILT, metadata=BY_IDENTITY)
    pads: int = 0
    edits: tuple[Edit, ...] = ()
    placement: Placement = field(default_factory=lambda: Placement("cpu", "float32"))
    source: ModelSource | None = None
    format: TextFormat = field(default=NO_FORMAT, metadata=BY_IDENTITY)

    def __post_init__(self) -> None:
        if self.source is not None and self.format is NO_FORMAT:
            raise ValueError(
                f"A run of {self.source.address} needs the form in which that model reads a text: make it with "
                "core.topics.shared.open_run.run_of_model."
            )
        if self.masks is AS_BUILT:
            masks = (CausalMask(),) if "decoder" in self.config.stacks else ()
            object.__setattr__(self, "masks", masks)
        object.__setattr__(self, "text", self.format.in_case(self.text))
        object.__setattr__(self, "target", self.format.in_case(self.target))

    @property
    def is_trained(self) -> bool:
        """Whether the weights are those of a trained model, or of a step of its training."""
        return self.source is not None

    @property
    def is_made_elsewhere(self) -> bool:
        """Whether the weights were trained by other people."""
        return self.source is not None and not self.source.trained_here

    @property
    def model_name(self) -> str:
        """The name of the trained model, the same for all steps of its training; "" for fresh weights."""
        return "" if self.source is None else self.source.model

    @property
    def reads_with(self) -> str | ModelSource:
        """The name of a shipped tokenizer, or the trained model whose tokenizer reads the texts."""
        return self.source or self.tokenizer


@dataclass(frozen=True)
class TokenRow:
    """The tokens of one text as the model reads them.

    labels: unique, such as "3:cat"; pieces are not.
    words: the number of each token's word, the index of its label in word_labels.
    note: a sentence about the text that was left out; None if all of it is used.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    words: tuple[int, ...]
    word_labels: tuple[str, ...]
    note: str | None = None

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(f"{number}:{piece}" for number, piece in enumerate(self.pieces))

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Inputs:
    """A run's texts as token rows, by stack, and the masks that act on them.

    windows: the attention window of each decoder block; () if there are none.
    """

    rows: Mapping[str, TokenRow]
    masks: Masks
    windows: tuple[int, ...] = ()

    def ids(self, stack: str, device: str) -> Tensor | None:
        row = self.rows.get(stack)
        return None if row is None else torch.tensor([row.ids], device=device)  # (1, L)


def text_limit(config: TransformerConfig) -> int:
    """Return the largest number of tokens that a text may have in this model."""
    return min(TOKENS, config.max_length)


def prepare(run: Run, tokenizer: AnyTokenizer) -> Inputs:
    """Return the tokens and masks of a run.

    Raises ValueError, with a sentence that can be shown, for a text that cannot be used.
    """
    stacks = run.config.stacks
    limit = text_limit(run.config)
    capacity = limit - run.pads - run.format.begin - run.format.end
    rows = {stacks[0]: token_row(run.text, tokenizer, capacity, run.pads, run.format.begin, run.format.end)}
    if len(stacks) == 2:
        try:
            rows["decoder"] = token_row(run.target, tokenizer.target, limit - 1, begin=True)
        except ValueError as mistake:
            raise ValueError(f"In the decoder's text: {mistake}") from mistake
    return Inputs(rows, _masks(run, rows), run.config.windows)


def token_row(
    text: str, tokenizer: AnyTokenizer, limit: int, pads: int = 0, begin: bool = False, end: bool = False
) -> TokenRow:
    """Return a text as the model reads it: at most `limit` tokens and the special ones around them.

    The ids of the special tokens are the tokenizer's.

    pads: the number of padding tokens at the end.
    begin, end: whether <s> comes before the text, and </s> after it.

    Raises ValueError for a text that cannot be used, and for padding if the tokenizer has no padding token.
    """
    tokens, ids = tokenizer.encode(text, limit=limit), tokenizer.special
    if pads and ids.pad is None:
        raise ValueError("This model has no padding token: choose a mask without padding.")
    first, last = (SPECIAL_LABELS[BOS],) * begin, (SPECIAL_LABELS[EOS],) * end + (SPECIAL_LABELS[PAD],) * pads
    words = [word + len(first) for word in tokens.words]
    after = max(words) + 1
    return TokenRow(
        _some(ids.begin, begin) + tokens.ids + _some(ids.end, end) + _some(ids.pad, pads),
        first + tokens.labels + last,
        (*range(len(first)), *words, *range(after, after + len(last))),
        first + tokens.word_labels + last,
        tokens.note,
    )


def _some(token: int | None, count: int) -> tuple[int, ...]:
    return () if token is None else (token,) * count


def execute(
    model: Transformer,
    run: Run,
    inputs: Inputs,
    record: Iterable[str],
    reduce: Mapping[str, Reduce] | None = None,
    edits: Sequence[Edit] | None = None,
) -> Trace:
    """Execute the run and return the recorded tensors.

    record: keys, such as "decoder.2.pattern", or names of sites, such as "pattern", for every layer.
    reduce: as for `core.tracing.taps.RecordingTap`.
    edits: in place of the run's own; None for those.

    Raises Overflow at the first recorded tensor with NaN or infinity in it; only masked_scores may hold −∞.
    """
    device = run.placement.device
    ids = inputs.ids("encoder", device), inputs.ids("decoder", device)
    edits = run.edits if edits is None else edits
    keep = {name: partial(_checked, name, None) for name in SITES}
    keep |= {key: partial(_checked, key, kept) for key, kept in (reduce or {}).items()}
    try:
        return trace(model, *ids, inputs.masks, record=record, edits=edits, reduce=keep)
    except OverflowError as overflow:
        site = str(overflow)
        fine = {"resid_post": lambda x: x.isfinite().all()}
        layers = trace(model, *ids, inputs.masks, record=["resid_post"], edits=edits, reduce=fine)
    raise Overflow(_overflow(run, site, [key for key, finite in layers.items() if not finite]))


def _checked(name: str, keep: Reduce | None, x: Tensor) -> Tensor:
    """Return a recorded tensor, or the part of it that `keep` returns.

    Raises OverflowError, with the site's name, if the tensor holds NaN or infinity; masked_scores may hold −∞.
    """
    if x.is_floating_point() and x.numel():
        low, high = (float(end) for end in x.aminmax())  # NaN wherever x holds one
        site = name.rpartition(".")[2]
        if not (high < math.inf and (site == "masked_scores" or low > -math.inf)):
            raise OverflowError(site)
    return x if keep is None else keep(x)


def _overflow(run: Run, site: str, layers: Sequence[str]) -> str:
    """Return the message for a run that overflows at a site and in the output of these layers (keys, in order)."""
    where = f"in {site}"
    if layers:
        stack, layer, _ = layers[0].split(".")
        where = f"in layer {int(layer) + 1}" + (f" of the {stack}" if run.config.has_two_stacks else "")
    if run.config.norm_position == "none":
        return f"The numbers overflow {where}, because nothing normalises them: choose a norm or fewer layers."
    return f"The numbers overflow {where}: {run.placement.dtype} cannot hold them. Choose another number format."


def _masks(run: Run, rows: Mapping[str, TokenRow]) -> Masks:
    device = run.placement.device
    padding = tuple(mask for mask in run.masks if isinstance(mask, PaddingMask))
    built = {}
    for stack, row in rows.items():
        restricted = stack == run.config.stacks[-1]
        masks = run.masks if restricted else padding
        real = len(row) - (run.pads if stack == run.config.stacks[0] else 0)
        build = explicit_mask if stack == "decoder" else build_mask  # None would be causal in a decoder
        mask = build(masks, len(row), len(row), [real])
        built[stack] = None if mask is None else mask.to(device)
    cross = None
    if len(rows) == 2:
        source = len(rows["encoder"])
        cross = build_mask(padding, len(rows["decoder"]), source, [source - run.pads])
    return Masks(built.get("encoder"), built.get("decoder"), None if cross is None else cross.to(device))
