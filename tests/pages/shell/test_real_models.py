"""Other people's models in the chooser: pages open with them, and say whose they are."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st

from core.checkpoints.real.elsewhere import Elsewhere
from core.device import Placement
from core.readings.models import describe_card
from core.registry import ModelRegistry
from core.topics.shared.loading import MemoryEstimate
from core.topics.shared.places import SINK_LOGITS
from core.tracing.run import Run
from pages.compute import cache
from pages.compute import catalog as shelves
from pages.compute.generation import own_translation
from tests.core.checkpoints.real.drawn import transformers
from tests.core.checkpoints.real.real_place import fill_place, write_judge
from tests.core.checkpoints.real.vocabularies import trained
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, PAGES, path_of
from tests.pages.screen import look, model_list, pictures, said

REAL = ("real:bert", "real:gpt2", "real:llama", "real:marian")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_place(tmp_path_factory.mktemp("place"))


@pytest.fixture
def shelf(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app with a place of real models."""
    clear()
    monkeypatch.setattr(cache, "real_place", lambda: place)
    yield place
    clear()


def clear() -> None:
    for kept in (st.cache_data, st.cache_resource):
        kept.clear()
    shelves._folders_in.cache_clear()  # as it is some seconds later


@pytest.mark.parametrize(
    ("address", "name"), [("heads", "gpt2"), ("journey", "bert"), ("generate", "llama"), ("translate", "marian")]
)
def test_a_page_opens_with_a_real_model_and_says_whose_it_is(
    address: str, name: str, shelf: Path, open_page: Open
) -> None:
    at = open_page(path_of(BY_ADDRESS[address]), model=f"real:{name}")
    assert not at.error and not at.warning
    run = at.session_state["visit"].run
    known = Elsewhere(name, shelf).open()[0]
    assert (run.source, run.config, run.format) == (known.source, known.config, known.format)
    titles = {"gpt2": "somebody/gpt2"}
    assert f"{titles.get(name, name)}**: {known.card.what}, from" in said(at).replace("\\", "")
    chooser = model_list(at)
    offered = [each for each in chooser.options if each.endswith("(made elsewhere)")]
    assert f"{titles.get(name, name)} (made elsewhere)" in offered
    for view in BY_ADDRESS[address].views[:2]:
        at.session_state[BY_ADDRESS[address].look_at.key] = view.name
        at.run()
        assert not at.exception and not at.error, view.name


def test_a_reader_opens_with_something_hidden_and_a_translator_with_its_own_translation(
    shelf: Path, open_page: Open
) -> None:
    at = open_page(path_of(BY_ADDRESS["journey"]), model="real:distilbert")
    assert "[MASK]" in at.session_state["visit"].run.text
    assert any("What is hidden at token" in chart.proto.spec for chart in at.get("vega_lite_chart"))
    at = open_page(path_of(BY_ADDRESS["heads"]), model="real:t5")
    run = at.session_state["visit"].run
    assert run.target == own_translation(replace(run, target="")) and not at.text_input(key="tt").value


def test_a_classifier_opens_on_sentiment_with_its_own_labels(shelf: Path, open_page: Open) -> None:
    page = BY_ADDRESS["sentiment"]
    at = open_page(path_of(page), model="real:judge")
    assert not at.error and "“positive”" in said(at) and "Trained on" not in said(at)
    for view in page.views:
        look(at, **{page.look_at.key: view.name})
        assert not at.exception and not at.error and not at.warning, view.name
    for address in ("journey", "block", "architecture"):
        at = open_page(path_of(BY_ADDRESS[address]), model="real:judge")
        assert not at.exception and not at.error, address


def test_a_classifier_of_other_classes_says_that_our_sentences_are_not_for_it(shelf: Path, open_page: Open) -> None:
    write_judge(shelf / "moods", ("angry", "calm", "glad"))
    clear()
    page = BY_ADDRESS["sentiment"]
    at = open_page(path_of(page), model="real:moods")
    assert not at.error and any(f"“{name}”" in said(at) for name in ("angry", "calm", "glad"))
    look(at, **{page.look_at.key: "negations"})
    (told,) = (each.value.replace("\\", "") for each in at.info)
    assert "classes are “angry”, “calm” and “glad”, so these sentences have no right answer" in told
    shutil.rmtree(shelf / "moods")


def test_each_of_many_layers_and_heads_can_be_chosen(shelf: Path, open_page: Open) -> None:
    """48 layers of 25 heads, as GPT-2 XL: lists take the place of the buttons, and the address reaches the last."""
    config = transformers.GPT2Config(vocab_size=330, n_positions=64, n_embd=25, n_layer=48, n_head=25)
    transformers.GPT2LMHeadModel(config).save_pretrained(shelf / "deep")
    (shelf / "deep" / "tokenizer.json").write_text(trained("byte-level"))
    clear()
    at = open_page(path_of(BY_ADDRESS["heads"]), model="real:deep", layer="48", head="25", heads_off="L47H24")
    assert not at.warning and (at.selectbox(key="layer").value, at.selectbox(key="head").value) == ("48", "25")
    assert list(at.selectbox(key="layer").options) == [str(number) for number in range(1, 49)]
    (grid,) = pictures(at, "heads-grid")
    assert grid["selected"] == [47, 24] and grid["values"][0].shape[:2] == (48, 25)
    look(at, heads_view="switch off")
    assert list(at.multiselect(key="heads-off").value) == ["L47H24"]
    look(at, model="real:gpt2")
    assert at.session_state["layer"] == "2" and at.session_state["head"] == "4" and not at.error


