"""The views of the sources: texts with their terms and the files made from them, books by name, and packages."""

from collections.abc import Mapping, Sequence

from core.sources.packages import installed_packages
from core.sources.texts import DATA_SOURCES, KINDS, RESEARCH_TERMS, DataSource, books_read, shipped_files
from core.sources.visitors import Kept, kept_of_visitors
from core.topics.sources.charts import made_from_data, made_from_spec
from core.topics.sources.readings import read_bound
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Cards, Cell, Chart, Listing, Markdown, Part, Values, plain, spec

NAMES = tuple(source.name for source in DATA_SOURCES)
LEAD = "Each mark says that a file of this app was made from the texts above it."
LIBRARIES_NOTE = (
    "Streamlit brings its own parts for the browser, all served from here: Vega draws the charts (BSD), KaTeX the "
    "formulas (MIT), in Source Sans, Source Serif and Source Code (SIL Open Font License) with Material Symbols "
    "(Apache 2.0)."
)


def _show_texts(run: Run, values: Values) -> Shown:
    """Show the sources of each file, and each source with its people, its licence and its terms of use."""
    files = core_call(shipped_files)
    picture = Chart(
        made_from_data(
            {file.name: file.sources for file in files}, {source.name: source.kind for source in DATA_SOURCES}
        ),
        spec(made_from_spec, NAMES, KINDS),
        key="sources-files",
        name="what each file was made from",
    )
    bound = [source.name for source in DATA_SOURCES if source.kind == RESEARCH_TERMS]
    return Shown(
        pictures=[picture, Cards([_card(source) for source in DATA_SOURCES], "sources-texts")],
        lead=LEAD,
        takeaway=[
            sentence
            for name in bound
            for sentence in read_bound(name, [file.name for file in files if name in file.sources], len(files))
        ],
        table=Listing(
            "files",
            {
                "file": [file.path for file in files],
                "made from": [", ".join(file.sources) for file in files],
                "what it is": [file.what for file in files],
            },
        ),
        source=["core.sources.texts.shipped_files"],
    )


def _card(source: DataSource) -> list[Part]:
    links = " · ".join(f"[{name}]({address})" for name, address in source.links)
    rows = [
        f"##### {source.name}",
        f"*{plain(source.licence)}*",
        plain(source.people) + ".",
        plain(source.used),
        f":material/gavel: {plain(source.asks)}",
        links,
    ]
    return [Markdown(row) for row in rows if row]


def _show_books(run: Run, values: Values) -> Shown:
    """List the books that the models have read."""
    books = core_call(books_read)
    return _listed(
        "books",
        {
            "title": [book.title for book in books],
            "people": [book.people for book in books],
            "year": [book.year for book in books],
            "edition": [book.edition for book in books],
        },
        lead=f"The {len(books)} books and other texts in the public domain from which models and tokenizers were made. "
        "The year is that of this text or translation.",
        source="core.sources.texts.books_read",
    )


def _show_packages(run: Run, values: Values) -> Shown:
    """List the packages as they are installed where this app runs."""
    packages = core_call(installed_packages)
    return _listed(
        "packages",
        {
            "package": [package.name for package in packages],
            "version": [package.version for package in packages],
            "licence": [package.licence for package in packages],
            "asked for by": ["this app" if package.asked else "a package" for package in packages],
        },
        lead=f"The {len(packages)} packages with which this app runs here, each with the licence that it states.",
        about=LIBRARIES_NOTE,
        source="core.sources.packages.installed_packages",
    )


def _show_visitors(run: Run, values: Values) -> Shown:
    """Show what is kept of a visitor: a card for each thing."""
    kept = core_call(kept_of_visitors)
    return Shown(
        [Cards([_kept_card(each) for each in kept], "sources-visitors")],
        lead="Nobody has to log in or give a name, and the server writes no file of what you type. This is all that "
        "is kept of a visitor.",
        about="What the host of this copy adds, such as logs of addresses, only its owner knows. The project's folder "
        "docs has a page on data protection and one on accessibility that a school can file.",
        table=Listing(
            "your data",
            {
                "what is kept": [each.what for each in kept],
                "where": [each.where for each in kept],
                "until": [each.until for each in kept],
                "who can see it": [each.seen_by for each in kept],
            },
        ),
        source=["core.sources.visitors.kept_of_visitors"],
    )


def _kept_card(kept: Kept) -> list[Part]:
    what = f"{kept.what[0].upper()}{kept.what[1:]}"
    rows = {"Where": kept.where, "Until": kept.until, "Who can see it": kept.seen_by}
    return [Markdown(f"**{plain(what)}**"), *(Markdown(f"{name}: {plain(said)}") for name, said in rows.items())]


def _listed(name: str, columns: Mapping[str, Sequence[Cell]], lead: str, source: str, about: str = "") -> Shown:
    """Return a view that is one table.

    source: the function that gives its rows.
    """
    return Shown(lead=lead, table=Listing(name, columns, unfolded=True), about=about, source=[source])


TEXTS_VIEW = View("texts", _show_texts)
BOOKS_VIEW = View("books", _show_books)
PACKAGES_VIEW = View("packages", _show_packages)
VISITORS_VIEW = View("your data", _show_visitors)
