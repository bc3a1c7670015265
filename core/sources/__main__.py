"""``python -m core.sources`` writes ``assets/SOURCES.md``."""

from core.sources.document import DOCUMENT, sources_document

if __name__ == "__main__":
    DOCUMENT.write_text(sources_document(), encoding="utf-8")
    print(f"{DOCUMENT.name} is written.")
