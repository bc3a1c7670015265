"""What all charts share: colours that read on a light and on a dark page, written numbers, and the bare spec."""

from typing import Any

import altair as alt
import numpy as np

# One hue for one meaning: attention weights; chances of a next token and the surprise in them; any other size.
WEIGHT, CHANCE, SIZE = "#d8437d", "#12889a", "#5b6b85"
NEGATIVE, POSITIVE = "#7a4fcb", "#d9822b"

# Vega's signal `background` is the page's own colour, so text follows the theme.
INK = alt.expr("luminance(background) > 0.2 ? '#1A1F2B' : '#FFFFFF'")
# Axes, legends and subtitles are quieter than the marks; contrast at least 7 on either page (WCAG asks for 4.5).
QUIET = {"expr": "luminance(background) > 0.2 ? '#4A5162' : '#C3CAD6'"}
QUIET_TEXT: dict[str, Any] = {
    "axis": {"labelColor": QUIET, "titleColor": QUIET},
    "axisQuantitative": {"labelOverlap": "greedy", "labelSeparation": 6},  # of two that touch, the later is left out
    "legend": {"labelColor": QUIET, "titleColor": QUIET, "labelLimit": 0},
    "header": {"labelColor": QUIET, "titleColor": QUIET},
    "title": {"subtitleColor": QUIET},
}
# A map is zoomed by Ctrl or Cmd and the wheel; the wheel alone scrolls the page.
ZOOM = "wheel![event.ctrlKey || event.metaKey]"

# Rows in the order of the data's column "place". With `sort=None`, labels that a chart has drawn before stay in front
# of new ones when it is given other data.
BY_PLACE = alt.EncodingSortField("place", op="min")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def share_colour(column: str, title: str, hue: str = SIZE) -> alt.Color:
    """The colour of a share in [0, 1], on a fixed scale: 0 is the background, 1 the full hue. hue: "#rrggbb"."""
    return alt.Color(
        f"{column}:Q",
        title=title,
        scale=alt.Scale(domain=[0, 1], range=[f"{hue}00", f"{hue}d9"], clamp=True),
        legend=alt.Legend(
            orient="bottom", direction="horizontal", values=[0, 0.5, 1], gradientThickness=10, titleLimit=300
        ),
    )


# A layout that is not made anew at each change: that puts the title of a narrow chart outside the picture.
FITTED = alt.AutoSizeParams(type="fit", contains="padding", resize=False)


def legend_columns(most: int, *fewer: tuple[int, int]) -> alt.ExprRef:
    """Columns of a legend: `most`, and fewer where the chart's frame is narrower than so many pixels.

    fewer: (pixels, columns), the narrowest first. The frame is as wide in each pass of the layout; the plot is not, and
    with columns that follow its width the title stays where an earlier pass put it, outside the picture.
    """
    said = str(most)
    for pixels, columns in reversed(fewer):
        said = f"containerSize()[0] < {pixels} ? {columns} : {said}"
    return alt.expr(said)


def bare_spec(chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> dict[str, Any]:
    """The chart as a dictionary without data or theme, drawn as SVG; the page gives it a frame of the same columns.

    Held against Vega-Lite's schema by the tests only, for that takes longer than all the rest.
    """
    spec = chart.properties(usermeta={"embedOptions": {"renderer": "svg"}}).to_dict(validate=False)
    bare = {key: value for key, value in spec.items() if key not in ("data", "datasets", "$schema", "config")}
    return bare | {"config": QUIET_TEXT}


def moved_and_zoomed() -> alt.Parameter:
    """Let a map be moved by dragging and zoomed by Ctrl or Cmd and the wheel; a double click shows all of it again."""
    return alt.selection_interval(bind="scales", zoom=ZOOM)


def is_zoomed(spec: dict[str, Any]) -> bool:
    """Whether a chart's description lets it be zoomed."""
    layers = [spec, *spec.get("layer", ())]
    return any(param.get("bind") == "scales" for layer in layers for param in layer.get("params", ()))


def printed(values: np.ndarray, decimals: int = 2) -> list[str]:
    """Numbers as printed on a chart, with a real minus sign; "–" where masked or not a number."""
    plain = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan).ravel()
    return ["–" if np.isnan(x) else f"{round(x, decimals) + 0.0:.{decimals}f}".replace("-", "−") for x in plain]


def share_label(share: float, digits: int = 0) -> str:
    """A share as a short label: "12%", and never "100%" or "0%" of anything but all and nothing: ">99%", "<1%"."""
    text, step = f"{100 * share:.{digits}f}", 10.0**-digits
    if share < 1 - 1e-6 and float(text) >= 100:
        return f">{100 - step:.{digits}f}%"
    if share > 0 and float(text) == 0:
        return f"<{step:.{digits}f}%"
    return f"{text.removesuffix('.0') if float(text) in (0, 100) else text}%"


def short_number(x: float, digits: int = 2) -> str:
    """A number in few letters: "0.25", "1.3·10⁻⁶"."""
    mantissa, _, power = f"{x:.{digits}g}".partition("e")
    text = f"{mantissa}·10{str(int(power)).translate(SUPERSCRIPTS)}" if power else mantissa
    return text.replace("-", "−")
