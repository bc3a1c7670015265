"""Any string for any setting of any page: what cannot be used leaves the address with a note, and the page stands."""

from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shell.page import Page
from pages.shell.url_params import fits, on_one_line, refused, usable_params
from pages.widgets.setting import Setting
from tests.pages.conftest import Open
from tests.pages.house import KNOWN, PAGES, path_of
from tests.pages.screen import address_of

BY_KEY = {setting.key: setting for setting in KNOWN}
NUMBERS = ("inf", "-inf", "Infinity", "nan", "1e400", "-1e400", "1e-400", "9" * 400, "-1", "0x10", "1_0", "٣", "1,5")
WORDS = ("", " ", "None", "null", "true", "TRUE", "[]", "\x00", "‮", "�", "<script>alert(1)</script>", "![x](//x.y/z)")
HOSTILE = (*NUMBERS, *WORDS)
EVERY = 10
DRAWN = st.one_of(st.sampled_from(HOSTILE), st.floats().map(str), st.integers().map(str), st.text(max_size=20))
KEYS = st.one_of(st.sampled_from([setting.key for setting in KNOWN]), st.text(max_size=9))


@given(st.dictionaries(KEYS, st.lists(DRAWN, min_size=1, max_size=3), max_size=8))
def test_what_is_kept_can_be_used_and_the_rest_is_named(params: dict[str, list[str]]) -> None:
    usable = usable_params(params, KNOWN)
    assert all(fits(BY_KEY[key], value) for key, values in usable.items() for value in values)
    assert usable_params(usable, KNOWN) == usable and refused(usable, KNOWN) == []
    texts = {key for key in params if key in BY_KEY and BY_KEY[key].kind == "text"}
    asked = {key: [on_one_line(each) for each in values] if key in texts else values for key, values in params.items()}
    changed = [key for key in params if usable.get(key) != asked[key]]
    assert len(refused(params, KNOWN)) == len(changed)


@given(st.sampled_from(KNOWN), st.data())
def test_what_a_setting_may_hold_is_kept(setting: Setting, data: st.DataObject) -> None:
    if setting.options:
        value = data.draw(st.sampled_from(setting.options))
    elif setting.kind == "toggle":
        value = data.draw(st.sampled_from(["true", "false"]))
    elif setting.kind == "text":
        value = on_one_line(data.draw(st.text()))
    elif setting.kind == "float":
        value = str(data.draw(st.floats(setting.low, setting.high)))
    else:
        value = str(data.draw(st.integers(int(setting.low), int(setting.high))))
    assert usable_params({setting.key: [value]}, KNOWN) == {setting.key: [value]}


def test_a_line_break_in_an_address_parts_two_words() -> None:
    assert usable_params({"t": ["one\ntwo\r\nthree"]}, KNOWN) == {"t": ["one two three"]}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_every_page_stands_whatever_its_settings_are_given(page: Page, open_page: Open) -> None:
    """Each page gets others of the values for a setting; together, all of them."""
    for start in range(PAGES.index(page) % EVERY, len(HOSTILE), EVERY):
        asked = {key: [value] for key, value in zip(BY_KEY, islice(cycle(HOSTILE), start, None), strict=False)}
        app = open_page(path_of(page), **asked)
        assert set(refused(asked, KNOWN)) <= set(app.session_state["visit"].notes)
        left = {key: [value] if isinstance(value, str) else value for key, value in address_of(app).items()}
        assert usable_params(left, KNOWN) == left
