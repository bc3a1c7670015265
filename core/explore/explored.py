"""One text, read by one model: its tokens, what each head looks at, what comes next, and the same without a head."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from core.analysis.heads import HEAD_NUMBERS
from core.explore.matrix import Matrix, shaded_row
from core.model.transformer import Transformer
from core.registry import parse_source, registry
from core.text.labels import head_label
from core.text.pieces import AnyTokenizer
from core.topics.generate.records import Candidate, Intervention
from core.topics.generate.setup import start_ids, translation_limit
from core.topics.generate.texts import generate_tokens, step
from core.topics.heads.all_heads import behaviours, patterns
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head
from core.tracing.run import Inputs, Run, prepare


@dataclass(frozen=True, eq=False, repr=False)
class Explored:
    """A text read by a model. Everything is computed when it is asked for.

    Layers and heads are counted from 1, as on the pages; the functions of `core` that work below count from 0.

    run: the settings, which every other function of `core` takes.
    model, tokenizer: as `open_run` opens them.

    >>> from core.explore import explore
    >>> run = explore("Once upon a time there was a little girl")
    >>> run.tokens[:3]
    ('Once', 'upon', 'a')
    >>> run.pattern(4, 1).values.shape
    (9, 9)
    >>> run.next(1)[0].piece
    'who'
    """

    run: Run
    model: Transformer = field(repr=False)
    tokenizer: AnyTokenizer = field(repr=False)

    def __repr__(self) -> str:
        return f"{self._name} read {len(self.tokens)} tokens: {' '.join(self.tokens)}"

    def _repr_html_(self) -> str:
        """Return the tokens as a notebook shows them."""
        return shaded_row(self.tokens, f"{self._name}: the tokens that it read")

    @property
    def tokens(self) -> tuple[str, ...]:
        """The pieces of the text as the model reads them, with its special pieces."""
        return self._inputs.rows[self.run.config.stacks[0]].pieces

    @property
    def written(self) -> tuple[str, ...]:
        """The pieces that the decoder of an encoder-decoder read; () for any other model."""
        return self._inputs.rows["decoder"].pieces if self.run.config.has_two_stacks else ()

    def pattern(self, layer: int, head: int, stack: str | None = None, cross: bool = False) -> Matrix:
        """Return the attention weights of one head: rows are queries; NaN where the mask hides a key.

        Each row sums to 1, or to less if the head has a sink logit.

        layer, head: counted from 1.
        stack: "encoder" or "decoder"; None for the model's only one, and for the decoder with `cross`.
        cross: whether to show cross-attention, from the decoder's tokens to the encoder's.

        Raises ValueError for a head that the model does not have.
        """
        place = self._place(layer, head, stack, cross)
        found = patterns(self.model, self.tokenizer, self.run, place.of_layer)
        weights = np.where(found.allowed, found.pattern[place.head], np.nan)
        kind = "cross-attention, " if cross else f"{place.stack}, " if self.run.config.has_two_stacks else ""
        title = f"{self._name}, {kind}{head_label(place.layer, place.head)}: attention weights"
        return Matrix(weights, tuple(found.rows), tuple(found.keys.labels), title)

    def heads(self, stack: str | None = None, cross: bool = False) -> Matrix:
        """Return the numbers of every head: how spread out its attention is, and its share of each plain pattern.

        One row for each head, one column for each number of `core.analysis.heads.HeadTable`; NaN if a head has none.
        Entropy is in bits, distance in tokens, the effective number in keys; the others are shares.
        """
        place = self._place(1, 1, stack, cross)
        table = behaviours(self.model, self.tokenizer, self.run, place).table
        columns = [table.column(name).filled(np.nan) for name in HEAD_NUMBERS]
        rows = tuple(head_label(int(layer), int(head)) for layer, head in np.ndindex(columns[0].shape))
        names = tuple(title for title, _ in HEAD_NUMBERS.values())
        values = np.stack([column.ravel() for column in columns], 1)
        return Matrix(values, rows, names, f"{self._name}: its heads", largest=0)

    def next(self, count: int = 10) -> tuple[Candidate, ...]:
        """Return the likeliest next tokens with their probabilities, for a model that writes.

        Raises ValueError for an encoder, which writes nothing.
        """
        written = self._inputs.rows["decoder"].ids if self.run.config.has_two_stacks else ()
        ids = written or start_ids(self.tokenizer, self.run)
        changes = Intervention(self.run.edits)
        return step(self.model, self.tokenizer, self.run, ids, intervention=changes).likeliest(count)

    def without(self, layer: int, head: int, stack: str | None = None, cross: bool = False) -> "Explored":
        """Return the same text read by the same model with one head switched off.

        Parameters as for `pattern`.
        """
        place = self._place(layer, head, stack, cross)
        edit = ablate_head(self.run.config, place.layer, place.head, place.stack, cross)
        return replace(self, run=replace(self.run, edits=(*self.run.edits, edit)))

    @property
    def _name(self) -> str:
        return self.run.source.address if self.run.source else "fresh weights"

    @cached_property
    def _inputs(self) -> Inputs:
        return prepare(self.run, self.tokenizer)

    def _place(self, layer: int, head: int, stack: str | None, cross: bool) -> HeadAddress:
        config = self.run.config
        if cross and not config.has_two_stacks:
            raise ValueError(f"{self._name} has no cross-attention: it reads one text.")
        where = stack or ("decoder" if cross else config.stacks[0])
        if where not in config.stacks or (cross and where != "decoder"):
            raise ValueError(f"{self._name} has no {'cross-attention in the ' if cross else ''}{where}.")
        for what, number, most in (("layer", layer, config.depth(where)), ("head", head, config.heads)):
            if not 1 <= number <= most:
                raise ValueError(f"{self._name} has {what}s 1 to {most} there, and no {what} {number}.")
        return HeadAddress(where, layer - 1, head - 1, cross)


def explore(text: str, model: str = "storyteller", target: str = "") -> Explored:
    """Return a text as a trained model reads it, to be looked at.

    model: the name of a shipped model, of one made elsewhere ("real:NAME"), or of a step in the lab
        ("lab:induction,seed=3@400").
    target: the decoder's text in an encoder-decoder; "" for the translation that the model writes.

    Raises ValueError, with a sentence, for an unknown model and for a text that it cannot read.

    >>> from core.explore import explore
    >>> explore("The black cat sleeps.", model="translator").written[:3]
    ('(start)', 'Le', 'chat')
    """
    known = registry().names()
    source = parse_source(model)
    if model.partition("/")[0] not in known and ":" not in model:
        raise ValueError(f"There is no model {model!r}. There are {', '.join(known)}.")
    config = source.open()[0].config
    if not config.has_two_stacks or target:
        run = run_of_model(source, text, target)
        return Explored(run, *open_run(run))
    run = run_of_model(source, text, "…")
    opened = open_run(run)
    most = translation_limit(config, 1, len(prepare(run, opened[1]).rows["encoder"]))
    ids = [token.chosen for token in generate_tokens(*opened, run, max_tokens=most) if not token.ended]
    return Explored(replace(run, target=opened[1].target.decode(ids)), *opened)
