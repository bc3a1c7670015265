"""Packs the paragraphs of documents into rows of a bounded length."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.training.batches import padded


@dataclass(frozen=True, eq=False)
class PackedRows:
    """Rows of ids, stored one behind another: row n is ids[edges[n] : edges[n + 1]]."""

    ids: np.ndarray
    edges: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.edges)

    def table(self, chosen: Iterable[int]) -> np.ndarray:
        """Return the chosen rows (B, L), padded with 0."""
        return padded([self.ids[self.edges[n] : self.edges[n + 1]].tolist() for n in chosen]).numpy()


def pack_documents(documents: Iterable[Iterable[Sequence[int]]], longest: int) -> PackedRows:
    """Pack each document's paragraphs in their order, as many into a row as fit into `longest` ids.

    No row holds two documents. A paragraph that does not fit into the rest of a row begins a new one; one longer than a
    row is cut, and the next paragraph continues after its last part.
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
