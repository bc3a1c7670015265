"""The figures that a script draws have the sizes of a page and a slide, and carry the caption."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from core.export.asked import HEAD_SCORES, HEAD_VECTORS, LENS, Asked
from core.export.caption import LONGEST_QUOTE, caption
from core.export.dialect import DIALECTS, Dialect
from core.model.config import SCORES, TransformerConfig
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head, force_row
from core.tracing.run import Run
from tests.core.export.test_drawn_models import TOKENIZER
from tests.core.export.test_shipped_models import asked_of
from tests.core.export.written import run_alone, write

INCH = 25.4  # mm
SIZES = {"one-column": (85, 70), "two-columns": (174, 100)}  # mm
STORY = (
    "Attention weights of layer 4 · head 1 of storyteller, reading “Once upon a time there was a little girl”. Rows "
    "are queries and columns are keys, both the same tokens; each row sums to 1. Keys that the mask hides have the "
    "weight 0. Scaled dot-product attention, softmax(QKᵀ/√d_k) (Vaswani et al. 2017), with rotary positions (Su et al. "
    "2021). Layers and heads are counted from 1. Computed with Attention Explorer."
)


def small(place: HeadAddress, **settings: object) -> Asked:
    fields = {"architecture": "encoder-decoder", "vocab_size": 11, "d_model": 8, "heads": 2, "layers": 2}
    config = TransformerConfig(**(fields | settings))  # type: ignore[arg-type]
    return Asked(Run("badge", config, "cab" if config.has_two_stacks else ""), place, TOKENIZER)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_fresh_process_draws_them_in_their_sizes_with_the_caption(tmp_path: Path, dialect: Dialect) -> None:
    asked, model = asked_of("storyteller")
    write(tmp_path, asked, model)
    run_alone(tmp_path, f"{dialect.key}_run.py")
    for name, (width, height) in SIZES.items():
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert picture.size == (int(width / INCH * 300), int(height / INCH * 300))
            assert picture.info["Description"] == STORY and round(picture.info["dpi"][0]) == 300
        said = (tmp_path / f"{name}.pdf").read_bytes()
        box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", said)
        assert box and [float(side) / 72 * INCH for side in box.groups()] == pytest.approx([width, height])
        assert b"/Subject" in said and b"/Type3" not in said
    with Image.open(tmp_path / "slide.png") as picture:
        assert picture.size == (1280, 720)
    assert (tmp_path / "caption.txt").read_text() == f"{STORY}\n"


def test_a_caption_says_what_the_attention_is_between() -> None:
    assert caption(asked_of("storyteller")[0]) == STORY
    crossing = caption(asked_of("translator")[0])
    assert crossing.startswith(
        "Cross-attention weights of layer 2 · head 3 of translator, reading “The black cat sleeps.” and “Le chat "
        "noir”. Rows are queries, the decoder’s tokens; columns are keys, the encoder’s tokens; each row sums to 1."
    )
    inside = caption(small(HeadAddress("encoder", 1, 1)))
    assert inside.startswith("Encoder self-attention weights of layer 2 · head 2 of untrained weights, seed 0, reading")
    assert "Keys that the mask hides" not in inside + crossing
    assert "Keys that the mask hides" in caption(small(HeadAddress("decoder")))


def test_a_caption_says_which_numbers_are_drawn() -> None:
    story, crossing = asked_of("storyteller")[0], asked_of("translator")[0]
    assert caption(replace(story, draws=HEAD_SCORES)).startswith(
        "Attention scores of layer 4 · head 1 of storyteller before the mask and the softmax, reading “Once upon a "
        "time there was a little girl”. Rows are queries and columns are keys, both the same tokens. Scaled dot-product"
    )
    assert caption(replace(story, draws=HEAD_VECTORS)).startswith(
        "Queries (Q), keys (K) and values (V) of layer 4 · head 1 of storyteller, before a norm or rotary positions "
        "change them, reading “Once upon a time there was a little girl”. Rows are tokens; columns are the numbers"
    )
    assert caption(replace(crossing, draws=HEAD_VECTORS)).startswith(
        "Queries (Q), keys (K) and values (V) of layer 2 · head 3 in cross-attention of translator, reading “The black "
        "cat sleeps.” and “Le chat noir”. Rows are tokens: the decoder’s for Q, the encoder’s for K and V; columns"
    )
    assert caption(replace(story, draws=LENS)) == (
        "Likeliest next piece after each token and each layer by storyteller, reading “Once upon a time there was a "
        "little girl”. Rows are tokens; columns are layers, 0 the embedding alone; the colour is the probability. "
        "Logit lens (nostalgebraist 2020). Computed with Attention Explorer."
    )


def test_a_caption_names_the_method_and_who_brought_it_in() -> None:
    cited = ("Luong et al. 2015", "Vaswani et al. 2017", "Luong et al. 2015", "Bahdanau et al. 2015")
    for score, paper in zip(SCORES, cited, strict=True):
        assert f"({paper})" in caption(small(HeadAddress("encoder"), score=score))
    for positions, paper in (("alibi", "Press et al. 2022"), ("relative", "Raffel et al. 2020")):
        assert f"({paper})" in caption(small(HeadAddress("encoder"), architecture="encoder", positions=positions))


def test_a_caption_tells_of_changes_and_cuts_a_long_text() -> None:
    asked = small(HeadAddress("decoder"))
    edits = (
        ablate_head(asked.config, 0, 1, "encoder"),
        force_row(asked.config, 1, 1, 1, (0.0, 0.5, 0.25, 0.25, 0.0), cross=True),
    )
    changed = replace(asked, run=replace(asked.run, edits=edits))
    said = "Switched off: encoder, layer 1 · head 2. Attention forced: cross-attention, layer 2 · head 2."
    assert said in caption(changed)
    long = replace(asked, run=replace(asked.run, text="ab\n " * LONGEST_QUOTE))
    assert f"“{'ab ' * (LONGEST_QUOTE // 3 - 1)}ab…”" in caption(long)
