"""What models made elsewhere have and ours have not: windows of their own, depths that differ, other special pieces."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.analysis.costs import PeakMemory, peak_estimate
from core.checkpoints.real.elsewhere import Elsewhere
from core.checkpoints.real.places import PLACE_VARIABLE
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.masks import CausalMask
from core.model.transformer import Transformer, build, parameter_count
from core.text.held_out import PAIRS, STORY
from core.text.pieces import AnyTokenizer
from core.text.special import TextFormat
from core.topics.block.answers import AnswerHead
from core.topics.block.held_out import ask_held_out, held_out_loss, held_out_pass
from core.topics.block.stream import step_at, stream
from core.topics.generate.views import lens
from core.topics.heads import names
from core.topics.masks.batch import batched
from core.topics.masks.experiments import leak, masked, ways
from core.topics.positions.learned import relative_biases
from core.topics.shared.masked_run import inputs_under_mask
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run, prepare
from tests.core.checkpoints.real.drawn import transformers
from tests.core.checkpoints.real.real_place import SMALL_MODELS, fill_place

CPU = Placement("cpu", "float32")
SMALL_FAMILIES = (*SMALL_MODELS, "marian")
TEXT = "the cat sat on the mat and the dog sat by the door"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_place(tmp_path_factory.mktemp("place"))


def opened(place: Path, name: str, text: str = TEXT, target: str = "") -> tuple[Transformer, AnyTokenizer, Run]:
    known, tokenizer = Elsewhere(name, place).open()
    causal = (CausalMask(),) if "decoder" in known.config.stacks else ()
    run = Run(text, known.config, target, masks=causal, source=known.source, format=known.format)
    return known.source.load(CPU), tokenizer, run


def theirs(place: Path, name: str) -> Any:
    kind = {"bert": "BertForMaskedLM", "distilbert": "DistilBertForMaskedLM", "marian": "MarianMTModel"}
    kind |= {"t5": "T5ForConditionalGeneration"}
    return getattr(transformers, kind.get(name, "AutoModelForCausalLM")).from_pretrained(place / name).eval()


def said_by(other: Any, name: str, hidden: torch.Tensor) -> torch.Tensor:
    """The chances that a model of theirs makes of a stream in its middle, as its own last step does."""
    match name:
        case "gpt2":
            logits = other.lm_head(other.transformer.ln_f(hidden))
        case "gpt_neox":
            logits = other.get_output_embeddings()(other.gpt_neox.final_layer_norm(hidden))
        case "bert":
            logits = other.cls(hidden)
        case "distilbert":
            inner = other.vocab_layer_norm(other.activation(other.vocab_transform(hidden)))
            logits = other.vocab_projector(inner)
        case "marian":
            logits = other.lm_head(hidden) + other.final_logits_bias
        case "t5":
            scale = other.config.d_model**-0.5 if other.config.tie_word_embeddings else 1.0
            logits = other.lm_head(other.decoder.final_layer_norm(hidden) * scale)
        case _:
            logits = other.lm_head(other.model.norm(hidden)) / getattr(other.config, "logits_scaling", 1.0)
    return logits.softmax(-1)


@pytest.mark.parametrize("name", SMALL_FAMILIES)
def test_the_logit_lens_takes_the_models_own_last_step(name: str, place: Path) -> None:
    model, tokenizer, run = opened(place, name, target=TEXT)
    stack = run.config.stacks[-1]
    rows, other = prepare(run, tokenizer).rows, theirs(place, name)
    ids = {each: torch.tensor([row.ids]) for each, row in rows.items()}
    given = {"input_ids": ids[run.config.stacks[0]]} | ({"decoder_input_ids": ids["decoder"]} if len(ids) == 2 else {})
    with torch.no_grad():
        seen = other(**given, output_hidden_states=True)
        streams = seen.decoder_hidden_states if len(ids) == 2 else seen.hidden_states
        last = run.config.depth(stack)
        expected = [said_by(other, name, streams[layer])[0] for layer in range(last)]
        expected.append(seen.logits[0].softmax(-1))
    at = len(rows[stack]) - 2
    found = stream(model, tokenizer, run, stack, at)
    heard = [found.heard[step_at(run, stack, layer, "feed-forward" if layer >= 0 else "")] for layer in range(-1, last)]
    for (piece, probability), row in zip(heard, expected, strict=True):
        assert probability == pytest.approx(float(row[at].max()), rel=1e-3)
        assert piece == tokenizer.labels([int(row[at].argmax())])[0]
    if stack == "decoder":
        along = lens(model, tokenizer, run, rows[stack].ids)
        np.testing.assert_allclose(along.probability, torch.stack(expected).amax(-1).numpy(), rtol=1e-3)


def test_a_change_comes_no_further_than_the_models_window(place: Path) -> None:
    """Mistral's window of 4 tokens: 3 tokens further in each of 2 layers."""
    model, tokenizer, run = opened(place, "mistral")
    found = leak(model, tokenizer, run, "", 2)
    spans = [int(np.flatnonzero(row).max()) - 2 for row in found.reached[1:]]
    moved = [int(np.flatnonzero(row).max()) - 2 for row in found.layers[1:]]
    assert spans == moved == [3, 6]
    head = HeadAddress("decoder", 1, 2)
    shown = masked(model, tokenizer, run, head)
    assert not shown.mask[9, 5] and shown.mask[9, 6] and not shown.pattern[~shown.mask].any()
    made = ways(model, tokenizer, run, head)
    np.testing.assert_allclose(made.weights["right"], shown.pattern, atol=1e-6)


