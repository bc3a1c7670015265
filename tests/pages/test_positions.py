"""The page about positions: every view opens with anything, and shows the core's own numbers."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pages.ui.address import refused
from pages.ui.say import plain

from core.analysis.orthogonality import SIZES, histogram, random_cosines
from core.analysis.positions import closest, wavelength, wavelength_in_theory
from core.explorer.positions.encodings import Encoding, dot_products, encode, shifted
from core.explorer.positions.far import long_text, pair, turned
from core.explorer.positions.shuffle import fresh_encoders, shuffled, shuffled_fresh
from core.explorer.positions.terms import TERMS, angles, terms
from core.explorer.shared.places import Place
from core.model.config import POSITIONS as KINDS
from core.readings.positions import (
    read_closest,
    read_distances,
    read_long,
    read_pair,
    read_random,
    read_shift,
    read_shuffle,
    read_terms,
    read_turned,
    read_waves,
)
from pages.ui import choices
from pages.ui.positions.choices import FAR, PVIEW, RANDOM
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, behind, called, charts, look, pictures, said

PAGE = "pages/attention/positions.py"
LONG = "a cat, a dog. " * 200
REFUSALS = (
    "which are not added to its tokens",
    "passes through tanh",
    "share no positions",
    "has no vector for a position after them",
    "must be even",
    "bits, but the width",
)
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder", "pos": "rotary", "t": HOSTILE},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2", "t": HOSTILE, "tt": HOSTILE},
    {"t": "a", "pos": "none", "plen": "2", "pwide": "2", "pk": "511", "pdraws": "1000", "pn": "2"},
    {"d": "2", "h": "1", "n": "1", "dk": "1", "pos": "learned", "pwide": "1024", "plen": "512", "prow": "511"},
    {"kind": "decoder", "t": LONG, "dtype": "bfloat16", "d": "1024", "h": "16", "n": "1", "pos": "binary", "pk": "1"},
    {"pos": "alibi", "score": "additive", "mask": ["padding", "block"], "pads": "3", "block": "1", "h": "3", "d": "48"},
    {"model": "storyteller-small"},
    {"model": "translator", "attention": "decoder"},
    {"model": "toy-copy"},
]


def line(frame: pd.DataFrame, name: str) -> np.ndarray:
    return frame[frame["line"] == name]["y"].to_numpy()


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(PAGE, **params)
    more = {"beyond": ("pfar", FAR.options), "random vectors": ("pvec", RANDOM.options)}
    for view in PVIEW.options:
        key, options = more.get(view, ("penc", ("sinusoidal",)))
        for option in options:
            look(at, pview=view, **{key: option})
            assert all(any(known in error.value for known in REFUSALS) for error in at.error), (view, option)
            assert "nan" not in said(at) and "None" not in said(at).replace("**None.**", ""), (view, option)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", [{}, {"plen": "512", "pwide": "1024", "pk": "511"}, {"plen": "2", "pwide": "7"}])
def test_every_encoding_opens_in_every_view(open_page: Open, kind: str, sizes: dict[str, str]) -> None:
    at = open_page(PAGE, penc=kind, **sizes)
    for view in PVIEW.options[:4]:
        look(at, pview=view)
        assert not at.exception, (view, at.exception[0].message)
        odd = kind == "rotary" and sizes.get("pwide") == "7" and view != "shift"
        assert len(at.error) == odd and "nan" not in said(at), view


def test_an_empty_text_leaves_the_page_standing(open_page: Open) -> None:
    at = open_page(PAGE, t="", pview="shuffle")
    assert at.error and not at.exception and len(charts(at)) == 1


def test_the_heatmap_is_the_table_and_a_number_is_worked_out(open_page: Open) -> None:
    at = open_page(PAGE, plen="20", pwide="10", pbase="50", prow="7", pcol="3")
    table = encode(Encoding("sinusoidal", 20, 10, 50.0))
    (picture,) = pictures(at, "positions-table")
    np.testing.assert_array_equal(picture["values"][0], table)
    assert picture["panels"][0]["selected"] == [7, 3]
    assert plain(read_closest("sinusoidal", closest(table))) in said(at)
    assert rf"= {table[7, 3]:.4f}" in " ".join(element.value for element in at.latex)
    look(at, penc="learned", seed=5)
    (picture,) = pictures(at, "positions-table")
    np.testing.assert_array_equal(picture["values"][0], encode(Encoding("learned", 20, 10, seed=5)))
    assert "None of the trained models here has learned positions" in said(at).replace("\\", "")


def test_waves_are_columns_of_the_table(open_page: Open) -> None:
    at = open_page(PAGE, pview="waves", pdims=["2", "5"], plen="100", pbase="30", pwide="8")
    table = encode(Encoding("sinusoidal", 100, 8, 30.0))
    (frame,) = charts(at)
    for dimension in (2, 5):
        np.testing.assert_allclose(line(frame, f"dimension {dimension}"), table[:, dimension], rtol=1e-6)
    expected = [wavelength_in_theory("sinusoidal", n, 8, 30.0) for n in (2, 5)]
    assert plain(read_waves([wavelength(table[:, n]) for n in (2, 5)], expected, [2, 5])) in said(at)
    look(at, pdims=[])
    assert "Choose a dimension" in at.info[0].value


@pytest.mark.parametrize("kind", KINDS)
def test_dot_products_are_measured_beside_theory(open_page: Open, kind: str) -> None:
    at = open_page(PAGE, pview="dot product", penc=kind, plen="40", seed="3")
    found = dot_products(Encoding(kind, 40, 64, seed=3))
    (frame,) = charts(at)
    measured = frame[~frame["theory"]]
    np.testing.assert_allclose(measured["y"], found.measured.mean, rtol=1e-6)
    np.testing.assert_allclose(measured["high"], found.measured.mean + found.measured.spread, rtol=1e-6)
    assert (found.theory is None) == frame[frame["theory"]].empty
    assert plain(read_distances(kind, found.measured, found.theory)) in said(at)


@pytest.mark.parametrize("kind", ["none", "binary", "sinusoidal", "learned"])
def test_the_shift_is_what_was_fitted(open_page: Open, kind: str) -> None:
    at = open_page(PAGE, pview="shift", penc=kind, pk="9", plen="50", pwide="12")
    found = shifted(Encoding(kind, 50, 12), 9)
    (frame,) = charts(at)
    np.testing.assert_allclose(line(frame, "fitted"), np.maximum(found.errors_fitted, 1e-9), rtol=1e-5)
    (picture,) = pictures(at, "positions-matrix")
    matrix = found.fitted if found.constructed is None else found.constructed
    np.testing.assert_allclose(picture["values"][0], matrix, atol=1e-6)
    assert plain(read_shift(kind, found, 9, 12)) in said(at)


def test_the_shift_of_rotary_is_tried_on_the_texts_own_vectors(open_page: Open) -> None:
    at = open_page(PAGE, pview="shift", penc="rotary", pk="9", plen="50", pq="4", pkey="2", head="2", layer="2")
    found = turned(*behind(at), Place("encoder", 1, 1), (4, 2), 9, 50, 10000.0)
    (frame,) = charts(at)
    np.testing.assert_allclose(line(frame, "turned"), found.scores, rtol=1e-5)
    assert plain(read_turned(found.scores, 9, found.theory, found.unturned)) in said(at)
    look(at, penc="alibi")
    assert not charts(at)[0]["y"].any()


@pytest.mark.parametrize("kind", ["rotary", "sinusoidal", "learned"])
def test_a_pair_beyond_the_length_is_the_cores(open_page: Open, kind: str) -> None:
    at = open_page(PAGE, pview="beyond", pos=kind, pq="4", pkey="2", head="3")
    found = pair(*behind(at), Place("encoder", 0, 2), 4, 2, 1024)
    frame = charts(at)[0]
    np.testing.assert_allclose(frame[~frame["theory"]]["y"], found.scores, rtol=1e-5)
    assert (found.theory is not None) == (kind == "rotary") == frame["theory"].any()
    assert frame["limit"][0] == (511 if kind == "learned" else 512)
    assert plain(read_pair(found.scores, found.limit, found.theory)) in said(at)


def test_a_trained_model_reads_the_text_twice_its_length(open_page: Open) -> None:
    at = open_page(PAGE, pview="beyond", pfar="surprise", model="toy-copy")
    found = long_text(*behind(at), Place("decoder", 0, 0))
    assert found.surprisal is not None
    np.testing.assert_allclose(charts(at)[0]["y"], found.surprisal[:-1], rtol=1e-4, atol=1e-5)
    assert plain(read_long("Surprise in bits", found.surprisal, found.limit)) in said(at)
    look(at, pfar="whole text", layer="2", head="2")
    found = long_text(*behind(at), Place("decoder", 1, 1))
    np.testing.assert_allclose(charts(at)[0]["y"], found.keys, rtol=1e-5)


def test_the_terms_are_the_cores(open_page: Open) -> None:
    at = open_page(PAGE, pview="adding", head="2", norm="pre", t="the cat sat")
    found = terms(*behind(at), Place("encoder", 0, 1))
    (picture,) = pictures(at, "positions-terms")
    shown = [n for n in range(5) if n < 4 or found.sizes[n] > 0]
    for values, expected in zip(picture["values"], [*found.values[shown], found.raw], strict=True):
        np.testing.assert_allclose(values, expected, atol=1e-6)
    assert plain(read_terms(TERMS, found.sizes)) in said(at)
    assert "12,288 with positions added, 24,576 with 64 numbers" in said(at)


def test_random_cosines_are_what_was_drawn(open_page: Open) -> None:
    at = open_page(PAGE, pview="random vectors", pn="16", pdraws="1500", pseed="6")
    found = random_cosines(16, 1500, 6)
    variances, means, cosines = charts(at)
    np.testing.assert_allclose(variances["variance"], found.variance, rtol=1e-6)
    np.testing.assert_allclose(variances["theory"], 1 / np.array(SIZES), rtol=1e-6)
    np.testing.assert_allclose(means["mean"], found.mean, rtol=1e-5)
    np.testing.assert_allclose(means["high"], found.high, rtol=1e-6)
    np.testing.assert_allclose(cosines["density"], histogram(found.of_size, 16).density, rtol=1e-6)
    assert plain(read_random(found, 16)) in said(at)
    look(at, pvec="this model's")
    angle = angles(*behind(at))
    np.testing.assert_allclose(charts(at)[0]["density"], angle.histogram.density, rtol=1e-4)
    assert f"{angle.pieces:,} tokens and 512 positions the mean cosine is {angle.mean:+.4f}" in said(at).replace(
        "\\", ""
    )


def test_the_shuffle_is_the_cores(open_page: Open) -> None:
    at = open_page(PAGE, pview="shuffle", pshuf="4", pos="rotary")
    (frame,) = charts(at)
    fresh = shuffled_fresh(fresh_encoders(8000, 0), *behind(at)[1:], 4)
    expected = [each.largest for each in fresh.values()]
    np.testing.assert_allclose(frame["at"][:6], expected, rtol=0.3)
    assert frame["verdict"].tolist() == ["only permuted", *["changed"] * 5, "only permuted", "changed", "changed"]
    mine = shuffled(*behind(at), 4)
    assert plain(read_shuffle("rotary", mine.largest, mine.size, False, False)) in said(at)
    assert plain(" ".join(mine.after)) in said(at)


def test_one_word_has_no_other_order(open_page: Open) -> None:
    at = open_page(PAGE, pview="shuffle", t="cat")
    assert "only one order" in at.info[0].value and not charts(at)


@pytest.mark.parametrize(
    ("settings", "table", "code"),
    [
        ({}, "table", "table"),
        ({"pview": "waves"}, "wave", "waves"),
        ({"pview": "dot product"}, "distance", "distance"),
        ({"pview": "shift"}, "shift", "shift"),
        ({"pview": "beyond", "pos": "rotary"}, "pair", "pair"),
        ({"pview": "adding"}, "terms", "terms"),
        ({"pview": "random vectors"}, "random", "random"),
        ({"pview": "shuffle"}, "shuffle", "shuffle"),
    ],
)
def test_the_numbers_and_the_code_unfold(open_page: Open, settings: dict[str, str], table: str, code: str) -> None:
    at = open_page(PAGE, **settings)
    look(at, **{f"positions-{table}-numbers-table": True, f"positions-code-{code}": True})
    assert not at.exception and len(at.dataframe) == 1 and "def " in at.code[0].value
    if table == "distance":
        found = dot_products(Encoding("sinusoidal"))
        shown = at.dataframe[0].value.set_index("distance")
        np.testing.assert_allclose(shown.loc["mean"].to_numpy(float), found.measured.mean)
        np.testing.assert_allclose(shown.loc["theory"].to_numpy(float), np.asarray(found.theory))


def test_the_url_may_name_only_what_there_is() -> None:
    good = {"pview": ["shuffle"], "penc": ["alibi"], "plen": ["512"], "pbase": ["1.5"], "pn": ["1024"], "pshuf": ["9"]}
    assert refused(good, choices.PAGES) == []
    bad = {"pview": ["<b>"], "penc": ["roman"], "plen": ["1"], "pbase": ["0.5"], "pn": ["n"], "pdims": ["1024"]}
    assert len(refused(bad, choices.PAGES)) == len(bad)


def test_charts_are_saved_as_svg(open_page: Open) -> None:
    at = open_page(PAGE, pview="waves")
    (chart,) = at.get("vega_lite_chart")
    assert json.loads(chart.proto.spec)["usermeta"] == {"embedOptions": {"renderer": "svg"}}
