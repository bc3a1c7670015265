"""How a model wants to be written with: what ends a text, and what is never written."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from core.checkpoints.real import places
from core.checkpoints.real.files import WEIGHTS_FILE
from core.checkpoints.real.generation import GENERATION, read_generation
from core.checkpoints.real.reading import load
from core.decoding.greedy import continuation
from core.decoding.sampling import GREEDY
from core.model.masks import CausalMask
from core.topics.generate.texts import generate_tokens
from core.tracing.run import Run
from tests.core.checkpoints.real.drawn import DRAWS, transformers, write_folder
from tests.core.checkpoints.real.vocabularies import trained

WRITING = [family for family in DRAWS if "bert" not in family]
WRITTEN = 12


def settings(folder: Path, **values: Any) -> None:
    (folder / GENERATION).write_text(json.dumps(values))


@pytest.mark.parametrize("family", WRITING)
@torch.inference_mode()
def test_banned_pieces_are_never_written_and_all_others_as_before(family: str, tmp_path: Path) -> None:
    theirs = write_folder(family, 3, tmp_path)
    ids = torch.tensor([[5, 7, 2, 9]])
    start = ids if not theirs.config.is_encoder_decoder else torch.tensor([[theirs.config.decoder_start_token_id or 0]])
    source = ids if theirs.config.is_encoder_decoder else None
    free = continuation(load(tmp_path), start, WRITTEN, source)[0].tolist()
    banned = sorted({free[0], free[-1]})
    begin = {"decoder_start_token_id": int(start[0, 0])} if source is not None else {}
    settings(tmp_path, bad_words_ids=[[banned[0]]], suppress_tokens=banned[1:] or None, pad_token_id=1, **begin)
    model = load(tmp_path)
    written = continuation(model, start, WRITTEN, source)[0].tolist()
    known = theirs.generate(
        ids,
        generation_config=transformers.GenerationConfig.from_pretrained(tmp_path),
        do_sample=False,
        use_cache=False,  # which theirs gets wrong for a window of one token
        max_new_tokens=WRITTEN + 1,  # some are made to end at the last
    )[0, start.shape[1] :].tolist()
    assert written[: len(known)] == known[:WRITTEN] and set(banned).isdisjoint(written)


def test_each_of_several_ends_ends_a_text(tmp_path: Path) -> None:
    config = transformers.GPT2Config(vocab_size=330, n_positions=60, n_embd=8, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).eval().save_pretrained(tmp_path / "it")
    (tmp_path / "it" / "tokenizer.json").write_text(trained("byte-level"))
    model = load(tmp_path / "it")
    run = Run("the cat", model.config, masks=(CausalMask(),))
    free = generate_tokens(model, places.open_model("it", tmp_path)[1], run, GREEDY, max_tokens=8)
    last = free[4].chosen
    settings(tmp_path / "it", eos_token_id=[329, last])
    tokenizer = places.open_model("it", tmp_path)[1]
    assert tokenizer.special.end == 329 and tokenizer.special.ends == {329, last}
    first = [each.chosen for each in free].index(last)
    written = generate_tokens(model, tokenizer, run, GREEDY, max_tokens=8)
    assert [each.chosen for each in written] == [each.chosen for each in free[: first + 1]] and written[-1].ended


def test_the_options_may_stand_in_the_config_alone(tmp_path: Path) -> None:
    config = {"eos_token_id": 4, "bad_words_ids": [[7]], "decoder_start_token_id": 2, "pad_token_id": 500}
    found = read_generation(tmp_path, config, 60)
    assert (found.pad, found.begin, found.ends, found.banned) == (None, 2, (4,), (7,))
    found = read_generation(tmp_path, {"eos_token_id": 4, "bad_words_ids": [[4], [7]], "suppress_tokens": [4]}, 60)
    assert found.banned == (4, 7), "a suppressed token is never written"
    assert read_generation(tmp_path, {"eos_token_id": 4, "bad_words_ids": [[4], [7]]}, 60).banned == (7,)
    settings(tmp_path, eos_token_id=[5, 99, 6])
    found = read_generation(tmp_path, config, 60)
    assert (found.begin, found.ends, found.banned) == (2, (5, 6), ()), "the file of its own counts for the rest"
    settings(tmp_path, bad_words_ids=[[7]])
    assert read_generation(tmp_path, config, 60).ends == (), "and it alone says what ends a text"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"bad_words_ids": [[3, 4]]}, "bad_words_ids can be carried out only where each word is a single piece"),
        ({"bad_words_ids": 7}, "bad_words_ids can be carried out only"),
        ({"forced_bos_token_id": 3}, "forced_bos_token_id is 3, which cannot be carried out"),
        ({"begin_suppress_tokens": [1]}, "begin_suppress_tokens is .1., which cannot be carried out"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_by_name(values: dict[str, Any], said: str, tmp_path: Path) -> None:
    write_folder("gpt2", 1, tmp_path)
    assert (tmp_path / WEIGHTS_FILE).exists()
    settings(tmp_path, **values)
    with pytest.raises(ValueError, match=f"{GENERATION}: {said}"):
        load(tmp_path)
