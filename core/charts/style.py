"""Shared parts of all charts: colours readable on light and dark pages, formatted numbers, and the bare spec."""

from typing import Any

import altair as alt
import numpy as np

# One hue for each meaning: attention weights; probabilities of a next token and their surprisal; any other size.
WEIGHT, CHANCE, SIZE = "#d8437d", "#12889a", "#5b6b85"
# Reserved for queries, keys and values: no chart draws anything else in them.
QUERY, KEY, VALUE = "#0072B2", "#E69F00", "#009E73"
NEGATIVE, POSITIVE = "#7a4fcb", "#d9822b"

# Vega's signal `background` is the page's own colour, so text follows the theme.
INK = alt.expr("luminance(background) > 0.2 ? '#1A1F2B' : '#FFFFFF'")
# Axes, legends and subtitles are quieter than the marks; contrast at least 7 on either page (WCAG asks for 4.5).
QUIET_COLOUR = {"expr": "luminance(background) > 0.2 ? '#4A5162' : '#C3CAD6'"}
QUIET_TEXT: dict[str, Any] = {
    "axis": {"labelColor": QUIET_COLOUR, "titleColor": QUIET_COLOUR},
    "axisQuantitative": {"labelOverlap": "greedy", "labelSeparation": 6},  # if two touch, the later is left out
    "legend": {"labelColor": QUIET_COLOUR, "titleColor": QUIET_COLOUR, "labelLimit": 0},
    "header": {"labelColor": QUIET_COLOUR, "titleColor": QUIET_COLOUR},
    "title": {"subtitleColor": QUIET_COLOUR},
    "mark": {"aria": False},  # a screen reader would say all fields of each mark; the numbers stand in a table
}
# Ctrl or Cmd with the wheel zooms a map; the wheel alone scrolls the page.
ZOOM = "wheel![event.ctrlKey || event.metaKey]"

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def share_colour(column: str, title: str, hue: str = SIZE) -> alt.Color:
    """Return the colour of a share in [0, 1], on a fixed scale: 0 is the background, 1 the full hue.

    hue: "#rrggbb".
    """
    return alt.Color(
        f"{column}:Q",
        title=title,
        scale=alt.Scale(domain=[0, 1], range=[f"{hue}00", f"{hue}d9"], clamp=True),
        legend=alt.Legend(
            orient="bottom", direction="horizontal", values=[0, 0.5, 1], gradientThickness=10, titleLimit=300
        ),
    )


def legend_columns(max_columns: int, *fewer: tuple[int, int]) -> alt.ExprRef:
    """Return an expression for a legend's number of columns: `max_columns`, or fewer if the chart's frame is narrow.

    fewer: (pixels, columns), the narrowest first; the columns apply to frames narrower than these pixels.

    The width of the frame is the same in each pass of the layout, but the plot's is not: with columns that follow the
    plot's width, the title stays where an earlier pass put it, outside the picture.
    """
    expression = str(max_columns)
    for pixels, columns in reversed(fewer):
        expression = f"containerSize()[0] < {pixels} ? {columns} : {expression}"
    return alt.expr(expression)


def bare_spec(chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> dict[str, Any]:
    """Return the chart as a dictionary without data or theme, drawn as SVG.

    The page supplies a data frame with the same columns. Only the tests validate the spec against Vega-Lite's schema,
    because that takes longer than everything else.
    """
    spec = chart.properties(usermeta={"embedOptions": {"renderer": "svg"}}).to_dict(validate=False)
    bare = {key: value for key, value in spec.items() if key not in ("data", "datasets", "$schema", "config")}
    return bare | {"config": QUIET_TEXT}


def moved_and_zoomed() -> alt.Parameter:
    """Return a parameter that moves a map by dragging and zooms it by Ctrl or Cmd and the wheel.

    A double click shows all of the map again.
    """
    return alt.selection_interval(bind="scales", zoom=ZOOM)


def is_zoomed(spec: dict[str, Any]) -> bool:
    """Return whether a chart's spec lets it be zoomed."""
    layers = [spec, *spec.get("layer", ())]
    return any(param.get("bind") == "scales" for layer in layers for param in layer.get("params", ()))


def printed(values: np.ndarray, decimals: int = 2) -> list[str]:
    """Return numbers as printed on a chart, with a real minus sign; "–" if masked or NaN."""
    plain = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan).ravel()
    return ["–" if np.isnan(x) else f"{round(x, decimals) + 0.0:.{decimals}f}".replace("-", "−") for x in plain]


def share_label(share: float, digits: int = 0) -> str:
    """Return a share as a short label such as "12%".

    "100%" and "0%" are used only for all and nothing (within 10⁻⁶ of 1 for all); otherwise it is ">99%" and "<1%".
    """
    text, step = f"{100 * share:.{digits}f}", 10.0**-digits
    if share < 1 - 1e-6 and float(text) >= 100:
        return f">{100 - step:.{digits}f}%"
    if share > 0 and float(text) == 0:
        return f"<{step:.{digits}f}%"
    return f"{text.removesuffix('.0') if float(text) in (0, 100) else text}%"


def short_number(x: float, digits: int = 2) -> str:
    """Return a number in few letters: "0.25", "1.3·10⁻⁶"."""
    mantissa, _, power = f"{x:.{digits}g}".partition("e")
    text = f"{mantissa}·10{str(int(power)).translate(SUPERSCRIPTS)}" if power else mantissa
    return text.replace("-", "−")
