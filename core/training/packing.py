"""Documents of paragraphs in rows of a bounded length."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.training.batches import padded


@dataclass(frozen=True, eq=False)
class PackedRows:
    """PackedRows of ids, one behind another: row n is ids[edges[n] : edges[n + 1]]."""

    ids: np.ndarray
    edges: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.edges)

    def table(self, chosen: Iterable[int]) -> np.ndarray:
        """(B, L) the chosen rows, padded with 0."""
        return padded([self.ids[self.edges[n] : self.edges[n + 1]].tolist() for n in chosen]).numpy()


def pack_documents(documents: Iterable[Iterable[Sequence[int]]], longest: int) -> PackedRows:
    """Each document's paragraphs in their order, as many to a row as fit into `longest` ids.

    No row holds two documents. A paragraph that is longer than a row begins a new one and is cut; the next goes on
    behind its last part.
    """
    ids, edges = array("H"), array("q", [0])
    for document in documents:
        for paragraph in document:
            if len(ids) - edges[-1] + len(paragraph) > longest and len(ids) > edges[-1]:
                edges.append(len(ids))
            ids.extend(paragraph)
            while len(ids) - edges[-1] > longest:
                edges.append(edges[-1] + longest)
        if len(ids) > edges[-1]:
            edges.append(len(ids))
    return PackedRows(np.frombuffer(ids, dtype=np.uint16), np.frombuffer(edges, dtype=np.int64))
