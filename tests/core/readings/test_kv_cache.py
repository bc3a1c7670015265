"""Sentences about a KV cache are true of their numbers, of one token and of the first step."""

from core.readings.kv_cache import (
    counted,
    name_rows,
    read_bytes,
    read_length,
    read_measuring,
    read_movement,
    read_operations,
    read_proof,
    read_same,
    read_slower,
    read_step,
    read_timing,
    short,
    stored,
    write_cache_bytes,
    write_cached_step,
    write_logit_difference,
    write_standing_keys,
    write_step_operations,
)

OFF = {"q": 0.0, "k": 1e-7, "v": 3e-7, "scores": 2e-6, "pattern": 0.0, "z": 0.0}


def test_numbers_in_words() -> None:
    assert [counted(n) for n in (950, 12_300, 4_560_000, 2e9)] == ["950", "12.3 thousand", "4.56 million", "2 billion"]
    assert [short(n) for n in (950, 12_300, 4_560_000, 2e9)] == ["950", "12.3k", "4.56M", "2B"]
    assert [stored(n) for n in (512, 46_080, 2**20, 2**30)] == ["512 bytes", "45 KiB", "1 MiB", "1 GiB"]


def test_a_step_says_what_is_computed_and_what_is_kept() -> None:
    assert read_step(["0:a"], 1, 0, 1, False) == "The first step reads 1 token at once and keeps their keys and values."
    later = read_step(["0:a", "1:b", "2:c"], 3, 2, 3, False)
    assert later == (
        "To read “c”, only its own query, key and value are computed; the keys and values of the 2 tokens before are "
        "kept."
    )
    assert read_step(["0:a", "1:b"], 2, 1, 2, False).endswith("the key and value of the token before are kept.")
    assert "all 7 keys and values of the source were computed once" in read_step(["0:a", "1:b", "2:c"], 3, 7, 7, True)
    assert read_step(["0:a"], 1, 0, 7, True).startswith("The first step computes all 7 keys")


def test_the_proof_names_the_largest_difference_of_the_kept_and_of_the_new() -> None:
    said = read_proof(2, OFF, False)
    assert "at most 3.0·10⁻⁷ from" in said and "at most 2.0·10⁻⁶, from rounding" in said and "causal mask" in said
    exact = read_proof(2, dict.fromkeys(OFF, 0.0), True)
    assert "are exactly those" in exact and "the source does not change" in exact
    assert read_proof(0, OFF, False).startswith("Nothing is kept yet")


def test_movement_speaks_of_the_missing_mask_only_where_it_matters() -> None:
    headline, said = read_movement(3, 0.0, 0.0, 2.0)
    assert headline.startswith("Keys and values stay as they are") and "do not change at all" in said
    assert "no mask" not in read_movement(3, 1e-6, 5e-5, 2.0)[1]
    headline, said = read_movement(3, 1e-6, 0.5, 2.0)
    assert headline == (
        "A new token does not change the old keys and values, so they can be kept; without the mask it would."
    )
    assert "change by up to 0.50" in said and "the 3 tokens before it" in said
    assert "the key and value before it" in read_movement(1, 1e-6, 0.5, 2.0)[1]
    moved, _ = read_movement(3, 0.1, 0.5, 2.0)
    assert moved == "Keys and values change when one more token is read."


def test_costs_and_bytes() -> None:
    assert read_operations(1000, 3000, False) == (
        "Without the cache this step takes 3 times as many operations.",
        "It takes 1 thousand multiply-adds with the cache and 3 thousand without, 3 times as many.",
    )
    assert read_operations(1000, 1000, True) == (
        "The first step takes as many operations with the cache as without.",
        "It takes 1 thousand multiply-adds with the cache and 1 thousand without.",
    )
    one, many = (read_bytes(length, batch, 512, 1024, 512, 2**20, 2**30) for length, batch in ((1, 1), (4, 8)))
    assert one[0] == many[0] == "What is kept grows evenly with the text: each token more adds 512 bytes."
    assert one[1].startswith("This text of 1 token keeps 1 KiB. A full context of 512 would keep 1 MiB; the weights")
    assert many[1].startswith("8 such texts of 4 tokens keep 1 KiB.") and many[1].endswith("1 GiB, whatever the text.")


def test_the_same_answer_and_its_exceptions_are_counted() -> None:
    same = "With the cache and without, the model chooses the same token"
    nothing = "the cache saves work and changes nothing"
    assert read_same(1, 1, 1e-6, 3.0)[0] == f"{same} at the one step: {nothing}."
    assert read_same(4, 4, 1e-6, 3.0)[0] == f"{same} at all 4 steps: {nothing}."
    assert read_same(4, 3, 0.1, 3.0)[0] == f"{same} at 3 of 4 steps."
    assert read_same(1, 0, 0.1, 3.0)[0] == f"{same} not even at the one step."


def test_a_measurement_is_said_with_its_ratio() -> None:
    assert read_length(1, 1) == "Measured at 1 token, once"
    assert read_length(43, 15) == "Measured at 43 tokens, 15 times"
    assert read_slower(256, 2.0, 8.0) == "At 256 tokens one more took 4 times as long without the cache."
    assert read_timing(256, 2.0, 8.0, 15) == (
        "At 256 tokens one more took 2.00 ms with the cache and 8.00 ms without: 4 times as long (medians of 15)."
    )


def test_texts_that_did_not_fit_into_the_time_are_told_of() -> None:
    assert "Longer texts" not in read_measuring("cpu", "float32", True)
    said = read_measuring("cpu", "float32", False)
    assert "Measured on cpu, float32, which other visitors may share. Longer texts would not have fitted" in said


def test_rows_that_there_are_none_of_are_not_counted() -> None:
    assert name_rows("Q", 1, 3, "not needed") == "Q: 1 new, 3 not needed"
    assert (name_rows("K", 4, 0, "kept"), name_rows("V", 0, 7, "kept")) == ("K: 4 new", "V: 7 kept")


def test_k_grows_only_where_some_of_it_was_kept_and_some_is_new() -> None:
    grown = write_cached_step("s", 1, 4, 5, 8, 6)
    assert r"\underset{5 \times 8}{K}" in grown and r"4 \times 8 \\ \scriptstyle 1 \times 8" in grown
    for kept in (0, 5):
        assert write_cached_step("s", 1, kept, 5, 8, 6).startswith(r"\underset{1 \times 5}{a} = \mathrm{softmax}")
    assert grown.endswith(r"\underset{1 \times 6}{z} = a\,\underset{5 \times 6}{V}")


def test_formulas_bear_the_shapes_and_numbers_of_the_run() -> None:
    assert write_standing_keys(3, 1.24e-6).endswith(r"\max_{i < 3} |\Delta k_i|, |\Delta v_i| = 1.2 \cdot 10^{-6}")
    assert write_step_operations(2, 16, 64, 9).endswith(r"N = 2,\; D = 16,\; F = 64,\; L = 9")
    assert write_cache_bytes(2, 4, 3, 5, 10, 8, 4).endswith(
        r"= 2 \cdot 4 \cdot (3 + 5) \cdot 10 \cdot 8 \cdot 4 \qquad = 20{,}480"
    )
    assert write_logit_difference(0.0, 3, 7, 1000).endswith(r"= 0 \qquad t = 3 \ldots 7\qquad V = 1000")
