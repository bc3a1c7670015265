"""A model set up for generation: its source, its masks and its cache, behind one call."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.explorer.generation.records import UNTOUCHED, Intervention
from core.limits import WRITTEN_TOKENS
from core.model.config import TransformerConfig
from core.model.kv import KVCache
from core.model.masks import MaskSpec, causal, combine, hidden_keys
from core.model.recurrent import RecurrentConfig
from core.model.transformer import Masks, Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.edits import Edit
from core.tracing.run import Run, TokenRow, text_limit, token_row
from core.tracing.taps import RecordingTap
from core.tracing.trace import Trace

STREAM = frozenset(("resid_pre", "resid_post"))
STRETCH = 8  # written tokens; then all of the text is read anew, at once
BESIDE_CAUSAL = ("sliding_window", "block")  # masks that a text can be written under, beside the causal one


@dataclass(frozen=True, eq=False)
class TextGenerator:
    """A model set up to write a text: its source (None for a decoder alone), and what a visitor forces on it.

    A text is written under the causal mask, joined with the run's sliding window and blocks; padding has no place in
    it.
    """

    model: Transformer
    run: Run
    source: TokenRow | None
    intervention: Intervention = UNTOUCHED

    @property
    def limit(self) -> int:
        """The most tokens that the decoder can read."""
        return text_limit(self.run.config)

    def logits(self, ids: Tensor, cache: KVCache | None = None) -> Tensor:
        """(B, L) ids → the logits (B, V) of what comes next. With a cache, ids are those that it has not read."""
        return self.read(ids, cache).output[:, -1]

    def reread(
        self, ids: tuple[int, ...], written: int = 0, record: tuple[str, ...] = (), cache: KVCache | None = None
    ) -> Trace:
        """The passes that chose what comes after L ids, the last `written` of which the model wrote; output (1, L, V).

        Whole stretches of what was written are read at once with the beginning, newer tokens one by one: in bfloat16
        the numbers depend on it. record: of `STREAM`, (1, L, D) over all passes; sites with keys would not join.
        cache: an empty one, which then has read them; None takes one for this call.
        """
        assert set(record) <= STREAM, "these do not join on dimension 1"
        cache = self.cache(1, len(ids)) if cache is None else cache
        first = len(ids) if cache is None else max(1, len(ids) - written % STRETCH)
        device = self.run.placement.device
        parts = [ids[:first], *((each,) for each in ids[first:])]
        passes = [self.read(torch.tensor([part], device=device), cache, record) for part in parts]
        seen = {key: torch.cat([each[key] for each in passes if key in each], 1) for key in passes[0]}
        return Trace(seen, torch.cat([each.output for each in passes], 1))

    def read(self, ids: Tensor, cache: KVCache | None, record: tuple[str, ...] = ()) -> Trace:
        """Read (B, L) ids behind those in the cache; the output is the logits (B, L, V). record: sites to keep."""
        new, read = ids.shape[1], 0 if cache is None else cache.length
        tap = self.tap(new, read, record)
        with torch.inference_mode():
            out = self.model(self.source_ids(ids.shape[0]), ids, self.masks(new, read), tap, cache)
        return Trace(tap.seen, out)

    def source_ids(self, batch: int) -> Tensor | None:
        """(B, S) ids of the source."""
        device = self.run.placement.device
        return None if self.source is None else torch.tensor([self.source.ids] * batch, device=device)

    def masks(self, new: int, read: int = 0) -> Masks:
        """The masks of `new` rows behind `read` that are known."""
        device = self.run.placement.device
        spec = _beside_causal(self.run)
        before = causal(new, read + new) if new > 1 else None
        decoder = combine(before, spec.build(new, read + new))
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

    def tap(self, new: int, read: int = 0, record: tuple[str, ...] = ()) -> RecordingTap:
        """The tap of one pass over `new` tokens behind `read` that are cached, with the edits that act in it: those of
        the encoder where it runs, those of a row where it is among the new ones, and those of every row."""
        edits = []
        for edit in self.intervention.edits:
            if edit.key.startswith("encoder"):
                edits += [edit] * (read == 0)
            elif edit.row is None:
                edits.append(edit)
            elif read <= edit.row < read + new:
                edits.append(replace(edit, row=edit.row - read))
        return RecordingTap(record, edits)

    def cache(self, batch: int, most: int) -> KVCache | None:
        """A cache for texts of at most `most` tokens; None where an edit holds values for all rows at once."""
        rows = all(edit.row is not None or _alike(edit) for edit in self.intervention.edits)
        return self.model.cache(batch, most) if rows else None


def _alike(edit: Edit) -> bool:
    """Whether an edit does the same in every row."""
    return edit.key.startswith("encoder") or edit.value is None or isinstance(edit.value, int | float)


def generation_mask(run: Run, length: int) -> np.ndarray:
    """(L, L) booleans, True = may attend: the mask under which a text of `length` tokens is written."""
    return (causal(length, length) & _beside_causal(run).explicit(length, length)).numpy()


def _beside_causal(run: Run) -> MaskSpec:
    """What of a run's mask acts beside the causal one."""
    return replace(run.mask, kinds=tuple(kind for kind in run.mask.kinds if kind in BESIDE_CAUSAL))


def text_generator(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, intervention: Intervention = UNTOUCHED
) -> TextGenerator:
    """The model set up for generation. ValueError for a text that cannot be used and for a model without a decoder."""
    if "decoder" not in run.config.stacks:
        raise ValueError("An encoder writes nothing: choose a decoder or an encoder-decoder.")
    source = None
    if run.config.has_two_stacks:
        room = text_limit(run.config) - run.begin - run.end
        source = token_row(run.text, tokenizer, room, 0, run.begin, run.end)
    return TextGenerator(model, run, source, intervention)


def start_ids(tokenizer: AnyTokenizer, run: Run) -> tuple[int, ...]:
    """What the decoder has read before it writes: <s>, or the text that a decoder alone goes on with."""
    if run.config.has_two_stacks:
        begin = tokenizer.special.begin
        assert begin is not None
        return (begin,)
    limit = text_limit(run.config) - run.begin
    return token_row(run.text, tokenizer, limit, begin=run.begin).ids


def mask_note(mask: MaskSpec) -> str | None:
    """What of the frame's mask plays no part in writing, as a sentence; None where all of it does."""
    idle = [kind for kind in mask.kinds if kind not in (*BESIDE_CAUSAL, "causal")]
    if not idle and "causal" in mask.kinds:
        return None
    rest = f"; the mask “{'” and “'.join(idle)}” plays no part here" if idle else ""
    return f"A text is always written under the causal mask, each token after those before it{rest}."


def translation_limit(config: TransformerConfig | RecurrentConfig, start: int, source: int) -> int:
    """How many tokens of a translation are written at most: half again the pieces of the source and 20, for a model
    that has learnt nothing never ends; never more than `WRITTEN_TOKENS`, nor than the decoder can read behind its
    `start` ids."""
    return max(1, min(WRITTEN_TOKENS, config.max_length - start, source * 3 // 2 + 20))
