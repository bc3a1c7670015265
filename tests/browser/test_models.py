"""Choosing a trained model in a real browser: the address carries what applies to it, and reopens the same screen."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import (
    address,
    drawn,
    enter,
    in_address,
    location,
    looked_until,
    open_box,
    pill,
    settled,
    widget,
)

Open = Callable[..., Page]


def choose(tab: Page, title: str) -> None:
    """In the drawer, which is opened where it is shut."""
    if (opener := tab.get_by_test_id("stExpandSidebarButton")).is_visible():
        opener.click()
        expect(opener).to_be_hidden()
    settled(tab)
    box = tab.locator("[class*=st-key-model-list-]").locator("input")
    box.click()
    box.fill(title)
    tab.get_by_role("option", name=title, exact=True).click()
    settled(tab)


def pixels(tab: Page) -> list[str]:
    drawn(tab)
    return list(tab.locator("canvas.base").evaluate_all("(all) => all.map((canvas) => canvas.toDataURL())"))


def test_the_address_carries_only_what_applies_to_the_model(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "architecture", d=32, seed=5))
    choose(tab, "Toy, writes letters backwards")
    expect(widget(tab, "t").locator("input")).to_have_value("kqzbmtwa")
    expect(open_box(tab, "tt")).to_have_value("awtmbzqk")
    tab.keyboard.press("Escape")
    only = "() => !/[?&](?!(model|layer|head)=)/.test(location.search)"
    in_address(tab, "model=toy-reverse")
    tab.wait_for_function(only)
    choose(tab, "Random weights")
    expect(widget(tab, "d").locator("input")).to_have_value("32")
    in_address(tab, "model=random+weights", "d=32", "seed=5")


def test_the_decoders_text_comes_with_attention_that_reads_it(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "heads", model="translator", t="The cat sleeps."))
    drawn(tab)
    asked = tab.get_by_role("button", name="Text of the decoder", exact=True)
    expect(asked).to_be_hidden()
    pill(tab, "attention", "cross").click()
    expect(asked).to_be_visible()
    tab.keyboard.press("Escape")
    settled(tab)
    enter(tab, "tt", "Le chien mange.")
    in_address(tab, "tt=Le+chien+mange.", "attention=cross")
    settled(tab)
    tab.keyboard.press("Escape")
    pill(tab, "attention", "encoder").click()
    expect(asked).to_be_hidden()
    in_address(tab, "tt=Le+chien+mange.")


def test_what_the_weights_fix_leaves_a_hand_made_address(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "heads", model="toy-copy", d=32, heads_step_of_training=300))
    expect(tab.get_by_text("d_model is fixed by the weights of “Toy, repeats letters”.")).to_be_visible()
    expect(tab.get_by_text("The weights after 300 of 2,000 steps.")).to_be_visible()
    tab.wait_for_function("() => !location.search.includes('d=32')")
    in_address(tab, "model=toy-copy", "heads-step-of-training=300")


def test_the_slider_goes_through_training_and_the_address_reopens_it(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "heads", model="toy-copy", layer=2))
    before = pixels(tab)
    widget(tab, "heads_step_of_training").locator("input[type=range], [role=slider]").first.press("Home")
    expect(tab.get_by_text("The random weights before training.")).to_be_visible()
    in_address(tab, "heads-step-of-training=0")
    settled(tab)
    assert looked_until(tab, lambda: pixels(tab), lambda now: now != before) != before
    again = page(location(tab))
    now, then = looked_until(again, lambda: (pixels(again), pixels(tab)), lambda both: both[0] == both[1] != before)
    assert now == then != before


def test_a_model_of_another_page_is_one_click_away(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "translate"))
    tab.get_by_test_id("stExpandSidebarButton").click()
    tab.get_by_text("Models that this page cannot show").click()
    tab.get_by_role("link", name="Toy, repeats letters: see Generate").press("Enter")  # the list still opens
    expect(widget(tab, "model-card")).to_contain_text("Toy, repeats letters")
    expect(widget(tab, "t").locator("input")).to_have_value("kqzbmtwkqzb")
    tab.wait_for_function("() => location.pathname.endsWith('generate') && location.search.includes('?model=toy-copy')")
    widget(tab, "model-card").get_by_role("button").click()
    tab.get_by_role("dialog").get_by_role("link", name="Heads").click()
    expect(tab.get_by_role("heading", name="What does each head look at?")).to_be_visible()
    settled(tab)
    expect(widget(tab, "model-card")).to_contain_text("Toy, repeats letters")
    expect(tab.get_by_text("could not be used")).to_have_count(0)


def test_the_card_opens_and_closes(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "heads", model="toy-sort"))
    widget(tab, "model-card").get_by_role("button").click()
    card = tab.get_by_role("dialog")
    expect(card).to_contain_text("An encoder-decoder that writes letters in order")
    expect(card).to_contain_text("It knows the 26 small letters and nothing else")
    expect(card).to_contain_text("python -m core.training toy-sort")
    card.get_by_label("Card").click()
    tab.get_by_role("option", name="Word vectors, CBOW and skip-gram", exact=True).click()
    expect(card).to_contain_text("Word vectors have no attention")
    expect(card).to_contain_text("Analogies, CBOW")
    tab.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_the_first_head_chosen_on_a_page_that_opens_elsewhere_is_in_the_address(
    page: Open, serve: Callable[[str], str]
) -> None:
    tab = page(address(serve("app.py"), "self-attention"))
    drawn(tab)
    assert "layer=" in tab.url or "head=" in tab.url  # it opens with another head
    for key in ("layer", "head"):
        pill(tab, key, "1").click()
        expect(pill(tab, key, "1")).to_be_checked()
    in_address(tab, "layer=1", "head=1")
    settled(tab)
    tab.reload()
    drawn(tab)
    for key in ("layer", "head"):
        expect(pill(tab, key, "1")).to_be_checked()
