"""How long a first visit waits for its first picture, in a real Chromium, as a multiple of a bare page's first words.

    python -m tests.benchmarks.cold_visit [--json] [--visits 5] [--pages heads depth] [--slow]

Every visit is a browser context of its own, with nothing cached, on a server that others have visited before: the bare
page (`bare.py`) and each page of the app in turn. The clock is the page's own, from the start of its navigation to the
first frame in which nothing drawn is blank and the script has ended. With --slow the browser is that of a slow phone:
its processor is 4 times slower, and its network brings 1.6 Mbit a second, 150 ms after it is asked.
"""

import argparse
import os
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.report import as_json, table
from tests.browser.driver import FLAGS, address, browser_path, drawn, settled
from tests.browser.server import serving
from tests.pages.house import PAGES

AIM = 1.5
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
SLOWDOWN = 4  # of the processor
BARE = "tests/benchmarks/bare.py"


def visit(browser: Browser, url: str, bare: bool, slow: bool = False) -> float:
    """Milliseconds until the page stands."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    if slow:
        devtools = context.new_cdp_session(tab)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    tab.goto(url)
    if bare:
        tab.get_by_text("Layer 1").wait_for()
    else:
        drawn(tab)
    settled(tab)
    time = float(tab.evaluate("() => performance.now()"))
    context.close()
    return time


def main() -> None:
    parser = argparse.ArgumentParser(description="A first visit, from its address to its first picture.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--visits", type=int, default=5, help="measured visits of each page")
    parser.add_argument("--pages", nargs="+", choices=[page.address for page in PAGES], help="these pages")
    parser.add_argument("--slow", action="store_true", help="as on a slow phone")
    options = parser.parse_args()
    path = browser_path()
    if path is None:
        parser.exit(1, "no Chromium found on the path\n")
    load = os.getloadavg()[0]
    with serving("app.py") as base, serving(BARE) as plain, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        pages = options.pages or [page.address for page in PAGES]
        urls = {page: address(base, page if page != PAGES[0].address else "") for page in pages}
        urls = {"bare": plain} | urls
        times: dict[str, list[float]] = {name: [] for name in urls}
        for number in range(options.visits + 1):
            for name, url in urls.items():
                time = visit(browser, url, name == "bare", options.slow)
                if number:
                    times[name].append(time)
        browser.close()
    floor = median(times["bare"])
    rows = [
        {"page": name, "n": len(each), "median": round(median(each)), "times_bare": round(median(each) / floor, 2)}
        for name, each in times.items()
    ]
    if options.json:
        print(
            as_json({"benchmark": "cold_visit", "aim": AIM, "rows": rows, "cores": os.cpu_count(), "load_before": load})
        )
        return
    print(table(list(rows[0]), [list(row.values()) for row in rows]))
    print(f"milliseconds; aim: {AIM} times the bare page; {os.cpu_count()} cores, load {load:.2f} at the start")


if __name__ == "__main__":
    main()
