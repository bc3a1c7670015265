"""The page that every visit begins with is Streamlit's, with our scripts first, its fonts, and our style last."""

import re

from pages.canvas.runtime.modules import files, version
from pages.shell import index_page


def test_scripts_come_first_and_the_style_last() -> None:
    page = index_page.index_page()
    assert page.index("<head>") < page.index("<script>") < page.index('<script type="module"')
    assert page.rindex("<style>") > page.rindex('<link rel="stylesheet"')
    for name in (*index_page.SCRIPTS, index_page.STYLE):
        assert page.count((index_page.HOME / name).read_text(encoding="utf-8")) == 1


def test_the_modules_of_every_page_are_asked_for_at_once() -> None:
    page = index_page.index_page()
    asked = re.findall(rf'<link rel="modulepreload" href="\./canvas/{version()}/([^"]+)"', page)
    assert {f"{name}/{name}.js" for name in index_page.COMPONENTS} < set(asked) <= files().keys()
    assert "runtime/component.js" in asked and page.count("modulepreload") >= len(asked) == len(set(asked))


def test_the_fonts_that_are_asked_for_at_once_are_those_of_streamlits_style_sheet() -> None:
    static = index_page._streamlits_own().parent / "static"
    [sheet] = re.findall(r'<link rel="stylesheet"[^>]*href="\./static/(css/[^"]+)"', index_page.index_page())
    used = (static / sheet).read_text(encoding="utf-8")
    asked = re.findall(r'<link rel="preload" href="\./static/media/([^"]+)" as="font"', index_page.index_page())
    assert len(asked) == len(index_page.FONTS)
    assert all(f"url(../media/{font})" in used for font in asked)
