"""Sentences about a KV cache are true of their numbers, of one token and of the first step."""

from core.readings.kv_cache import (
    counted,
    read_bytes,
    read_movement,
    read_operations,
    read_proof,
    read_same,
    read_step,
    read_timing,
    short,
    stored,
)

OFF = {"q": 0.0, "k": 1e-7, "v": 3e-7, "scores": 2e-6, "pattern": 0.0, "z": 0.0}


def test_numbers_in_words() -> None:
    assert [counted(n) for n in (950, 12_300, 4_560_000, 2e9)] == ["950", "12.3 thousand", "4.56 million", "2 billion"]
    assert [short(n) for n in (950, 12_300, 4_560_000, 2e9)] == ["950", "12.3k", "4.56M", "2B"]
    assert [stored(n) for n in (512, 46_080, 2**20, 2**30)] == ["512 bytes", "45 KiB", "1 MiB", "1 GiB"]


def test_a_step_says_what_is_computed_and_what_is_kept() -> None:
    assert read_step("0:a", 1, 0, 1, False) == "The first step reads 1 token at once and keeps their keys and values."
    later = read_step("2:c", 3, 2, 3, False)
    assert later == "To read “2:c”, one row of q, k and v is computed; 2 rows of K and V are kept."
    assert read_step("1:b", 2, 1, 2, False).endswith("1 row of K and V is kept.")
    assert "all 7 keys and values of the source were computed once" in read_step("2:c", 3, 7, 7, True)
    assert read_step("0:a", 1, 0, 7, True).startswith("The first step computes all 7 keys")


def test_the_proof_names_the_largest_difference_of_the_kept_and_of_the_new() -> None:
    said = read_proof(2, OFF, False)
    assert "at most 3.0·10⁻⁷ from" in said and "at most 2.0·10⁻⁶, from rounding" in said and "causal mask" in said
    exact = read_proof(2, dict.fromkeys(OFF, 0.0), True)
    assert "are exactly those" in exact and "the source does not change" in exact
    assert read_proof(0, OFF, False).startswith("Nothing is kept yet")


def test_movement_speaks_of_the_missing_mask_only_where_it_matters() -> None:
    assert "do not move at all" in read_movement(3, 0.0, 0.0, 2.0)
    assert "no mask" not in read_movement(3, 1e-6, 5e-5, 2.0)
    said = read_movement(3, 1e-6, 0.5, 2.0)
    assert "move by up to 0.50" in said and "the 3 tokens before it" in said
    assert "the key and value before it" in read_movement(1, 1e-6, 0.5, 2.0)


def test_costs_and_bytes() -> None:
    assert read_operations(1000, 3000, False).endswith(
        "1 thousand multiply-adds with the cache and 3 thousand without, 3 times as many."
    )
    assert read_operations(1000, 1000, True).endswith("the same: it is the first step.")
    one, many = (read_bytes(length, batch, 512, 1024, 512, 2**20, 2**30) for length, batch in ((1, 1), (4, 8)))
    assert one.startswith("This text of 1 token keeps 1 KiB; each token more adds 512 bytes.")
    assert many.startswith("8 such texts of 4 tokens keep 1 KiB") and "1 GiB, whatever the text" in many


def test_the_same_answer_and_its_exceptions_are_counted() -> None:
    assert read_same(1, 1, 1e-6, 3.0).startswith("At the one step both choose")
    assert read_same(4, 4, 1e-6, 3.0).startswith("At all 4 steps both choose")
    assert read_same(4, 3, 0.1, 3.0).startswith("At 3 of 4 steps both choose")
    assert read_same(1, 0, 0.1, 3.0).startswith("At 0 of 1 steps both choose")


def test_a_measurement_is_said_with_its_ratio() -> None:
    assert read_timing(256, 2.0, 8.0, 15) == (
        "At 256 tokens one more took 2 ms with the cache and 8 ms without: 4 times as long (medians of 15)."
    )
