"""The names of options that the code of transformers asks a config for, read from its source."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

MASKS = "transformers.masking_utils"
SHARED = (MASKS, "transformers.modeling_rope_utils", "transformers.modeling_layers", "transformers.configuration_utils")
ASKING = ("getattr", "hasattr")
TAKING = ("kwargs.pop", "kwargs.get")  # from the values of a file, in the modules of one family


def mask_names(model: Any) -> set[str]:
    """The options that the shared code of masks asks the config of a model for."""
    return _asked(import_module(MASKS)) - _no_options(type(model.config))


def option_names(model: Any) -> set[str]:
    """The options of a model: the fields of its config, their other names, and all that its code asks for."""
    config = type(model.config)
    own = (inspect.getmodule(type(model)), inspect.getmodule(config))
    asked = _asked(*map(import_module, SHARED), *(module for module in own if module is not None))
    return (asked | {field.name for field in fields(config)} | set(config.attribute_map)) - _no_options(config)


def _no_options(config: Any) -> set[str]:
    """What stands on the class of a config and no file can set: its methods and constants."""
    options = {field.name for field in fields(config)} | set(config.attribute_map)
    held = {name: getattr(config, name, None) for name in {*dir(config), *config.__annotations__} - options}
    return {name for name, value in held.items() if not (isinstance(value, property) and value.fset)}


@cache
def _asked(*modules: ModuleType) -> set[str]:
    return {name for module in modules for name in _asked_in(module) if not name.startswith("_")}


def _asked_in(module: ModuleType) -> Iterator[str]:
    """Yield each name in ``config.name``, ``getattr(config, "name")``, and of one family ``kwargs.pop("name")``."""
    takes = TAKING if module.__name__ not in SHARED else ()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("config"):
            yield node.attr
        elif isinstance(node, ast.Call) and node.args:
            function, first, second = ast.unparse(node.func), node.args[0], node.args[min(1, len(node.args) - 1)]
            asks = function in ASKING and ast.unparse(first).endswith(("config", "self"))
            name = second if asks else first
            if (asks or function in takes) and isinstance(name, ast.Constant):
                yield str(name.value)
