"""What this processor can do with matrices, so that a benchmark's ratios can be read beside those of another one."""

import platform
from pathlib import Path
from time import process_time

import torch
import torch.nn.functional as F

from core.device import DTYPES
from tests.benchmarks.report import quartiles

FLAGS = ("avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16")
OUT, IN, ROWS = 3072, 768, 128  # a matrix of GPT-2 small
MATRICES = 16  # more than a processor keeps at hand


def processor() -> dict[str, object]:
    """Its name, its flags for matrices, and what it was seen to do: for each number format the Gbyte/s at which one row
    meets matrices from memory, and the Gflop/s of many rows, by PyTorch's own product, in processor seconds."""
    found: dict[str, object] = {"name": _cpuinfo("model name") or platform.machine()}
    held = _cpuinfo("flags").split()
    found["flags"] = [flag for flag in FLAGS if flag in held]
    for name in ("float32", "bfloat16"):
        matrices = [torch.ones(OUT, IN, dtype=DTYPES[name]) for _ in range(MATRICES)]
        row, rows = torch.ones(1, IN, dtype=DTYPES[name]), torch.ones(ROWS, IN, dtype=DTYPES[name])
        found[f"{name}_row_gbyte_per_s"] = round(matrices[0].nbytes / _seconds(row, matrices) / 1e9, 1)
        found[f"{name}_rows_gflop_per_s"] = round(2 * ROWS * OUT * IN / _seconds(rows, matrices) / 1e9, 1)
    return found


def _seconds(rows: torch.Tensor, matrices: list[torch.Tensor]) -> float:
    """Processor seconds of one product, the median of five rounds."""
    spent = []
    for _ in range(6):
        start = process_time()
        for matrix in matrices:
            F.linear(rows, matrix)
        spent.append((process_time() - start) / len(matrices))
    return quartiles(spent[1:])[1]


def _cpuinfo(field: str, file: Path = Path("/proc/cpuinfo")) -> str:
    """The first line of this name; empty where the system has none."""
    lines = file.read_text().splitlines() if file.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(field)), "")
