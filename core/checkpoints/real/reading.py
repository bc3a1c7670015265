"""Reads a folder in the hub's layout as a transformer of this project: its description, and strictly its weights.

Everything is checked before a weight is read: the options, the name, shape and number format of every tensor, and the
memory that the model needs. The weights are then copied tensor by tensor into the model's own parameters.
"""

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from core.checkpoints.real.families import FAMILIES_READ
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.files import DTYPES_READ, MIB, HeldTensor, held_tensors, json_object, shown_name, tensors_of
from core.checkpoints.real.generation import BANNED_LOGIT, read_generation
from core.checkpoints.real.kinds import check_names, check_tensors, names_in
from core.checkpoints.real.options import CONFIG, Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig
from core.model.fast.skip_init import skip_init
from core.model.transformer import Transformer

BIAS = "output_bias"  # our bias on the logits, which bans pieces
SINE_TOLERANCE = 5e-3  # the precision of a sine in bfloat16
TORCH_DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


@dataclass(frozen=True)
class Described:
    """A model's folder as read without its weights: its config, its tensors, and how they fill our parameters.

    parameters: the number of learned parameters.
    dtype: the number format that holds all of them.
    options: the values of its ``config.json``.
    banned: the pieces that the model must never write.
    held: the tensors of its files, by name.
    named: the name of each of those tensors in the table.
    table: the tensors that the family expects, and how they fill our parameters.
    """

    family: RealFamily
    config: TransformerConfig
    parameters: int
    dtype: torch.dtype
    options: Mapping[str, object]
    banned: tuple[int, ...]
    held: Mapping[str, HeldTensor]
    named: Mapping[str, str]
    table: WeightTable

    def bytes_needed(self) -> int:
        """Return the bytes that the weights take in the format of the file."""
        return self.parameters * self.dtype.itemsize

    @property
    def largest_tensor(self) -> int:
        """The bytes of the largest tensor of the files."""
        return max(
            prod(tensor.shape) * TORCH_DTYPES[tensor.dtype].itemsize
            for tensor in self.held_in(self.table.tensors).values()
        )

    def held_in(self, names: Container[str]) -> dict[str, HeldTensor]:
        """Return the file tensors, by name, whose name in the weight table is one of these."""
        return {name: where for name, where in self.held.items() if self.named[name] in names}


def describe_folder(folder: Path) -> Described:
    """Describe the content of a folder.

    Raises ValueError, with one sentence that names the cause, for everything that is not understood or does not fit.
    """
    values = read_config(folder, names_in(folder))
    return describe(folder, values, held_tensors(folder))


def read_config(folder: Path, names: Collection[str]) -> dict[str, Any]:
    """Return the values of a folder's ``config.json``.

    names: the files of the model, of which the folder need not hold more than this one.

    Raises ValueError for a family that is not read, and for files that hold no weights that can be read.
    """
    if CONFIG not in names:
        check_names(folder, names)
    values = json_object(folder, CONFIG)
    _family(values)
    check_names(folder, names)
    return values


def describe(folder: Path, values: Mapping[str, Any], held: Mapping[str, HeldTensor]) -> Described:
    """Describe a model by its options and the headers of its weights; the weights need not be in the folder yet.

    folder: the folder with its ``generation_config.json``, if it has one.
    values: the values of its ``config.json``.
    held: the tensors of its files.

    Raises ValueError as `describe_folder` does.
    """
    family = _family(values)
    options = Options(values)
    config = family.read(options, {_today(name, family) for name in held})
    banned = read_generation(folder, values, config.vocab_size).banned if "decoder" in config.stacks else ()
    biased = config.output_bias
    config = replace(config, output_bias=biased or bool(banned))
    with skip_init():
        shapes = {name: tuple(value.shape) for name, value in Transformer(config).state_dict().items()}
    table = WeightTable(shapes)
    family.fill(table, config)
    table.factors = family.factors(options, config)
    named = _names(held, family, table)
    table.take_copies(set(named.values()))
    known = {name: held[file_name] for file_name, name in named.items()}
    _check_tensors(table, known)
    dtype = reduce(torch.promote_types, (TORCH_DTYPES[known[name].dtype] for name in table.tensors))
    learned = (shape for name, shape in shapes.items() if biased or name != BIAS)
    parameters = sum(torch.Size(shape).numel() for shape in learned)
    return Described(family, config, parameters, dtype, values, banned, held, named, table)


