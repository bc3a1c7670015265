"""Turn the markdown and the formulas of a page into HTML that needs no script."""

import html
import re
from functools import cache
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markupsafe import Markup

from core.lessons.glossary import BY_NAME
from pages.canvas.runtime.mathml import mathml, mathml_parts
from pages.widgets.terms import GLOSSARY, TERM_KEY, explained

ICON = re.compile(r":material/\w+:\s*")
MATH = re.compile(r"(?<![\\$])\$\$?((?:[^$\\]|\\.)+?)\$\$?(?!\$)")
HELD_FORMULA = re.compile("\ue000(\\d+)\ue001")
TERM = re.compile(rf'<a href="{GLOSSARY}\?{TERM_KEY}=([^"]*)">')
OTHER_LINK = re.compile(r'<a href="(?!#)[^"]*">(.*?)</a>', re.DOTALL)


class PageWords:
    """The words of a saved page as HTML.

    terms: the names of the terms explained so far, in their order.
    """

    def __init__(self) -> None:
        self.terms: list[str] = []
        self._seen: set[str] = set()
        self._written: dict[str, Markup] = {}  # so that the same words of several frames are the same HTML

    def html(self, markdown: str) -> Markup:
        """Return the project's own markdown as HTML, with links from its terms to their explanations in the page.

        Text that people typed has gone through `plain` before. HTML in it stays text; links to pages of the app become
        their words.
        """
        if markdown not in self._written:
            rendered = _held(explained(ICON.sub("", markdown), self._seen)) if markdown else ""
            self._written[markdown] = Markup(OTHER_LINK.sub(r"\1", TERM.sub(self._term, rendered)))
        return self._written[markdown]

    def inline(self, markdown: str) -> Markup:
        """Return one line of the project's own markdown as HTML, without links."""
        return _held(ICON.sub("", markdown), inline=True)

    def explanations(self) -> Markup:
        """Return a list of the linked terms with their explanations; "" if there are none."""
        term = Markup('<dt id="{}">{}</dt><dd>{}</dd>')
        items = (term.format(_anchor(name), name, _held(BY_NAME[name].text, inline=True)) for name in self.terms)
        listed = Markup("<details open><summary>What the underlined words mean</summary><dl>{}</dl></details>")
        return listed.format(Markup("").join(items)) if self.terms else Markup("")

    def _term(self, match: re.Match[str]) -> str:
        name = unquote(html.unescape(match[1]))
        if name not in self.terms:
            self.terms.append(name)
        return f'<a href="#{_anchor(name)}">'


def formula(latex: str) -> Markup:
    r"""Return a formula as MathML in a block; \qquad separates its parts, which stand in blocks of their own."""
    block = Markup('<div class="formula">{}</div>')
    return Markup("").join(block.format(Markup(part)) for part in mathml_parts(latex))


def _held(markdown: str, inline: bool = False) -> Markup:
    """Return markdown as HTML, with its formulas as MathML."""
    formulas: list[str] = []

    def keep(match: re.Match[str]) -> str:
        formulas.append(mathml(match[1]))
        return f"\ue000{len(formulas) - 1}\ue001"

    text = MATH.sub(keep, markdown)
    rendered = _markdown().renderInline(text) if inline else _markdown().render(text)
    return Markup(HELD_FORMULA.sub(lambda match: formulas[int(match[1])], rendered))


def _anchor(name: str) -> str:
    return "term-" + re.sub(r"\W+", "-", name)


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
