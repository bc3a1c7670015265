"""The function `trace`, which runs a model and returns the named tensors of its forward pass as a `Trace`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from core.tracing.edits import Edit
from core.tracing.sites import parse
from core.tracing.taps import ALL, RecordingTap, Reduce


class Trace(Mapping[str, Tensor]):
    """The named tensors of one forward pass, by key, in the order in which they were computed.

    output: the result of the model.
    """

    def __init__(self, tensors: Mapping[str, Tensor], output: Tensor) -> None:
        self._tensors = dict(tensors)
        self.output = output

    def __getitem__(self, key: str) -> Tensor:
        if key not in self._tensors:
            parse(key)
            raise KeyError(f"{key} was not recorded; recorded are {', '.join(self._tensors) or 'no sites'}")
        return self._tensors[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def stack(self, name: str, stack: str, cross: bool = False) -> Tensor:
        """Return one site of all layers of a stack as one tensor (N, …).

        Raises KeyError if the site was not recorded in this stack.
        """
        layers = {}
        for key, tensor in self._tensors.items():
            key_stack, layer, crossing, site = parse(key)
            if (key_stack, crossing, site.name) == (stack, cross, name) and layer is not None:
                layers[layer] = tensor
        if not layers:
            raise KeyError(f"{name} was not recorded in the {stack}")
        return torch.stack([layers[number] for number in sorted(layers)])


def trace(
    model: Callable[..., Tensor],
    *inputs: object,
    record: Iterable[str] = ALL,
    edits: Sequence[Edit] = (),
    reduce: Mapping[str, Reduce] | None = None,
    **options: object,
) -> Trace:
    """Run `model(*inputs, **options)` without gradients and return the tensors that its tap recorded.

    record, edits, reduce: as for `RecordingTap`.

    Raises ValueError for a site name or key to record, or an edit, that the model never reaches.

    >>> from core.model.config import TransformerConfig
    >>> from core.model.transformer import build
    >>> model = build(TransformerConfig("decoder", vocab_size=9, d_model=8, heads=2, layers=3))
    >>> seen = trace(model, None, torch.tensor([[1, 2, 3]]), record=["pattern", "decoder.2.resid_post"])
    >>> seen["decoder.0.pattern"].shape, seen["decoder.2.resid_post"].shape
    (torch.Size([1, 2, 3, 3]), torch.Size([1, 3, 8]))
    """
    tap = RecordingTap(record, edits, reduce)
    with torch.inference_mode():
        output = model(*inputs, tap=tap, **options)
    if missed := tap.missed():
        raise ValueError(f"this model has no {', '.join(missed)}")
    return Trace(tap.seen, output)
