"""Sentences about the paths between heads."""

from core.readings.words import number, percent, quoted

INTO = {"query": "queries", "key": "keys", "value": "values"}


USES = {
    "query": "it says what is looked for",
    "key": "it marks the tokens to be found",
    "value": "it is passed on",
}


def read_strongest(word: str, later: str, earlier: str, entry: str) -> str:
    """Say which two heads work together most when a word is written, and how.

    later, earlier: the names of the heads.
    entry: "query", "key" or "value": what of the later head is made from what the earlier one wrote.
    """
    return f"For {quoted(word)}, what {earlier} hands to {later} matters most: {USES[entry]}."


def read_path(later: str, earlier: str, entry: str, share: float) -> str:
    """Say how much of what a head reads comes from an earlier head."""
    said = f"What {earlier} wrote goes into the {INTO[entry]} of {later}"
    if share < 0:
        return f"{said}, and works against what other parts bring there."
    if entry == "value":
        return f"{said}: {percent(share)} of what that head writes comes from there."
    return f"{said}: {percent(share)} of the differences among its scores come from there."


def read_cut(word: str, change: float, estimate: float, against: str) -> str:
    """Say what happens to a word if the path alone is cut, and what the estimate said.

    against: what the word is compared with; "" for nothing.
    """
    compared = f", compared with {against}," if against else ""
    way = "falls" if change < 0 else "rises"
    return f"Cut this path alone, and {quoted(word)}{compared} {way} by {number(abs(change))}; {_estimated(estimate)}."


def _estimated(change: float) -> str:
    return f"the estimate is a {'fall' if change < 0 else 'rise'} of {number(abs(change))}"


def read_truth(paths: int, correlation: float, worst: float, half: float) -> str:
    """Compare the estimate with the truth over all paths.

    correlation: of their ranks. worst: the largest difference. half: the median size of the real changes.
    """
    return (
        f"Over all {paths:,} paths, the ranks of estimate and truth have a correlation of {number(correlation)}; at "
        f"worst the estimate is off by {number(worst)}. Half of all paths change the word by less than {number(half)}."
    )


def read_furthest(path: str, estimate: float, truth: float) -> str:
    """Name the path for which the estimate is furthest from the truth."""
    return (
        f"Furthest off: {path}, estimated {number(estimate)}, in truth {number(truth)}. A click on a point opens its "
        "path above."
    )


def write_shares(entry: str) -> str:
    """Write in LaTeX the share that an earlier head has in what a head reads."""
    parts = {
        "query": (r"\hat{q}_i^{(a)} \cdot k_j / \sqrt{d_k}", "s_{ij}", "ij"),
        "key": (r"q_i \cdot \hat{k}_j^{(a)} / \sqrt{d_k}", "s_{ij}", "ij"),
        "value": (r"W_O \sum_j w_{ij} \hat{v}_j^{(a)}", "o_i", "i"),
    }
    part, whole, index = parts[entry]
    dot = r" \cdot " if entry == "value" else r"\, "
    return (
        rf"\mathrm{{share}}_a = \frac{{\sum_{{{index}}} \left({part}\right){dot}{whole}}}"
        rf"{{\sum_{{{index}}} {whole}{dot}{whole}}}"
    )
