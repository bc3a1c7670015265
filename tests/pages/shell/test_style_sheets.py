"""Style sheets of the shell name no topic, those of a topic only their own, and Streamlit has what they select."""

import re
from pathlib import Path

import pytest
from streamlit import file_util

from pages.shell.index_page import HOME, index_page
from pages.shell.presenting import STYLE, present_styles
from tests.pages.house import PAGES

SHELL = (HOME / "style.css", HOME / "presenting.css")
TOPICS = {page.address: sorted(Path(page.file).parent.glob("*.css")) for page in PAGES}
SHEETS = [*SHELL, *(sheet for sheets in TOPICS.values() for sheet in sheets)]
# The names of Streamlit's elements that our style sheets select, none of which it promises to keep. Select a key of our
# own (`.st-key-…`) wherever there is one.
STREAMLIT_NAMES = {
    *("data-grid-canvas", "stApp", "stBaseButton-primary", "stBaseButton-tertiary", "stButtonGroup"),
    *("stCaptionContainer", "stColumn", "stElementContainer", "stElementToolbar", "stFullScreenFrame"),
    *("stGridScrollBody", "stHeader", "stHeaderLogo", "stHorizontalBlock", "stLayoutWrapper", "stLogoLink", "stMain"),
    *("stMainBlockContainer", "stMarkdownContainer", "stNumberInput", "stNumberInputContainer", "stPopoverButton"),
    *("stRadio", "stRadioOption", "stSelectbox", "stSidebar", "stSlider", "stToolbar", "stTopNavSection"),
    *("stVegaLiteChart", "stVerticalBlock", "stWidgetLabel"),
    *("stBaseButton-", "stCheckbox", "stExpandSidebarButton", "stExpander", "stNumberInputStepDown"),
    *("stNumberInputStepUp", "stPageLink-NavLink", "stSidebarNavLink"),
}


def selectors(sheet: Path) -> list[str]:
    """The selectors of a sheet's outermost rules; those of `@media` and `@container` are looked into."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"[^{};]+(?=\{)", text)
    return [selector.strip() for selector in found if not selector.strip().startswith(("@", "&"))]


def named_topics(text: str) -> set[str]:
    return {page.address for page in PAGES if re.search(rf"-{page.address}-", text)}


@pytest.mark.parametrize("sheet", SHELL, ids=lambda sheet: sheet.name)
def test_the_shells_style_sheets_name_no_topic(sheet: Path) -> None:
    assert {selector: named_topics(selector) for selector in selectors(sheet) if named_topics(selector)} == {}


@pytest.mark.parametrize("address", [address for address, sheets in TOPICS.items() if sheets])
def test_each_rule_of_a_topic_is_for_its_own_keys(address: str) -> None:
    found = [selector for sheet in TOPICS[address] for selector in selectors(sheet)]
    assert found and all(named_topics(selector) == {address} for selector in found)
    assert {sheet.name for sheet in TOPICS[address]} <= {"style.css", "presenting.css"}


def test_every_page_brings_the_style_sheets_of_all_topics() -> None:
    sheets = [sheet.read_text(encoding="utf-8") for sheet in SHEETS if sheet.name == "style.css"]
    assert len(sheets) > 1 and all(index_page().count(sheet) == 1 for sheet in sheets)


def test_the_names_of_streamlits_elements_are_those_in_the_list() -> None:
    used = re.compile(r'data-testid\^?="?([\w-]+)')
    assert {name for sheet in SHEETS for name in used.findall(sheet.read_text(encoding="utf-8"))} == STREAMLIT_NAMES


def test_streamlit_gives_its_elements_these_names() -> None:
    quoted = re.compile(rb"[`\"'](st[A-Z][\w-]+|data-grid-canvas)(?=[`\"'$])")
    scripts = (Path(file_util.get_static_dir()) / "static" / "js").glob("*.js")
    known = {name.decode() for script in scripts for name in quoted.findall(script.read_bytes())}
    assert {re.sub("^(stBaseButton-).*", r"\1", name) for name in STREAMLIT_NAMES} - known == set()


def test_present_brings_its_style_sheet_and_that_of_the_page() -> None:
    own = {address: [sheet for sheet in sheets if sheet.name == STYLE.name] for address, sheets in TOPICS.items()}
    assert any(own.values()) and not all(own.values())
    for page in PAGES:
        text = "".join(sheet.read_text(encoding="utf-8") for sheet in (STYLE, *own[page.address]))
        assert present_styles(page.file) == f"<style>{text}</style>"
