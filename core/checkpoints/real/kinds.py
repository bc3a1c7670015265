"""Tells which kind of folder or file it is if it holds no model that can be read here, and what to do with it."""

import re
from collections.abc import Collection
from pathlib import Path

from core.checkpoints.real.files import INDEX, WEIGHTS_FILE, json_object, shown_name
from core.checkpoints.real.options import QUANTISED_WEIGHTS

ADAPTER, GPTQ = "adapter_config.json", "quantize_config.json"
ORIGINAL = "take the model from which it was made, with its safetensors"
MERGE = "Merge it into its model once, with merge_and_unload of peft and then save_pretrained, and take that folder."
# The names of files that hold weights in another format, and what such a folder is.
OTHER_WEIGHTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r".*\.gguf"), f"{{name}} is in the format GGUF of llama.cpp, which is not read here; {ORIGINAL}."),
    (re.compile(r".*\.onnx"), f"{{name}} is in the format ONNX, which is not read here; {ORIGINAL}."),
    (
        re.compile(r"pytorch_model(-\d+-of-\d+)?\.bin(\.index\.json)?"),
        "{name} can run code when it is read, so it never is. Write the model as safetensors once, with "
        "save_pretrained of transformers, and take that folder.",
    ),
    (
        re.compile(r"zero_to_fp32\.py"),
        "it is a checkpoint of DeepSpeed whose weights are in several parts. Gather them once, with zero_to_fp32.py "
        "and its option --safe_serialization, and take that folder.",
    ),
    (
        re.compile(r"consolidated.*\.pth|.*\.ckpt"),
        "{name} is not in the layout of transformers; take the model's folder for transformers, with its safetensors.",
    ),
    (
        re.compile(r"tf_model\.h5|flax_model\.msgpack"),
        "{name} is for TensorFlow or JAX. Write it as safetensors once, with transformers, and take that folder.",
    ),
)
FILES = re.compile(r".+\.(gguf|onnx|bin|pth|pt|ckpt|h5|msgpack|safetensors|json|zip)", re.IGNORECASE)
QUANTISED_TENSORS = re.compile(
    r".+\.(qweight|qzeros|g_idx|weight_packed|weight_scale|scales|weight_scale_inv|SCB|absmax|quant_map)"
)
LORA_TENSORS = re.compile(r".*\.lora_[AB]\..*|base_model\.model\..*")
WRAPPED = ("_orig_mod.", "module.")  # what torch.compile and DataParallel put before each name


def names_in(folder: Path) -> set[str]:
    """Return the names of the files in a folder, and in the folder ``onnx`` within it."""
    return {path.relative_to(folder).as_posix() for pattern in ("*", "onnx/*") for path in folder.glob(pattern)}


def check_names(folder: Path, names: Collection[str]) -> None:
    """Raise ValueError, naming what the folder holds, if its files are not a model that can be read.

    folder: where its ``adapter_config.json`` is, if it has one.
    names: its files, those in folders within it too.
    """
    if WEIGHTS_FILE in names or INDEX in names:
        if GPTQ in names:
            raise ValueError(f"it holds {GPTQ}: {QUANTISED_WEIGHTS}.")
        return
    if ADAPTER in names:
        held = json_object(folder, ADAPTER) if (folder / ADAPTER).exists() else {}
        base = shown_name(held.get("base_model_name_or_path") or "another model")
        raise ValueError(f"it is an adapter (such as LoRA) of {base} and no whole model. {MERGE}")
    for pattern, sentence in OTHER_WEIGHTS:
        if name := next((name for name in sorted(names) if pattern.fullmatch(name)), None):
            raise ValueError(sentence.format(name=shown_name(name)))


def check_tensors(names: Collection[str]) -> None:
    """Raise ValueError, naming what they are, if these tensor names are not those of a model that can be read."""
    for name in names:
        if name.startswith(WRAPPED):
            raise ValueError(
                f"its tensors are those of a model inside torch.compile or DataParallel ({shown_name(name)}). Save the "
                "model itself once more, with its save_pretrained, and take that folder."
            )
        if LORA_TENSORS.fullmatch(name):
            raise ValueError(f"its tensors are those of an adapter ({shown_name(name)}) and no whole model. {MERGE}")
        if QUANTISED_TENSORS.fullmatch(name):
            raise ValueError(f"{QUANTISED_WEIGHTS} ({shown_name(name)}).")


def check_file(path: Path) -> None:
    """Raise ValueError if a path is, or by its name can only be, a file: a model is a folder."""
    if not path.is_file() and not (FILES.fullmatch(path.name) and not path.is_dir()):
        return
    if not path.is_file():
        raise ValueError(f"There is no file {shown_name(path)} here; name a folder, or a model of the hub.")
    check_names(path.parent, {path.name})
    raise ValueError(f"{shown_name(path.name)} is a single file; name the folder that holds it, with its config.json.")