@pytest.mark.parametrize(("address", "view"), [("kv-cache", 0), ("masks", 0), ("translate", 0), ("block", 2)])
def test_a_layer_that_only_the_encoder_has_is_no_layer_of_the_decoder(
    address: str, view: int, shelf: Path, open_page: Open
) -> None:
    """The small Marian has two blocks in its encoder, and one in its decoder."""
    page = BY_ADDRESS[address]
    at = open_page(path_of(page), model="real:marian", layer="2", **{page.look_at.key: page.views[view].name})
    look(at, block_stack="of the decoder")
    assert not at.error and ("layer" not in at.session_state or at.session_state["layer"] == "1")


def test_the_page_of_masks_names_the_models_own_window(shelf: Path, open_page: Open) -> None:
    at = open_page(path_of(BY_ADDRESS["masks"]), model="real:mistral")
    assert "this model lets a query see at most the last 4 tokens" in said(at)


@pytest.mark.parametrize(
    "address",
    [page.address for page in PAGES if page.uses_model and not page.reference and "decoder" in page.architectures],
)
def test_each_view_opens_with_sink_logits_or_says_why_not(address: str, shelf: Path, open_page: Open) -> None:
    page = BY_ADDRESS[address]
    at = open_page(path_of(page), model="real:granite_swa")
    for view in page.views:
        look(at, **{page.look_at.key: view.name})
        told = [each.value.replace("\\", "") for each in at.error]
        assert not at.exception and told in ([], [SINK_LOGITS]), view.name


def test_a_folder_that_is_added_while_the_app_runs_is_listed(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "gpt2", tmp_path / "first")
    shelf = ModelRegistry(place=tmp_path)
    assert shelves.names_on(shelf)[-1:] == ("real:first",) and "real:second" not in shelves.listed_on(shelf)
    shutil.copytree(place / "bert", tmp_path / "second")
    shelves._folders_in.cache_clear()
    assert shelves.names_on(shelf)[-2:] == ("real:first", "real:second")
    assert shelves.listed_on(shelf)["real:second"].architecture == "encoder"


def test_models_that_cannot_be_read_just_now_are_listed_again_later(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, framework: str) -> None:
        raise MemoryError

    shutil.copytree(place / "gpt2", tmp_path / "first")
    shelf = ModelRegistry(place=tmp_path)
    with monkeypatch.context() as at_its_end:
        at_its_end.setattr("core.checkpoints.safetensors_file.safe_open", full)
        assert "storyteller" in shelves.listed_on(shelf) and "real:first" not in shelves.cards_on(shelf)
    assert "real:first" in shelves.listed_on(shelf)


def test_a_folder_that_goes_while_its_place_is_looked_through_is_not_listed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelves._folders_in.cache_clear()
    monkeypatch.setattr(shelves, "real_names", lambda place: ("bert", "gone", "gpt2"))
    assert [name for name, _ in shelves._folders(ModelRegistry(place=place))] == ["bert", "gpt2"]
    shelves._folders_in.cache_clear()


@pytest.mark.parametrize("name", ["real:../bert", "real:nowhere", "real:", "real:/etc"])
def test_only_a_name_of_the_list_can_be_asked_for(name: str, shelf: Path, open_page: Open) -> None:
    at = open_page(path_of(BY_ADDRESS["heads"]), model=name)
    assert not at.error and not at.session_state["visit"].run.model_name.startswith("real:")


def test_the_card_of_a_real_model_says_where_it_is_from(place: Path) -> None:
    cards = ModelRegistry(place=place).cards()
    assert set(REAL) <= set(cards)
    rows = dict(describe_card(cards["real:gpt2"]))
    assert rows["Where from"] == "from the hub: somebody/gpt2. Licence: mit."
    assert rows["Size"].endswith("parameters: 2 layers, 4 heads, d_model 16, 330 pieces or words known")
    assert rows["What it is"].startswith("GPT-2, made elsewhere")
    assert dict(describe_card(cards["real:bert"]))["Where from"].endswith("Licence: not stated.")
    granite = dict(describe_card(cards["real:granite_swa"]))["What it is"]
    assert granite.startswith("Granite SWA, made elsewhere. Nothing about it was trained or measured here. Its embed")


def test_a_place_comes_from_the_environment_and_there_is_none_by_default(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for named, found in ((str(place), place), ("", None)):
        monkeypatch.setenv("ATTENTION_EXPLORER_MODELS", named)
        shelves.real_place.clear()
        assert shelves.real_place() == found
    shelves.real_place.clear()
    assert not any(name.startswith("real:") for name in ModelRegistry().names())
    assert set(REAL) < set(ModelRegistry(place=place).names())


def test_a_real_model_is_booked_in_the_number_format_in_which_it_is_read(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    booked: list[int] = []

    @contextmanager
    def noted(needed: Callable[[], MemoryEstimate], *_frees: object) -> Iterator[None]:
        booked.append(needed().parameters)
        yield

    monkeypatch.setattr("pages.compute.model_cache.room_for", noted)
    known, _ = Elsewhere("gpt2", shelf).open()
    half = Placement("cpu", "bfloat16")
    run = Run("the cat", known.config, source=known.source, format=known.format, placement=half)
    held = cache.compute(lambda model, tokenizer, run: sum(each.nbytes for each in model.parameters()), run)
    assert booked == [held]
    assert known.largest_tensor == 330 * 16 * 4, "of its embeddings"


def test_the_sidebar_says_what_memory_a_model_made_elsewhere_takes(shelf: Path, open_page: Open) -> None:
    at = open_page(path_of(BY_ADDRESS["heads"]), model="real:marian")
    (words,) = (each.value for each in at.sidebar.caption if each.value.startswith("A run may use "))
    assert words.endswith(
        "MiB of this machine's memory: this model takes less than 1 MiB, and this text less than 1 MiB."
    )
    look(at, model="translator")
    assert not any(each.value.startswith("A run may use ") for each in at.sidebar.caption)
