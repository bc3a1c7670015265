"""Print the headline of every view, for the text that its page opens with and for nine others, to be read.

    python -m tests.headlines [PAGE ...]

Each line begins with how many numbers the headline has; `tests/pages/test_headlines.py` allows two, and looks for each
of them in the picture.
"""

import argparse
import logging
from collections.abc import Iterator

from pages.shell.page import Page
from tests.pages.house import BY_ADDRESS, PAGES
from tests.pages.test_headlines import TEXTS, numbers_of, opened_head
from tests.pages.views import called_view, opened_run


def headlines(page: Page) -> Iterator[str]:
    """Yield a line for each view and text; texts that give the same sentence have one line."""
    for view in page.views:
        said: dict[str, list[str]] = {}
        for text in (None, *TEXTS) if page.reads_text else (None,):
            try:
                run = opened_run(page, text=text)
                sentences = called_view(page, view.name, run, opened_head(page, run)).shown.said
            except ValueError as refused:
                sentences = [f"({refused})"]
            headline = sentences[0].replace("\\", "") if sentences else "(none)"
            said.setdefault(headline, []).append(text or "as it opens")
        for headline, texts in said.items():
            yield f"{len(numbers_of(headline))}  {page.address} / {view.name} / {' | '.join(texts)}: {headline}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the headline of every view for ten texts.")
    parser.add_argument("pages", nargs="*", choices=[*BY_ADDRESS, []], help="these pages; all by default")
    chosen = parser.parse_args()
    logging.disable()
    for page in [BY_ADDRESS[address] for address in chosen.pages] or PAGES:
        for line in headlines(page):
            print(line, flush=True)


if __name__ == "__main__":
    main()
