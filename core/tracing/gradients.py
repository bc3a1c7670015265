"""The function `gradients`: how fast a number from a model's output changes with the tensors of its forward pass."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import torch
from torch import Tensor

from core.tracing.edits import Edit
from core.tracing.taps import RecordingTap


class _LeafTap(RecordingTap):
    """A tap from whose recorded tensors a gradient can be taken, also where no weight of the model requires one."""

    def __call__(self, name: str, x: Tensor) -> Tensor:
        x = super().__call__(name, x)
        key = self.prefix + name
        if self.records(key):
            x = self.seen[key] = x if x.requires_grad else x.detach().requires_grad_()
        return x


def gradients(
    model: Callable[..., Tensor],
    *inputs: object,
    of: Callable[[Tensor], Tensor],
    at: Iterable[str],
    edits: Sequence[Edit] = (),
    **options: object,
) -> Mapping[str, Tensor]:
    """Run `model(*inputs, **options)` and return the gradient of one number with respect to tensors of the pass.

    The gradient at a site has the site's shape. Each of its numbers says how fast `of` changes with the number at the
    same place of the site, through everything that the model computes from it. It is 0 where `of` does not depend on
    the site.

    of: returns the number, a scalar, from the model's output; such as
        `lambda logits: logits[0, -1, cat] - logits[0, -1, dog]`.
    at: names of sites ("pattern": wherever it occurs) or keys ("decoder.2.resid_post": only there), as for
        `RecordingTap`.
    edits: changes of the pass; the gradient at an edited site is that of the edited tensor.

    Returns the gradients by key, in the order in which the tensors were computed.

    Raises ValueError for a site or an edit that the model never reaches, and if `of` returns no scalar.

    >>> from core.model.config import TransformerConfig
    >>> from core.model.transformer import build
    >>> model = build(TransformerConfig("decoder", vocab_size=9, d_model=8, heads=2, layers=2))
    >>> found = gradients(model, None, torch.tensor([[1, 2, 3]]), of=lambda logits: logits[0, -1, 4], at=["pattern"])
    >>> {key: tuple(slope.shape) for key, slope in found.items()}
    {'decoder.0.pattern': (1, 2, 3, 3), 'decoder.1.pattern': (1, 2, 3, 3)}
    """
    tap = _LeafTap(tuple(at), edits)
    with torch.inference_mode(False), torch.enable_grad():
        number = of(model(*inputs, tap=tap, **options))
        if missed := tap.missed():
            raise ValueError(f"this model has no {', '.join(missed)}")
        if number.dim():
            raise ValueError(f"`of` has to return one number, not a tensor of shape {tuple(number.shape)}")
        if not number.requires_grad:  # it depends on none of them
            return {key: torch.zeros_like(x) for key, x in tap.seen.items()}
        found = torch.autograd.grad(number, list(tap.seen.values()), materialize_grads=True)
    return dict(zip(tap.seen, found, strict=True))
