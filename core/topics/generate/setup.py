"""Set up a model for generation: its source, its masks and its cache."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.limits import WRITTEN_TOKENS
from core.model.config import TransformerConfig
from core.model.kv import KVCache
from core.model.masks import (
    CausalMask,
    Mask,
    PaddingMask,
    PrefixMask,
    build_mask,
    causal,
    combine,
    explicit_mask,
    hidden_keys,
)
from core.model.recurrent import RecurrentConfig
from core.model.transformer import Masks, Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.records import NO_INTERVENTION, Intervention
from core.tracing.edits import Edit
from core.tracing.run import Run, TokenRow, text_limit, token_row
from core.tracing.taps import RecordingTap
from core.tracing.trace import Trace

STREAM = frozenset(("resid_pre", "resid_post"))
STRETCH_TOKENS = 8  # written tokens, after which the whole text is read again at once
IDLE_MASKS = (PaddingMask, PrefixMask)  # masks that hide nothing more from a text that is written under the causal mask


@dataclass(frozen=True, eq=False)
class TextGenerator:
    """A model set up to write a text.

    A text is written under the causal mask, combined with the run's other masks; there is no padding.

    source: the tokens of the source text; None if the model is a decoder alone.
    intervention: the changes that a visitor forces on the model.
    """

    model: Transformer
    run: Run
    source: TokenRow | None
    intervention: Intervention = NO_INTERVENTION

    @property
    def limit(self) -> int:
        """The largest number of tokens that the decoder can read."""
        return text_limit(self.run.config)

    def logits(self, ids: Tensor, cache: KVCache | None = None) -> Tensor:
        """Return the logits (B, V) of the next token after ids (B, L).

        cache: the keys and values of the tokens before the ids; None if the ids are the whole text.
        """
        return self.read(ids, cache).output[:, -1]

    def reread(
        self, ids: tuple[int, ...], written: int = 0, record: tuple[str, ...] = (), cache: KVCache | None = None
    ) -> Trace:
        """Run the model again over the L ids as it ran when it chose the token after them; the output is (1, L, V).

        In bfloat16 the numbers depend on how many tokens a pass reads at once. Therefore the ids are always divided
        into the same passes. The first reads the beginning of the text and all the written tokens up to the last
        multiple of `STRETCH_TOKENS`, and each later token has a pass of its own. If an edit rules out a cache, as
        `cache` says, one pass reads everything.

        written: number of ids, at the end, that the model wrote.
        record: sites of `STREAM` to record, (1, L, D), joined over all passes; sites with keys could not be joined.
        cache: an empty cache, which holds the keys and values of the ids afterwards; None uses a new one for this call.
        """
        assert set(record) <= STREAM, "these do not join on dimension 1"
        cache = self.cache(1, len(ids)) if cache is None else cache
        first = len(ids) if cache is None else max(1, len(ids) - written % STRETCH_TOKENS)
        device = self.run.placement.device
        parts = [ids[:first], *((token,) for token in ids[first:])]
        passes = [self.read(torch.tensor([part], device=device), cache, record) for part in parts]
        activations = {key: torch.cat([trace[key] for trace in passes if key in trace], 1) for key in passes[0]}
        return Trace(activations, torch.cat([trace.output for trace in passes], 1))

    def read(self, ids: Tensor, cache: KVCache | None, record: tuple[str, ...] = ()) -> Trace:
        """Run the model over ids (B, L), which follow those in the cache; the output is the logits (B, L, V).

        record: the sites whose activations are recorded.
        """
        new, cached = ids.shape[1], 0 if cache is None else cache.length
        tap = self.tap(new, cached, record)
        with torch.inference_mode():
            logits = self.model(self.source_ids(ids.shape[0]), ids, self.masks(new, cached), tap, cache)
        return Trace(tap.seen, logits)

    def source_ids(self, batch: int) -> Tensor | None:
        """Return the ids (B, S) of the source, once for each of `batch` texts; None if the model has no source."""
        device = self.run.placement.device
        return None if self.source is None else torch.tensor([self.source.ids] * batch, device=device)

    def masks(self, new: int, cached: int = 0) -> Masks:
        """Return the masks for `new` tokens that follow `cached` tokens in the cache."""
        device = self.run.placement.device
        before = causal(new, cached + new) if new > 1 else None
        decoder = combine(before, build_mask(_beside_causal(self.run), new, cached + new))
        source = self._source_mask()
        placed = (None if mask is None else mask.to(device) for mask in (source, decoder, source))
        return Masks(*placed)

    def _source_mask(self) -> Tensor | None:
        if self.source is None or not self.intervention.hidden:
            return None
        for position in self.intervention.hidden:
            if not 0 <= position < len(self.source):
                raise ValueError(f"source token {position} cannot be hidden: there are {len(self.source)}")
        return hidden_keys(len(self.source), self.intervention.hidden)

    def tap(self, new: int, cached: int = 0, record: tuple[str, ...] = ()) -> RecordingTap:
        """Return the tap that records sites and applies edits in one pass over `new` tokens after `cached` others.

        The edits that apply in this pass are those of the encoder if it runs in it, those of a single row if that row
        is among the new tokens, and those of every row.
        """
        edits = []
        for edit in self.intervention.edits:
            if edit.key.startswith("encoder"):
                edits += [edit] * (cached == 0)
            elif edit.row is None:
                edits.append(edit)
            elif cached <= edit.row < cached + new:
                edits.append(replace(edit, row=edit.row - cached))
        return RecordingTap(record, edits)

    def cache(self, batch: int, max_tokens: int) -> KVCache | None:
        """Return a cache for texts of at most `max_tokens`; None if an edit holds values for all rows at once."""
        rows = all(edit.row is not None or _alike(edit) for edit in self.intervention.edits)
        return self.model.cache(batch, max_tokens) if rows else None


def _alike(edit: Edit) -> bool:
    """Return whether an edit does the same in every row."""
    return edit.key.startswith("encoder") or edit.value is None or isinstance(edit.value, int | float)


def generation_mask(run: Run, length: int) -> np.ndarray:
    """Return the mask under which a text of `length` tokens is written: booleans (L, L), True = may attend."""
    return (causal(length, length) & explicit_mask(_beside_causal(run), length, length)).numpy()


def _beside_causal(run: Run) -> tuple[Mask, ...]:
    """Return the masks of a run that are combined with the causal mask."""
    return tuple(mask for mask in run.masks if not isinstance(mask, (CausalMask, *IDLE_MASKS)))


def text_generator(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, intervention: Intervention = NO_INTERVENTION
) -> TextGenerator:
    """Return the model set up for generation.

    Raises ValueError for a text that cannot be used, and for a model without a decoder.
    """
    if "decoder" not in run.config.stacks:
        raise ValueError("An encoder writes nothing: choose a decoder or an encoder-decoder.")
    source = None
    if run.config.has_two_stacks:
        limit = text_limit(run.config) - run.format.begin - run.format.end
        source = token_row(run.text, tokenizer, limit, 0, run.format.begin, run.format.end)
    return TextGenerator(model, run, source, intervention)


def start_ids(tokenizer: AnyTokenizer, run: Run) -> tuple[int, ...]:
    """Return the ids that the decoder reads before it writes: <s>, or the text that a decoder alone continues."""
    if run.config.has_two_stacks:
        begin = tokenizer.special.begin
        assert begin is not None
        return (begin,)
    limit = text_limit(run.config) - run.format.begin
    return token_row(run.text, tokenizer, limit, begin=run.format.begin).ids


def mask_note(masks: Sequence[Mask]) -> str | None:
    """Return a sentence about those of a run's masks that are not used in writing; None if all are."""
    idle = [mask.name() for mask in masks if isinstance(mask, IDLE_MASKS)]
    if not idle and CausalMask() in masks:
        return None
    clause = f"; the mask “{'” and “'.join(idle)}” plays no part here" if idle else ""
    return f"A text is always written under the causal mask, each token after those before it{clause}."


def translation_limit(config: TransformerConfig | RecurrentConfig, start: int, source: int) -> int:
    """Return the largest number of tokens that a translation may have.

    It is one and a half times the number of source pieces plus 20, because an untrained model never ends, but never
    more than `WRITTEN_TOKENS`, nor than the decoder can read after its `start` ids.

    source: number of source pieces.
    """
    return max(1, min(WRITTEN_TOKENS, config.max_length - start, source * 3 // 2 + 20))
