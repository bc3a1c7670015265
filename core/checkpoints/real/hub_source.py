"""A model on the hub that can be imported: its files, its licence, and the headers of its weights.

Every failure, of the network too, is a `NotFetched` of one or two sentences that say what to do.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from core.checkpoints.real.files import WEIGHTS_FILE, HeldTensor, file_inside, listed_tensors, shown_name
from core.checkpoints.real.places import UNSTATED, Origin

NEEDS_HUB = "To fetch from the hub, install its package: python -m pip install huggingface_hub"
HTTP_PACKAGES = ("httpx", "httpx2", "httpcore", "requests", "urllib3")  # those that versions of huggingface_hub use


class NotFetched(ValueError):
    """The error for a model that cannot be fetched from the hub, or not by this visitor."""


class HubSource:
    """A model on the hub; make it with `opened`."""

    def __init__(self, name: str, api: Any) -> None:
        self.name, self._api = name, api
        info = api.model_info(name, files_metadata=True)
        self._revision = info.sha
        self.sizes = {sibling.rfilename: sibling.size or 0 for sibling in info.siblings or ()}
        card = info.card_data.to_dict() if info.card_data else {}
        licence = str(card.get("license") or UNSTATED)[:100]
        self.origin = Origin(name, f"the hub: {name}, revision {str(info.sha)[:12]}", licence)

    @classmethod
    @contextmanager
    def opened(cls, name: str, endpoint: str | None = None) -> Iterator["HubSource"]:
        """Yield a model of the hub, and make each failure of the hub or the network a `NotFetched`.

        endpoint: the address of the hub; None for the usual one.
        """
        try:
            import huggingface_hub as hub
            import huggingface_hub.errors as errors
        except ImportError:
            raise NotFetched(NEEDS_HUB) from None
        try:
            yield cls(name, hub.HfApi(endpoint=endpoint))
        except Exception as error:
            if (sentence := _sentence(name, error, errors)) is None:
                raise
            raise NotFetched(sentence) from None

    def copy(self, name: str, to: Path) -> None:
        """Fetch one file into a folder; it shows a progress bar of its own."""
        file_inside(to, name)
        self._api.hf_hub_download(self.name, name, revision=self._revision, local_dir=to)
        shutil.rmtree(to / ".cache", ignore_errors=True)

    def held(self, folder: Path) -> dict[str, HeldTensor]:
        """Return the model's tensors, fetching only the headers of its weight files."""
        header = partial(self._header, folder)
        return header(WEIGHTS_FILE) if WEIGHTS_FILE in self.sizes else listed_tensors(folder, header)

    def _header(self, folder: Path, name: str) -> dict[str, HeldTensor]:
        file_inside(folder, name)
        if name not in self.sizes:
            raise ValueError(f"{shown_name(name)} is missing.")
        tensors = self._api.parse_safetensors_file_metadata(self.name, name, revision=self._revision).tensors
        return {key: HeldTensor(name, found.dtype, tuple(found.shape)) for key, found in tensors.items()}


def _sentence(name: str, error: Exception, errors: Any) -> str | None:
    """Return what an error of the hub or of the network means for a model and what to do; None for any other error."""
    if isinstance(error, errors.GatedRepoError):
        return (
            f"{name} is gated: its licence must be accepted first. Accept it on the page of the model, log in with "
            "the command hf auth login, and try again."
        )
    if isinstance(error, errors.RepositoryNotFoundError):
        return (
            f"The hub has no model {name}, or it is private. Check the name; for a private model, log in with "
            "the command hf auth login."
        )
    if isinstance(error, errors.SafetensorsParsingError):
        return f"{name} cannot be used: the header of its safetensors cannot be read."
    if isinstance(error, errors.HFValidationError):
        return f"{shown_name(name)!r} is no name on the hub, such as openai-community/gpt2."
    if isinstance(error, errors.HfHubHTTPError):
        return f"The hub cannot give {name} now: it answered {_answer(error)}. Try again later."
    if _is_of_network(error):
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].partition(" (")[0]
        return (
            f"The hub cannot be reached, or the connection broke off, while {name} was fetched "
            f"({shown_name(reason.rstrip('.'))}). Nothing was kept; try again when there is a network."
        )
    return None


def _is_of_network(error: Exception) -> bool:
    """Return whether an error is one of the network, and not one of this machine's disk, which has a number."""
    by_package = type(error).__module__.partition(".")[0] in HTTP_PACKAGES
    of_system = isinstance(error, OSError) and error.errno is None
    return by_package or of_system or isinstance(error, ConnectionError | TimeoutError)


def _answer(error: Any) -> str:
    """Return the status of an answer of the hub, with its own message if it has one."""
    with suppress(AttributeError):
        status, said = error.response.status_code, error.server_message
        return f"{status} ({shown_name(said)})" if said else str(status)
    return shown_name(str(error).splitlines()[0])
