"""The catalogue of trained models, shipped ones and those made elsewhere: their names, cards and titles, cached."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from types import MappingProxyType

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from core.checkpoints.card import Card
from core.checkpoints.real.elsewhere import FAMILY
from core.checkpoints.real.places import PLACE_VARIABLE, place_named, real_names
from core.checkpoints.shipped import RUNNABLE
from core.registry import ModelRegistry

Folders = tuple[tuple[str, int], ...]
REREAD_SECONDS = 5.0  # seconds until a folder of models is listed again


@dataclass(frozen=True)
class CatalogEntry:
    """An entry of a trained model in a list.

    architecture: "" for a model that no run can use.
    """

    title: str
    family: str
    architecture: str


@st.cache_resource(show_spinner=False)
def real_place() -> Path | None:
    """Return the folder of the models made elsewhere.

    The environment or a Streamlit secret names it; it is None if neither does.
    """
    with suppress(StreamlitSecretNotFoundError):
        return place_named(os.environ.get(PLACE_VARIABLE) or st.secrets.get(PLACE_VARIABLE))
    return None


def names_on(registry: ModelRegistry) -> tuple[str, ...]:
    return _names(registry, _folders(registry))


def cards_on(registry: ModelRegistry) -> Mapping[str, Card]:
    return _cards(*_readable(registry))


def listed_on(registry: ModelRegistry) -> Mapping[str, CatalogEntry]:
    return _listed(*_readable(registry))


def _readable(registry: ModelRegistry) -> tuple[ModelRegistry, Folders]:
    """Return the registry with its folders, or the shipped models alone while this machine fails to read the others."""
    found = registry, _folders(registry)
    try:
        _cards(*found)
    except (MemoryError, OSError):
        return replace(registry, place=None), ()
    return found


def _folders(registry: ModelRegistry) -> Folders:
    return () if registry.place is None else _folders_in(registry.place, int(monotonic() / REREAD_SECONDS))


@lru_cache(maxsize=1)
def _folders_in(models_folder: Path, moment: int) -> Folders:
    """Return the folders in a place, each with the time of its last change.

    A folder that disappears meanwhile is left out.
    """
    folders = []
    for name in real_names(models_folder):
        with suppress(OSError):
            folders.append((name, (models_folder / name).stat().st_mtime_ns))
    return tuple(folders)


@lru_cache(maxsize=2)  # called dozens of times in a run of a page; a lookup in Streamlit's own cache takes 0.1 ms
def _names(registry: ModelRegistry, folders: Folders) -> tuple[str, ...]:
    return registry.names()


@lru_cache(maxsize=2)
def _cards(registry: ModelRegistry, folders: Folders) -> Mapping[str, Card]:
    return MappingProxyType(registry.cards())


@lru_cache(maxsize=2)
def _listed(registry: ModelRegistry, folders: Folders) -> Mapping[str, CatalogEntry]:
    entries = {}
    for name, card in _cards(registry, folders).items():
        config = card.config.get("encoder", card.config) if card.family in (*RUNNABLE, FAMILY) else {}
        entries[name] = CatalogEntry(card.title, card.family, config.get("architecture", ""))
    return MappingProxyType(entries)
