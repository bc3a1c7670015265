"""Neighbours, analogies and maps of vectors, against plain loops and other libraries."""

import numpy as np
import pytest

from core.analysis.word_maps import (
    affinities,
    kept_neighbours,
    neighbour_map,
    principal_axes,
    principal_components,
    squared_distances,
    turned_towards,
)
from core.analysis.word_vectors import analogy_plane, closest_rows, shares_along, unit_rows


@pytest.fixture
def table() -> np.ndarray:
    return unit_rows(np.random.default_rng(0).standard_normal((300, 12)))


def slowly(table: np.ndarray, wanted: np.ndarray, without: tuple[int, ...]) -> list[tuple[float, int]]:
    """Every cosine, one by one, the largest first."""
    length = float(np.sqrt(sum(x * x for x in wanted)))
    rows = [(sum(a * b for a, b in zip(row, wanted, strict=True)) / length, i) for i, row in enumerate(table)]
    return sorted((row for row in rows if row[1] not in without), reverse=True)


@pytest.mark.parametrize("without", [(), (3,), (0, 7, 9)])
def test_the_closest_rows_are_those_of_a_plain_loop(table: np.ndarray, without: tuple[int, ...]) -> None:
    wanted = table[7] - table[3] + table[9]
    ids, cosines = closest_rows(table, wanted, 6, without)
    slow = slowly(table, wanted, without)[:6]
    assert ids.tolist() == [i for _, i in slow]
    np.testing.assert_allclose(cosines, [cosine for cosine, _ in slow], rtol=1e-12)


def test_no_more_rows_are_found_than_there_are(table: np.ndarray) -> None:
    assert len(closest_rows(table[:4], table[0], 10, (1,))[0]) == 3
    assert len(closest_rows(table[:2], table[0], 5, (0, 1))[0]) == 0


def test_an_analogy_is_a_parallelogram_on_its_plane(table: np.ndarray) -> None:
    a, b, c = table[:3]
    plane = analogy_plane(a, b, c)
    np.testing.assert_allclose(plane @ plane.T, np.eye(2), atol=1e-12)
    corners = (np.stack([a, b, c, b - a + c]) - a) @ plane.T
    np.testing.assert_allclose(corners[1], corners[3] - corners[2], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(corners[3]), np.linalg.norm(b - a + c - a), rtol=1e-12)
    assert analogy_plane(a, b, b)[1].tolist() == [0] * 12


def test_a_lean_is_the_cosine_with_the_step_between_two_words() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    np.testing.assert_allclose(shares_along(rows, np.array([0.0, 1.0]), np.array([3.0, 1.0])), [1, 0, 0.6])


def test_principal_components_are_those_of_numpy(table: np.ndarray) -> None:
    places, shares = principal_components(table)
    values, axes = np.linalg.eigh(np.cov(table.T))
    expected = (table - table.mean(0)) @ axes[:, ::-1][:, :2]
    np.testing.assert_allclose(np.abs(places), np.abs(expected), atol=1e-9)
    np.testing.assert_allclose(shares, values[::-1][:2] / values.sum(), rtol=1e-9)
    assert principal_components(np.ones((3, 4)))[1].tolist() == [0, 0]


def test_axes_are_turned_within_their_plane_and_lie_nearer_than_any_other_pair(table: np.ndarray) -> None:
    before, axes = principal_axes(table[:150])[0], principal_axes(table[50:])[0]
    found = turned_towards(axes, before)
    np.testing.assert_allclose(found.T @ found, axes.T @ axes, atol=1e-12)
    apart = np.linalg.norm(found - before)
    for angle in np.linspace(0, 2 * np.pi, 200):
        c, s = np.cos(angle), np.sin(angle)
        for other in ([[c, -s], [s, c]], [[c, s], [s, -c]]):
            assert apart <= np.linalg.norm(np.array(other) @ axes - before) + 1e-12
    np.testing.assert_allclose(turned_towards(-axes[::-1], axes), axes, atol=1e-12)


def test_affinities_have_the_perplexity_that_was_asked_for(table: np.ndarray) -> None:
    points = table[:40]
    found = affinities(points, 8.0)
    assert found.sum() == pytest.approx(1) and np.allclose(found, found.T) and not found.diagonal().any()
    even = affinities(np.eye(5), 3.0)  # all alike far: every neighbour counts the same, whatever is asked for
    np.testing.assert_allclose(even[~np.eye(5, dtype=bool)], 1 / 20)
    line = affinities(np.array([[0.0], [1.0], [5.0]]), 1.5)
    near, far = 2 * 3 * line[0, 1], 2 * 3 * line[0, 2]
    assert near > 1 > far


def test_the_neighbour_map_keeps_groups_that_two_axes_cannot_show() -> None:
    draw = np.random.default_rng(1)
    centres = np.repeat(np.eye(6) * 3, 8, axis=0)
    points = centres + 0.3 * draw.standard_normal(centres.shape)
    places = neighbour_map(points)
    assert np.array_equal(places, neighbour_map(points)) and np.isfinite(places).all()
    groups = np.repeat(np.arange(6), 8)
    apart = squared_distances(places) + np.diag([np.inf] * 48)
    assert (groups[apart.argmin(1)] == groups).all()
    assert kept_neighbours(points, places, 5) > kept_neighbours(points, principal_components(points)[0], 5)
    assert kept_neighbours(points, points, 5) == 1