def test_texts_of_two_lengths_need_a_padding_piece(place: Path) -> None:
    model, tokenizer, run = opened(place, "gpt2")
    with pytest.raises(ValueError, match="no padding token"):
        batched(model, tokenizer, run, HeadAddress("decoder"), "the cat")
    model, tokenizer, run = opened(place, "t5", target=TEXT)
    found = batched(model, tokenizer, replace(run, masks=()), HeadAddress("decoder"), "the cat")
    assert (
        tokenizer.special.pad in found.rows[found.short].ids
        and found.moved_hidden.max() < 1e-4 < found.moved_seen.max()
    )


@pytest.mark.parametrize("name", ["marian", "t5"])
def test_every_text_of_a_decoder_is_cut_as_its_own(name: str, place: Path) -> None:
    """With the pieces of the language that it writes, and without the </s> of a source."""
    model, tokenizer, run = opened(place, name, target=TEXT)
    pad, ids = tokenizer.special.pad, prepare(run, tokenizer).rows["decoder"].ids
    assert inputs_under_mask(replace(run, pads=2), tokenizer)[0].rows["decoder"].ids == (*ids, pad, pad)
    other = prepare(replace(run, target="a queen"), tokenizer).rows["decoder"].ids
    second = batched(model, tokenizer, replace(run, masks=()), HeadAddress("decoder"), "a queen").rows[1]
    assert second.ids == other + (pad,) * (len(ids) - len(other))
    assert leak(model, tokenizer, run, "", 4, "queen").piece == tokenizer.target.encode("queen").labels[0]


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_a_word_takes_a_tokens_place_without_the_pieces_around_a_text(name: str, place: Path) -> None:
    model, tokenizer, run = opened(place, name)
    assert leak(model, tokenizer, run, "", 4, "queen").piece == tokenizer.encode("queen").labels[1]


@pytest.mark.parametrize("name", ["marian", "t5"])
def test_the_loss_of_a_translator_is_theirs(name: str, place: Path) -> None:
    model, tokenizer, run = opened(place, name)
    step = AnswerHead()
    found = held_out_pass(step, model, tokenizer, run, "decoder")
    assert found is not None
    questions, kept = found
    lost: list[torch.Tensor] = []
    other, ids = theirs(place, name), tokenizer.special
    for text, line in PAIRS if questions.whole else PAIRS[:2]:
        target = tokenizer.target.encode(line).ids
        gold = torch.tensor([*target, ids.end] if target[-1] != ids.end else target)
        read = torch.tensor([[ids.begin, *gold[:-1]]])
        scores = other(input_ids=torch.tensor([tokenizer.encode(text).ids]), decoder_input_ids=read).logits[0]
        lost.append(torch.nn.functional.cross_entropy(scores, gold, reduction="none"))
    expected = float(torch.cat(lost).mean().detach())
    assert held_out_loss(step, questions, kept, model, tokenizer, run, "") == pytest.approx(expected, rel=1e-4)


def test_what_stands_around_a_text_is_not_hidden_from_a_reader(place: Path) -> None:
    _, tokenizer, run = opened(place, "bert")
    asked = ask_held_out(AnswerHead(hidden=True), tokenizer, run)
    assert asked is not None and asked.source is not None
    ids = tokenizer.encode(STORY, limit=63).ids
    assert asked.source[:, 0].unique().item() == ids[0] and asked.source[:, -1].unique().item() == ids[-1]
    hidden = asked.gold >= 0
    assert hidden.sum() == len(ids) - 2 and set(asked.source[hidden].tolist()) == {tokenizer.special.mask}


def test_relative_positions_are_theirs(place: Path) -> None:
    model, tokenizer, run = opened(place, "t5", target=TEXT)
    other = theirs(place, "t5")
    for found in relative_biases(model, tokenizer, run):
        attention = getattr(other, found.stack).block[0].layer[0].SelfAttention
        expected = attention.compute_bias(129, 129)[0, :, 64].detach().numpy()
        np.testing.assert_allclose(found.values, expected[:, : len(found.steps)], atol=1e-6)
        assert (found.steps[0], found.steps[-1]) == (-64, 64 if found.stack == "encoder" else 0)
        head, step, added = found.strongest
        assert added == found.values[head, step + 64] and abs(added) == np.abs(found.values).max()


def test_chance_is_measured_without_the_rest_of_a_large_model(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only as many layers as 48 heads need, and only the pieces of the text."""
    model, tokenizer, run = opened(place, "gpt2")
    made: list[TransformerConfig] = []

    def noted(config: TransformerConfig, placement: Placement, check: None) -> Transformer:
        made.append(config)
        return build(config)

    monkeypatch.setattr(names, "fresh_model", noted)
    monkeypatch.setattr(names, "RANDOM_HEADS", 3)
    whole = names.head_names(model, tokenizer, run, HeadAddress("decoder"))
    assert [(each.layers, each.vocab_size) for each in made] == [(1, 330)] and whole.random == 4
    alone, beside = (peak_estimate(run.config, 9, holds).total for holds in (PeakMemory(), PeakMemory(random_heads=3)))
    assert beside - alone == 4 * parameter_count(made[0])
    monkeypatch.setattr(names, "MANY_PIECES", 300)
    few = names.head_names(model, tokenizer, run, HeadAddress("decoder"))
    assert made[-1].vocab_size == len(set(prepare(run, tokenizer).rows["decoder"].ids))
    assert few.scores.keys() == whole.scores.keys() and few.random == 4


def test_a_model_that_is_not_here_names_the_variable_that_says_where(place: Path) -> None:
    for folder, said in ((None, "the environment variable"), (place, "in the folder")):
        source = Elsewhere("nowhere", folder)
        with pytest.raises(ValueError, match=f"{said}.*{PLACE_VARIABLE}"):
            open_run(Run("a", TransformerConfig("decoder"), source=source, format=TextFormat()))
