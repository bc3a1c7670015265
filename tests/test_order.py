"""The order of the tests where several workers share them."""

from tests.conftest import dealt


def test_each_worker_begins_with_tests_in_a_browser():
    browser = [f"tests/browser/{file}::{number}" for file in "abcd" for number in range(3)]
    others = [f"tests/core/e::{number}" for number in range(10, 29)]
    names = sorted([*browser, *others])
    order = dealt(names, 3, lambda name: name.partition("::")[0])
    assert sorted(order) == names and [name for name in order if name in others] == others
    assert all("browser" in name for start in (0, 10, 20) for name in order[start : start + 3])
    assert dealt(names, 1, str) == names
