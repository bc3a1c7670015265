"""The view of why keys and values may be kept: they do not change, and without the mask they would."""

from core.charts.kv_lines import PLAIN_NUMBER
from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.charts.style import short_number
from core.readings.kv_cache import read_movement, write_standing_keys
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import MOVES
from pages.shell import Shown, View
from pages.transformer.kv_cache import queries
from pages.widgets import Chart, Message, Table, Values, spec


def _show(moment: Moment, values: Values) -> Shown:
    """Show how much old keys and values change when one more token is read, with and without the mask."""
    movement = queries.unchanged(moment.run, moment.ids)
    if not movement.rows:
        nothing = "Only one token has been read: there is nothing before it that could change. Press Step."
        return Shown(pictures=[Message(nothing)])
    masked, unmasked = movement.largest
    data = kv_pairs_data(movement.layers, MOVES, masked, unmasked, short_number)
    bars = spec(
        kv_pairs_spec, "How much do old keys and values change?", "largest difference", "layer", MOVES, PLAIN_NUMBER
    )
    return Shown(
        pictures=[Chart(data, bars, key="kv-cache-moves", name="How much old keys and values change")],
        takeaway=read_movement(movement.rows, float(masked.max()), float(unmasked.max()), movement.size),
        formula=write_standing_keys(movement.rows, masked.max()),
        about="Both times the whole text is computed afresh, without and with its last token. In layer 1 a token's key "
        "and value come from the token alone, so they never move. From layer 2 on they come from what attention has "
        "mixed: the causal mask lets in only earlier tokens, which are the same as before. What is left, if "
        "anything, is rounding.",
        table=[Table("moved", *movement.table, corner="layer"), Table("size", *movement.size_table, corner="of all")],
        source=("core.topics.kv_cache.steps.unchanged",),
    )


VIEW = View("why it may be kept", _show)