def load(folder: Path, dtype: torch.dtype | None = None, device: str = "cpu") -> Transformer:
    """Return the model of a folder, in evaluation mode and without gradients.

    All callers share it, and none may write to it. On its way to a GPU one tensor at a time is in this machine's
    memory, as it is in the file; it is converted on the GPU.

    dtype: its number format; None for that of the file.

    Raises ValueError for weights that are not what the options describe.
    """
    described = describe_folder(folder)
    with skip_init():
        model = Transformer(described.config)
    parameters, table = _empty(described, dtype or described.dtype, device), described.table
    model.load_state_dict(parameters, assign=True)
    model.eval().requires_grad_(False)
    if described.banned:
        parameters[BIAS].zero_()
    for file_name, value in tensors_of(folder, described.held_in(table.tensors)):
        value = value.to(device)
        for our_name, pick in table.tensors[described.named[file_name]].picks.items():
            _put(parameters[our_name], pick(value), file_name)
    for file_name, value in tensors_of(folder, described.held_in(table.copies)):
        our_name = table.copies[described.named[file_name]]
        if not torch.equal(value.to(device).to(parameters[our_name]), parameters[our_name]):
            raise ValueError(f"{shown_name(file_name)} must equal the tensor that it is tied to, and does not.")
    for file_name, value in tensors_of(folder, described.held_in(table.constants)):
        _, make = table.constants[described.named[file_name]]
        if not torch.allclose(value.float(), make(), atol=SINE_TOLERANCE):
            raise ValueError(f"{shown_name(file_name)} holds other numbers than those that are computed in its place.")
    for our_name, parameter in parameters.items():
        if (factor := table.factor(our_name)) != 1.0:
            _check_finite(parameter.mul_(factor), f"{CONFIG} has a multiplier, {factor:g}, that makes")
    if described.banned:
        parameters[BIAS][list(described.banned)] = BANNED_LOGIT
    return model


def check_size(described: Described, memory: tuple[int, str] | None) -> None:
    """Raise ValueError, with the calculation, for a model that would take more bytes than may be used of a memory.

    memory: these bytes, and the name of the memory; None for no limit.
    """
    needed = described.bytes_needed()
    if memory is not None and needed > memory[0]:
        raise ValueError(
            f"its {described.parameters:,} parameters × {described.dtype.itemsize} bytes = {needed / MIB:,.0f} MiB, "
            f"and {memory[0] / MIB:,.0f} MiB of {memory[1]} may be used."
        )


def _family(values: Mapping[str, object]) -> RealFamily:
    name = values.get("model_type")
    if not isinstance(name, str) or name not in FAMILIES_READ:
        stated_type = "no model_type" if name is None else f"the model_type “{shown_name(name)}”"
        raise ValueError(f"{CONFIG} has {stated_type}; those that can be read are {', '.join(FAMILIES_READ)}.")
    return FAMILIES_READ[name]


def _today(name: str, family: RealFamily) -> str:
    """Return the current name of a tensor that older files may call by another."""
    for before, today in family.renamed:
        name = name.removesuffix(before) + today if name.endswith(before) else name
    return name


def _names(held: Mapping[str, HeldTensor], family: RealFamily, table: WeightTable) -> dict[str, str]:
    """Return the table's name of each tensor of the files, adding the prefix that files of the body alone leave out."""
    named = {}
    for file_name in held:
        name = _today(file_name, family)
        known = name in table.tensors or name in table.copies
        full_name = family.prefix + name
        of_body = full_name in table.tensors or table.unused.fullmatch(full_name)
        named[file_name] = full_name if not known and of_body else name
    if len(set(named.values())) < len(named):
        raise ValueError("two of its tensors have one name.")
    return named


def _check_tensors(table: WeightTable, known: Mapping[str, HeldTensor]) -> None:
    """Raise ValueError for the first tensor that is missing, unknown, or of a wrong shape or number format."""
    missing = [name for name in table.tensors if name not in known]
    expected = {name: parameter.shape for name, parameter in table.tensors.items()}
    expected |= {name: table.shapes[original] for name, original in table.copies.items() if name in known}
    expected |= {name: shape for name, (shape, _) in table.constants.items() if name in known}
    unknown = [name for name in known if name not in expected and not table.unused.fullmatch(name)]
    if missing or unknown:
        check_tensors(known)
    if missing in (["lm_head.weight"], ["embed_out.weight"]):
        raise ValueError(
            f"it has no {missing[0]}, which turns the last states into logits of the next token; take a model that "
            "writes text (…ForCausalLM)."
        )
    if missing:
        raise ValueError(f"the tensor {missing[0]} is missing, one of {len(missing)}.")
    if unknown:
        raise ValueError(f"the tensor {shown_name(unknown[0])} is unknown, one of {len(unknown)}.")
    for name, shape in expected.items():
        tensor = known[name]
        if tensor.dtype not in DTYPES_READ:
            raise ValueError(f"the tensor {name} is of {tensor.dtype}; {', '.join(DTYPES_READ)} can be read.")
        if tensor.shape != shape:
            raise ValueError(f"the tensor {name} is {tensor.shape}, but {CONFIG} describes {shape}.")


def _empty(described: Described, dtype: torch.dtype, device: str) -> dict[str, Tensor]:
    """Allocate an uninitialised tensor for each of our parameters, by name."""
    return {name: torch.empty(shape, dtype=dtype, device=device) for name, shape in described.table.shapes.items()}


def _put(parameter: Tensor, value: Tensor, name: str) -> None:
    """Copy numbers into a parameter, in its own number format.

    Raises ValueError if that format cannot hold them.
    """
    _check_finite(parameter.copy_(value), f"{shown_name(name)} holds")


def _check_finite(parameter: Tensor, holding: str) -> None:
    """Raise ValueError if not all numbers of a parameter are finite.

    holding: the beginning of the sentence that says so.
    """
    if not all(end.isfinite() for end in parameter.aminmax()):
        held = str(parameter.dtype).removeprefix("torch.")
        raise ValueError(f"{holding} numbers that are not finite in {held}.")
