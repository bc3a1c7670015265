"""Sets up one process or several for training, as `torchrun` started them, and chooses the device of each."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


@dataclass(frozen=True)
class Worker:
    """One of the processes that train a model together: its rank, the number of processes, and its device."""

    rank: int
    world: int
    device: torch.device

    @property
    def leads(self) -> bool:
        """Whether this process writes the files and the progress."""
        return self.rank == 0

    def wrap(self, objective: nn.Module) -> nn.Module:
        """Return the objective, with its gradients averaged over the processes if there are several."""
        return DistributedDataParallel(objective) if self.world > 1 else objective

    @contextmanager
    def leader_first(self) -> Iterator[None]:
        """Run the block in the leader first, so that the others find the files it makes (a tokenizer, say)."""
        if self.world > 1 and not self.leads:
            dist.barrier()
        yield
        if self.world > 1 and self.leads:
            dist.barrier()

    def agree(self, values: list[float]) -> list[float]:
        """Return the leader's values in every process, for values read from a clock or a signal that all must share."""
        if self.world == 1:
            return values
        shared = torch.tensor(values, dtype=torch.float64, device=self.device)
        dist.broadcast(shared, src=0)
        return shared.tolist()


def join() -> Worker:
    """Return this process as a worker; under `torchrun` it joins the others (gloo on CPUs, NCCL on GPUs)."""
    world, rank = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0"))
    local = int(os.environ.get("LOCAL_RANK", "0"))
    device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
    if device.type == "cuda":
        torch.cuda.set_device(device)
    if world > 1 and not dist.is_initialized():
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return Worker(rank, world, device)


def leave() -> None:
    """Leave the group that `join` joined, if any."""
    if dist.is_initialized():
        dist.destroy_process_group()
