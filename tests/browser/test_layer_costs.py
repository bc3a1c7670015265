"""The page What a layer costs in a real browser: measuring goes on by itself, and can be stopped."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, settled, stands_at_every_width, widget

Open = Callable[..., Page]
Serve = Callable[[str], str]


def test_a_measurement_is_stopped_and_keeps_what_is_done(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "layer-costs", layer_costs_view="measured", layer_costs_d=16))
    drawn(tab)
    expect(tab.get_by_text("Not measured yet")).to_be_visible()
    settled(tab)  # a key pressed while the page is drawn anew may meet a button that goes
    tab.get_by_role("button", name="Measure").press("Enter")
    expect(tab.get_by_role("button", name="Stop")).to_be_visible()
    expect(tab.get_by_text("Measured on this server's")).to_be_visible()
    tab.evaluate(
        "() => document.querySelector('.st-key-layer-costs-bench-measure button').click()"
    )  # between two ticks
    expect(tab.get_by_role("button", name="Measure")).to_be_visible()
    settled(tab)
    expect(tab.get_by_text("Measured on this server's")).to_be_visible()
    expect(tab.get_by_text("n = 2,048:")).to_have_count(0)
    expect(widget(tab, "layer-costs-time")).to_be_visible()
    stands_at_every_width(tab)
