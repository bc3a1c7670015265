"""How much longer a visitor waits while another trains word vectors live, in a real Chromium.

    python -m tests.benchmarks.beside_training [--json] [--changes 10] [--rounds 2]

One visitor clicks heads on the page Heads, each time of a model that nobody has run, as in `ui_latency`; another has
Train one open, at rest and playing by turns. The ratio is that of the medians, with the training and without. Both
browsers run on this machine, so the pictures that the training draws for its own visitor are counted too.
"""

import argparse
import os
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.controls import PICTURES, pills
from tests.benchmarks.report import as_json, table
from tests.benchmarks.ui_latency import PROBE, SENTENCE, measure, open_page
from tests.browser.driver import FLAGS, WAIT, address, browser_path, drawn, settled
from tests.browser.server import serving

AIM = 1.5
STEPS = "() => +document.querySelector('.st-key-word-vectors-steps input').value"


def main() -> None:
    parser = argparse.ArgumentParser(description="A visitor's clicks while another visitor trains.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--changes", type=int, default=10, help="measured clicks in each round")
    parser.add_argument("--rounds", type=int, default=2, help="of each kind, by turns")
    options = parser.parse_args()
    path = browser_path()
    if path is None:
        parser.exit(1, "no Chromium found on the path\n")
    load = os.getloadavg()[0]
    with serving("app.py") as base, sync_playwright() as playwright:
        visiting, training = (playwright.chromium.launch(executable_path=path, args=FLAGS) for _ in range(2))
        times, steps = clicks(visiting, training, base, options.changes, options.rounds)
        visiting.close()
        training.close()
    ratio = median(times["playing"]) / median(times["at rest"])
    if options.json:
        medians = {name: round(median(found)) for name, found in times.items()}
        result = {"benchmark": "beside_training", "ratio": round(ratio, 2), "aim": AIM, "median_ms": medians}
        print(as_json(result | {"steps": steps, "cores": os.cpu_count(), "load_before": round(load, 2)}))
        return
    rows = [[name, len(found), round(median(found)), round(max(found))] for name, found in times.items()]
    print(table(["training", "clicks", "median ms", "most ms"], rows))
    print(f"ratio {ratio:.2f}, aim {AIM}; {steps} steps were trained; {os.cpu_count()} cores, load {load:.2f} before")


def clicks(
    visiting: Browser, training: Browser, base: str, changes: int, rounds: int
) -> tuple[dict[str, list[float]], int]:
    """Milliseconds from a click to the last frame, with the training at rest and playing, and the steps trained."""
    other = training.new_page()
    other.set_default_timeout(WAIT)
    other.goto(address(base, "word-vectors", word_vectors_view="train one", word_vectors_steps=0))
    drawn(other)
    tab = visiting.new_page(viewport={"width": 1280, "height": 900})
    tab.set_default_timeout(WAIT)
    tab.add_init_script(path=PROBE)
    open_page(tab, address(base, "heads", t=SENTENCE, d=60), PICTURES["heads"])
    moves = pills(tab, "head", "1", "2", "3", "4")
    times: dict[str, list[float]] = {"at rest": [], "playing": []}
    for _ in range(rounds):
        for name, found in times.items():
            if name == "playing":
                press(other, "Play")
            found += [time["all"] for time in measure(tab, moves, PICTURES["heads"], changes)]
            if name == "playing":
                press(other, "Pause")
    return times, int(other.evaluate(STEPS))


def press(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click()
    tab.get_by_role("button", name="Pause" if name == "Play" else "Play", exact=True).wait_for()
    settled(tab)


if __name__ == "__main__":
    main()
