"""Build the drawing of a model from its parts: one layer opened, the others folded."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.analysis.model_sizes import Sizes, config_sizes
from core.checkpoints.class_layer import ClassLayer
from core.topics.architecture.analysis.parts import PartCount, StepCount
from core.topics.architecture.known import CountedModel
from core.topics.architecture.plan import Box, DrawingPlan, Edge, Pile, Rank
from core.topics.architecture.readings.drawing import ABOUT, tell_part, tell_step, title_part, title_step
from core.topics.architecture.whole import WholeModel

MAX_SLABS = 12  # slabs of folded layers, about at most; in a deeper model, one slab is several layers
ANSWER = "answer"  # the key of the last box
SUMMED_PARTS = ("embedding", "positions", "token types")  # before the first layer
LETTER = {"Ev": "E"}


@dataclass(frozen=True, eq=False)
class Subject:
    """The model that a drawing shows, by its sizes and parts.

    lengths: number of tokens that each stack reads.
    whose: the words for its text.
    masked: whether the self-attention of the last stack is masked.
    residual: whether there are residual connections.
    parallel: whether attention and feed-forward layer read the same vector.
    opens: whether a click opens a folded layer.
    """

    sizes: Sizes
    parts: tuple[PartCount, ...]
    lengths: Mapping[str, int]
    whose: str
    masked: bool
    residual: bool = True
    parallel: bool = False
    opens: bool = True


def drawn_model(model: WholeModel, opened: int, use: str | ClassLayer = "rows") -> DrawingPlan:
    """Return the drawing of a run's whole model, with layer `opened` (from 0) box by box.

    use: how an encoder's output is used: by a layer that gives classes, as "guesses" of hidden pieces, or as its "rows"
        alone.
    """
    config, masked = model.run.config, bool(model.run.masks)
    lengths = {stack: len(row) for stack, row in model.rows.items()}
    sizes, parallel = config_sizes(config), config.parallel_residual
    subject = Subject(sizes, model.parts, lengths, "of your text", masked, config.residual, parallel)
    return _drawn(subject, opened, use)


def drawn_sizes(model: CountedModel, residual: bool = True) -> DrawingPlan:
    """Return the drawing of a model known by its sizes alone, with its first layer box by box."""
    sizes = model.known.sizes
    lengths = dict.fromkeys(sizes.stacks, model.length)
    subject = Subject(sizes, model.counts.parts, lengths, "of a text", "decoder" in sizes.stacks, residual, opens=False)
    return _drawn(subject, 0, "rows")


def _drawn(subject: Subject, opened: int, use: str | ClassLayer) -> DrawingPlan:
    sizes, memory = subject.sizes, ""
    edges: list[Edge] = []
    piles: list[Pile] = []
    for stack in sizes.stacks:
        drawing = _Drawing(subject, stack, min(opened, sizes.depth(stack) - 1), memory)
        piles.append(drawing.pile(_ending(subject, use) if stack == sizes.stacks[-1] else None))
        edges += drawing.edges
        memory = drawing.at
    return DrawingPlan(tuple(piles), (*edges, *tied_lines(sizes)))


def written_shape(axes: Sequence[str], sizes: Sequence[int]) -> str:
    """Return axes and sizes as one text, such as "L × D = 15 × 64"."""
    return f"{' × '.join(LETTER.get(axis, axis) for axis in axes)} = {' × '.join(f'{size:,}' for size in sizes)}"


def _ending(subject: Subject, use: str | ClassLayer) -> Box:
    """Return the box for the use of the last output."""
    sizes, length = subject.sizes, subject.lengths[subject.sizes.stacks[-1]]
    if "decoder" in sizes.stacks:
        shape = written_shape(("L", "V"), (length, sizes.vocab_size))
        return Box(ANSWER, ANSWER, "next-token chances", shape, 0, ABOUT["next"])
    if isinstance(use, ClassLayer):
        about = ABOUT["classes of the first" if use.first else "classes of the mean"]
        return Box(ANSWER, "classes", "chances of the classes", f"C = {len(use.labels)}", use.parameters, about)
    if use == "guesses":
        shape = written_shape(("S", "V"), (length, sizes.vocab_size))
        weights = sum(part.parameters for part in subject.parts if part.kind == "masked head")
        about = ABOUT["masked head" if sizes.masked_head else use]
        return Box(ANSWER, ANSWER, "chances of hidden pieces", shape, weights, about)
    return Box(ANSWER, ANSWER, "output", written_shape(("S", "D"), (length, sizes.d_model)), 0, ABOUT[use])


def tied_lines(sizes: Sizes) -> Iterator[Edge]:
    """Yield the lines between the uses of one embedding table."""
    first, last = f"{sizes.stacks[0]}.embed", f"{sizes.stacks[-1]}.embed"
    if first != last:
        yield Edge(last, first, "tied")
    if sizes.tied and "decoder" in sizes.stacks:
        yield Edge("logits", last, "tied")


@dataclass
class _Drawing:
    """One stack while it is being drawn.

    memory: key of the box whose output its cross-attention reads.
    at: key of the last box on the stream so far.
    """

    subject: Subject
    stack: str
    opened: int
    memory: str
    ranks: list[Rank] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    at: str = ""

    def pile(self, ending: Box | None) -> Pile:
        sizes, length = self.subject.sizes, self.subject.lengths[self.stack]
        letter = "S" if self.stack == "encoder" else "L"
        whose = "of the target" if len(sizes.stacks) == 2 and self.stack == "decoder" else self.subject.whose
        tokens = Box(f"{self.stack}.tokens", "text", f"tokens {whose}", f"{letter} = {length:,}", 0, ABOUT["tokens"])
        self._on_stream(tokens)
        parts = [part for part in self.subject.parts if part.stack == self.stack]
        start = [self._box(part) for part in parts if part.kind in SUMMED_PARTS]
        self._on_stream(*start)
        self.edges += [Edge(box.key, start[0].key, "inner") for box in start[1:]]
        norms = {part.key: self._box(part) for part in parts if part.layer is None and part.kind == "norm"}
        if first := norms.get(f"{self.stack}.norm_embed"):
            self._on_stream(first)
        self._blocks([part for part in parts if part.layer is not None])
        if last := norms.get(f"{self.stack}.final"):
            self._on_stream(last)
        end = [self._box(part) for part in parts if part.kind == "unembedding"] + ([ending] if ending else [])
        end += [self._box(part) for part in parts if part.kind == "pooler"]
        if end:
            self._on_stream(*end)
            self.edges += [Edge(source.key, target.key, "inner") for source, target in pairwise(end)]
        return Pile(self.stack, self.stack.capitalize(), tuple(self.ranks))

    def _blocks(self, parts: Sequence[PartCount]) -> None:
        layers = self.subject.sizes.depth(self.stack)
        step = -(-(layers - 1) // MAX_SLABS) or 1
        before = [range(start, min(start + step, self.opened)) for start in range(0, self.opened, step)]
        after = [range(start, min(start + step, layers)) for start in range(self.opened + 1, layers, step)]
        for slab in before:
            self._slab(slab, parts)
        self._layer([part for part in parts if part.layer == self.opened])
        for slab in after:
            self._slab(slab, parts)

    def _slab(self, layers: range, parts: Sequence[PartCount]) -> None:
        """Add to the drawing one box in place of several equal layers."""
        inside = [part for part in parts if part.layer in layers]
        name = f"layer {layers[0] + 1}" if len(layers) == 1 else f"layers {layers[0] + 1} to {layers[-1] + 1}"
        shape = written_shape(inside[-1].axes, inside[-1].shape)
        count, about = sum(part.parameters for part in inside), ABOUT["layer" if self.subject.opens else "layers"]
        box = Box(f"{self.stack}.{layers[-1]}", "layer", name, shape, count, about, layers[0])
        self._on_stream(box)
        if self.memory:
            self.edges.append(Edge(self.memory, box.key, "memory"))

    def _layer(self, parts: Sequence[PartCount]) -> None:
        """Add the open layer: each sublayer with its norm before or after it, or without one."""
        norms = {part.key.rpartition("norm_")[2]: part for part in parts if part.kind == "norm"}
        norm_position, start = self.subject.sizes.norm_position, self.at
        for part in parts:
            if part.kind == "norm":
                continue
            norm = norms.get(part.key.rpartition(".")[2])
            beside = part.kind == "feed-forward" and self.subject.parallel
            self._sublayer(part, norm if norm_position == "pre" else None, start if beside else self.at)
            if norm and norm_position == "post":
                self._on_stream(self._box(norm))

    def _sublayer(self, part: PartCount, norm: PartCount | None, source: str) -> None:
        """Add a sublayer on the stream, or beside it if a residual connection leads past it.

        source: key of the box whose output it reads.
        """
        residual, start = self.subject.residual, self.at
        frame = self._box(part)
        line, first_line = ("inner", "branch") if residual else ("stream", "stream")
        if norm:
            box = self._box(norm)
            self.ranks.append(Rank((box,), branch=residual))
            self.edges += [Edge(source, box.key, first_line), Edge(box.key, frame.key, line)]
        else:
            self.edges.append(Edge(source, frame.key, first_line))
        self.ranks += [Rank(boxes, frame, residual) for boxes in self._inside(part)]
        self.edges += self._lines_inside(part)
        if part.kind == "cross-attention":
            self.edges.append(Edge(self.memory, frame.key, "memory"))
        self.at = frame.key
        if residual:
            add = Box(f"{part.key}.add", "add", "add", frame.shape, 0, ABOUT["add"], part.layer)
            self.ranks.append(Rank((add,)))
            self.edges += [Edge(frame.key, add.key, "return"), Edge(start, add.key, "skip")]
            self.at = add.key

    def _inside(self, part: PartCount) -> list[tuple[Box, ...]]:
        boxes = {step.name: self._step(part, step) for step in part.steps}
        if part.kind == "feed-forward":
            return [tuple(boxes.values())]
        q, k, v, scores, z, joined = boxes.values()
        return [(q, k, v), (scores, z), (joined,)]

    def _lines_inside(self, part: PartCount) -> list[Edge]:
        if part.kind == "feed-forward":
            return [Edge(f"{part.key}.ffn_hidden", f"{part.key}.ffn_out", "inner")]
        lines = (("q", "scores"), ("k", "scores"), ("scores", "z"), ("v", "z"), ("z", "attn_out"))
        return [Edge(f"{part.key}.{source}", f"{part.key}.{target}", "inner") for source, target in lines]

    def _step(self, part: PartCount, step: StepCount) -> Box:
        sizes, crosses = self.subject.sizes, part.kind == "cross-attention"
        return Box(
            f"{part.key}.{step.name}",
            "weights" if step.name == "scores" else step.name if step.name in ("q", "k", "v") else "step",
            title_step(step.name, sizes.activation, sizes.positions, crosses),
            written_shape(step.axes, step.shape),
            step.parameters,
            tell_step(step.name, sizes.positions, crosses, sizes.sink_logits),
            part.layer,
            2.0 if step.name == "scores" else 1.0,
        )

    def _box(self, part: PartCount) -> Box:
        sizes = self.subject.sizes
        masked = self.subject.masked and part.stack == sizes.stacks[-1]
        return Box(
            part.key,
            part.kind,
            title_part(part.kind, sizes.norm, sizes.positions, masked),
            written_shape(part.axes, part.shape),
            part.parameters,
            tell_part(part.kind, sizes.norm, part.shared),
            part.layer,
        )

    def _on_stream(self, box: Box, *beside: Box) -> None:
        """Add the first box on the stream, with the others beside it."""
        self.ranks.append(Rank((box, *beside)))
        if self.at:
            self.edges.append(Edge(self.at, box.key, "stream"))
        self.at = box.key
