"""Write the list of sources as one Markdown file, for readers of the repository."""

from core.sources.packages import installed_packages
from core.sources.texts import ASSETS, DATA_SOURCES, DataSource, books_read, shipped_files

DOCUMENT = ASSETS / "SOURCES.md"
COMMAND = "python -m core.sources"
DOCUMENT_HEAD = f"""# Sources and licences

Whose texts the files in this folder were made from, and what that asks of whoever hosts or sells the app. Written by
`{COMMAND}` from the files' cards and the table in `core/sources/texts.py`; the page Sources shows the same.

Whether a licence of texts binds what a model learned from them is not settled. This project goes the careful way, and
passes on what the texts ask.
"""


def sources_document() -> str:
    """Return the file: the sources, the files made from each, the books, and the packages that the app needs."""
    files = [f"| `{file.path}` | {', '.join(file.sources)} | {file.what} |" for file in shipped_files()]
    books = [f"| {book.title} | {book.people} | {book.year} | {book.edition} |" for book in books_read()]
    packages = [f"| {package.name} | {package.licence} |" for package in installed_packages() if package.asked]
    parts = [
        DOCUMENT_HEAD,
        *map(_source, DATA_SOURCES),
        _table("The files", "| file | made from | what it is |", files),
        "`measured/neurons-*.safetensors` say where neurons fire in the texts of `measured/neuron-texts.json`.\n",
        "`measured/heads-*.safetensors` say what attention heads do in the same texts.\n",
        _table("The books", "| title | people | year | edition |", books),
        _table("The packages", "| package | licence |", packages),
        "Their own packages, with the versions that are installed, are on the page Sources.\n",
    ]
    return "\n".join(parts)


def _source(source: DataSource) -> str:
    links = ", ".join(f"[{name}]({address})" for name, address in source.links)
    rows = [
        f"- Licence: {source.licence} ({source.kind})",
        f"- People: {source.people}",
        f"- What was taken: {source.used}",
        f"- What it asks: {source.asks}",
        *([f"- Where: {links}"] if links else []),
    ]
    return "\n".join([f"## {source.name}", "", *rows, ""])


def _table(title: str, head: str, rows: list[str]) -> str:
    return "\n".join([f"## {title}", "", head, f"|{'---|' * (head.count('|') - 1)}", *rows, ""])
