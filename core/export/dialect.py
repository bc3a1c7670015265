"""The few lines in which a script in PyTorch differs from the same in NumPy; all others are shared.

The shared lines write ``xp.`` for the library, and use what both have: ``x @ y``, ``x.mT``, ``xp.where``, ``xp.stack``.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """One of the two libraries.

    key: its name in files.
    title: its name on screen.
    module: the name under which it is imported.
    imports: the lines that import it and what reads the weights.
    weights: the line that reads the weights, as float32.
    softmax: the definition of a softmax over the last axis; () if the library has one.
    softmax_call: how it is called on the scores.
    erf: the definition of the error function; "" if the library has one.
    erf_call: how it is called.
    """

    key: str
    title: str
    module: str
    imports: tuple[str, ...]
    weights: str
    softmax: tuple[str, ...]
    softmax_call: str
    erf: str
    erf_call: str

    def written(self, lines: list[str]) -> str:
        """Return lines of code with the library's name in the place of ``xp``."""
        return re.sub(r"\bxp\.", f"{self.module}.", "\n".join(lines))


TORCH = Dialect(
    key="torch",
    title="PyTorch",
    module="torch",
    imports=("import torch", "from safetensors.torch import load_file, save_file"),
    weights='W = {name: w.float() for name, w in load_file("weights.safetensors").items()}',
    softmax=(),
    softmax_call="torch.softmax({}, dim=-1)",
    erf="",
    erf_call="torch.erf({})",
)
NUMPY = Dialect(
    key="numpy",
    title="NumPy",
    module="np",
    imports=("import numpy as np", "from safetensors.numpy import load_file, save_file"),
    weights='W = {name: w.astype(np.float32) for name, w in load_file("weights.safetensors").items()}',
    softmax=(
        "def softmax(x):",
        "    e = np.exp(x - x.max(-1, keepdims=True))  # subtracting keeps e^x finite and changes nothing",
        "    return e / e.sum(-1, keepdims=True)  # as x",
    ),
    softmax_call="softmax({})",
    erf='erf = np.vectorize(math.erf, otypes=["float32"])  # NumPy has no error function',
    erf_call="erf({})",
)
DIALECTS = (TORCH, NUMPY)
