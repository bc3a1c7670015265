"""Scripts that run no transformer, as the parts from which they are put together."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.export.dialect import Dialect
from core.export.figure_pieces import sized_figure
from core.export.literals import paragraph

WEIGHTS = "weights.safetensors"
REQUIREMENTS = "torch\nnumpy>=2\nsafetensors\nmatplotlib\n"


def no_files() -> Iterable[tuple[str, bytes]]:
    """Return no files, for a script that reads none."""
    return ()


@dataclass(frozen=True)
class ScriptParts:
    """The parts of a script that computes one picture. Lines are written as `Dialect.written` reads them.

    title: what it computes, in half a sentence.
    caption: of its figure, on one line.
    prints: what it prints, in a few words.
    facts: the lines that name the sizes and what the visitor chose.
    definitions: the lines of each function.
    computed: the lines that compute the numbers and print them.
    saved: the dictionary, as code, of the tensors that are saved.
    drawn, fitted, panels: the figure, as `sized_figure` takes it.
    exercise: something to change in the code, and what to look at then.
    reads_weights: whether the script reads `WEIGHTS`, as W.
    files: makes the name and the bytes of each file that the script reads.
    """

    title: str
    caption: str
    prints: str
    facts: tuple[str, ...]
    definitions: tuple[tuple[str, ...], ...]
    computed: tuple[str, ...]
    saved: str
    drawn: tuple[str, ...]
    exercise: str
    fitted: tuple[str, ...] = ()
    panels: str = ""
    reads_weights: bool = False
    files: Callable[[], Iterable[tuple[str, bytes]]] = no_files

    def cells(self, dialect: Dialect) -> dict[str, str]:
        """Return the parts of the script, as `core.export.script.cells` does for a run."""
        own = [*self.facts, *[dialect.weights] * self.reads_weights]
        save = f'save_file({self.saved}, "numbers.safetensors")'
        parts = {
            "parts": "\n\n\n".join(dialect.written([*lines]) for lines in self.definitions),
            "pattern": dialect.written([*self.computed, save]),
            "figure": dialect.written(sized_figure(self.panels, [*self.drawn], [*self.fitted])),
        }
        imports = import_lines(dialect, "".join([*own, *parts.values()]))
        header = [*imports, "", *paragraph("CAPTION", self.caption), *own]  # what people typed stays as it is
        return {name: text for name, text in ({"numbers": "\n".join(header)} | parts).items() if text}

    def script(self, dialect: Dialect) -> str:
        """Return the whole script."""
        return f'"""{self.title}, in {dialect.title}."""\n\n{joined(self.cells(dialect))}\n'


def import_lines(dialect: Dialect, body: str) -> list[str]:
    """Return the lines that import what a script uses. body: its own code, without what people typed."""
    imports = [f"import {name}" for name in ("json", "math") if f"{name}." in body]
    imports += ["from pathlib import Path"] * ("Path(" in body)
    reads = "load_file(" in body
    own = [line if reads else line.replace("load_file, ", "") for line in dialect.imports]
    return [*imports, *[""] * bool(imports), "import matplotlib.pyplot as plt", *own]


def joined(parts: dict[str, str]) -> str:
    """Return cells as one text."""
    text = "\n\n\n".join(parts.values())
    for start in ("print(CAPTION)", "plt.rc("):  # no function stands before these
        text = text.replace(f"\n\n\n{start}", f"\n\n{start}")
    return text
