"""The permutation test: shuffle the words of the visitor's text and see what the models notice."""

import streamlit as st

from core.charts.positions_shuffle import shuffle_data
from core.explorer.positions.shuffle import Shuffled, shuffled, token_order
from core.model.masks import MaskSpec
from core.readings.positions import read_shuffle
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui import cache as models
from pages.ui.numbers import numbers
from pages.ui.positions import cache, specs
from pages.ui.positions.choices import ORDER
from pages.ui.say import code, formula, notes, plain, reading
from pages.ui.settings import ask

ENCODERS = ("sentiment", "translator")


def show_shuffle(run: Run) -> None:
    """Six fresh encoders, two trained ones, and the chosen model, on the same shuffled text."""
    st.markdown(
        "The words are shuffled, the model reads them, and its outputs are put back into the old order. If nothing has "
        "changed, the outputs only **moved along**: the model cannot know the order."
    )
    seed = ask(ORDER, width=180)
    found = {f"fresh encoder, {kind}": each for kind, each in cache.shuffled_fresh(run, seed).items()}
    trained, left_out = _trained(run, seed)
    found |= trained
    mine = cache.shuffled(run, seed)
    name = run.checkpoint or "fresh"
    if not (f"{name}, {run.config.positions}" in trained and not mine.masked):
        found[f"your model: {name}"] = mine
    if mine.movable < 2:
        st.info("One word has only one order. Type two or more.", icon=":material/info:")
        return
    _texts(mine)
    with st.container(key="positions-shuffle"):
        each = found.values()
        data = shuffle_data(
            list(found), [e.least for e in each], [e.largest for e in each], [e.moves_along for e in each]
        )
        st.vega_lite_chart(data, specs.shuffle(), width="stretch")
    chart_save("positions-shuffle", name="The permutation test")
    reading(read_shuffle(run.config.positions, mine.largest, mine.size, mine.moves_along, mine.masked))
    formula(r"f(\Pi X) = \Pi f(X) \qquad \text{for every shuffle } \Pi \qquad \text{if nothing tells the order}")
    notes(left_out)
    st.caption(
        "The dot is the token that differs most; the bar reaches down to the one that differs least. Fresh encoders "
        "have the default sizes and differ in their positions only. Trained models read the text with their own "
        "tokenizer; of a translator, the encoder is tested. All of it in float32; a difference below one thousandth of "
        "the largest output counts as rounding."
    )
    labels = list(mine.labels)
    numbers("shuffle", mine.apart[None], ["difference"], labels, "positions-shuffle-numbers", "your model")
    code(shuffled, token_order, key="positions-code-shuffle")


def _trained(run: Run, seed: int) -> tuple[dict[str, Shuffled], list[str]]:
    """The trained encoders that can read the text, and why others were left out."""
    found, left_out = {}, []
    for name in ENCODERS:
        if name not in models.model_names():
            continue
        try:
            known = models.trained(name)
            text = run.text.lower() if known.lower else run.text
            plain_run = Run(
                text, known.config, text, mask=MaskSpec(), checkpoint=name, begin=known.begin, end=known.end
            )
            found[f"{name}, {known.config.positions}"] = cache.shuffled(plain_run, seed)
        except ValueError as mistake:
            left_out.append(f"{name} is left out: {mistake}")
    return found, left_out


def _texts(mine: Shuffled) -> None:
    shown = 40
    for label, words in (("Before", mine.before), ("After", mine.after)):
        rest = " …" if len(words) > shown else ""
        st.markdown(f"{label}: {plain(' '.join(words[:shown]))}{rest}")
