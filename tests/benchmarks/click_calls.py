"""How much Python a click runs: the calls into our files while the page's fragment is drawn again, with warm caches.

    python -m tests.benchmarks.click_calls [--json] [--page heads] [--setting head] [--values 1 2] [--most 12]

The app runs in Streamlit's AppTest, without a browser. The setting takes each value once, so that everything is
cached; then the calls of one more change are counted, a generator that goes on as one call. Neither Streamlit's own
calls nor those of other libraries count. The numbers do not depend on how busy the machine is.
"""

import argparse
import threading
from collections import Counter
from types import FrameType

from streamlit.testing.v1 import AppTest

from tests.benchmarks.report import as_json, table
from tests.pages.conftest import opened
from tests.pages.house import BY_ADDRESS, path_of
from tests.rooms import ROOT

FRAGMENT = str(ROOT / "pages/shell/page_host.py"), "_views"  # what Streamlit runs again after a click
AIM = {"calls": 2500, "files": 60}


class FragmentProfile:
    """Counts the calls by file between the beginning and the end of the fragment, in every thread begun meanwhile."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._inside = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if (code.co_filename, code.co_name) == FRAGMENT:
            self._inside = event == "call"
        if self._inside and event == "call" and code.co_filename.startswith((f"{ROOT}/pages", f"{ROOT}/core")):
            self.calls[code.co_filename.removeprefix(f"{ROOT}/")] += 1


def change(at: AppTest, setting: str, value: int) -> None:
    at.session_state[setting] = value
    at.run()
    assert not at.exception, at.exception[0].message


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--page", default="heads")
    parser.add_argument("--setting", default="head")
    parser.add_argument("--values", type=int, nargs=2, default=(0, 1))
    parser.add_argument("--most", type=int, default=12, help="how many files are listed")
    chosen = parser.parse_args()
    page = BY_ADDRESS[chosen.page]
    at = opened(path_of(page), **({"model": page.model} if page.model else {}))
    for value in (*chosen.values, *chosen.values):
        change(at, chosen.setting, value)
    profile = FragmentProfile()
    threading.setprofile(profile)  # AppTest runs the app in a thread of its own
    try:
        change(at, chosen.setting, chosen.values[0])
    finally:
        threading.setprofile(None)
    found = {"calls": profile.calls.total(), "files": len(profile.calls)}
    if chosen.json:
        print(as_json(found | {"aim": AIM, "by file": dict(profile.calls.most_common())}))
        return
    print(", ".join(f"{name}: {count:,} (aim: {AIM[name]:,} or fewer)" for name, count in found.items()))
    print(table(("calls", "file"), [(count, name) for name, count in profile.calls.most_common(chosen.most)]))


if __name__ == "__main__":
    main()
