"""What a browser's translator does to a page; this one changes no word: the page has to read as it does without it."""

from pathlib import Path

TRANSLATOR = Path(__file__).with_name("translator.js").read_text(encoding="utf-8")
WAYS = ("replaces", "moves")  # what becomes of a text node
