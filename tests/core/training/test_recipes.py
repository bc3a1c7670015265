"""Every recipe from its data to a scored checkpoint, on tiny data; and no row on both sides of a split."""

import gzip
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.checkpoints import weights
from core.checkpoints.card import CARD, read_card, write_card
from core.model.classifier import ClassifierConfig
from core.model.config import TransformerConfig
from core.model.recurrent import RecurrentConfig
from core.model.word2vec import WordVectorsConfig
from core.training import recipe as recipes
from core.training import translation
from core.training.corpus import book_lines
from core.training.loop import TrainConfig
from core.training.recipe import TrainingRecipe
from core.training.recipes import reader, sentiment, storytellers, toys, translators, word_vectors
from core.training.schedules import cosine

SMALL = TrainConfig(cosine(1e-2, 2), steps=3, validations=1, average=2, average_from=0.5)
SHAPE: dict[str, Any] = {"vocab_size": 1000, "d_model": 8, "heads": 2, "layers": 1}


@pytest.fixture
def small_split(monkeypatch):
    monkeypatch.setattr(translation.split_pairs, "__defaults__", (True, 20, 10))


def translator(config, augmented=None):
    def task(data, folder, seed):
        return translators.TranslationTask(
            config, "tiny", data, folder, seed, 400, vocabulary="unigram-1000", augmented=augmented
        )

    return task


TASKS = {
    "translator": translator(TransformerConfig("encoder-decoder", **SHAPE), augmented=1),
    "recurrent": translator(RecurrentConfig("attention", 1000, 8, 8)),
    "sentiment": lambda data, folder, seed: sentiment.SentimentTask(
        ClassifierConfig(TransformerConfig(**SHAPE)), data, folder, seed, 400, vocabulary="unigram-1000"
    ),
    "stories": lambda data, folder, seed: storytellers.StoryTask(
        TransformerConfig("decoder", **SHAPE, max_length=32), "unigram-1000", data, folder, seed
    ),
    "reader": lambda data, folder, seed: reader.ReaderTask(
        TransformerConfig("encoder", **SHAPE, positions="learned", max_length=32), "unigram-1000", data, seed, 400
    ),
    "words": lambda data, folder, seed: word_vectors.WordVectorsTask(
        WordVectorsConfig(500, 8), data, folder, seed, 4, 16
    ),
    "toy": lambda data, folder, seed: toys.ToyTask("sort", replace(toys.toy_config("sort", seed), d_model=8), seed),
}
BLEU_BY_WORDS = ("bleu_by_source_words", "bleu_joined_by_source_words")
SCORES = {
    "translator": {"bleu_multi30k_2016", "bleu_tatoeba", *BLEU_BY_WORDS, "reliability"},
    "recurrent": {"bleu_multi30k_2016", "bleu_tatoeba", *BLEU_BY_WORDS, "reliability"},
    "sentiment": {"accuracy_dev", "accuracy_dev_interval", "accuracy_dev_typing_mistakes", "negations", "reliability"},
    "stories": {"loss", "perplexity", "bits_per_char"},
    "reader": {
        "masked_accuracy",
        "loss",
        *(f"{way}_{score}" for way in ("unigram", "bigram", "both_sides") for score in ("accuracy", "loss")),
    },
    "words": {"analogies_cbow", "analogies_skipgram", "analogy_questions"},
    "toy": {"exact_match", "sort_head"},
}


@pytest.mark.parametrize("name", TASKS)
def test_a_recipe_goes_from_data_to_a_scored_checkpoint(name, data, tmp_path, small_split, capsys):
    tiny = TrainingRecipe(
        name, "Tiny", "A tiny model.", "It knows nothing.", TASKS[name], replace(SMALL, checkpoints=(0.0, 1.0))
    )
    out = tmp_path / "out"
    recipes.train(tiny, ["--data", str(data), "--run-dir", str(tmp_path / "run"), "--out", str(out), "--seed", "4"])
    model, card = weights.load(out)
    assert (card.name, card.steps, card.seed) == (name, 3, 4)
    assert (card.title, card.limits) == ("Tiny", "It knows nothing.")
    assert card.parameters == sum(value.numel() for value in model.parameters())
    assert set(card.scores) == SCORES[name]
    assert card.commands["train"] == f"python -m core.training {name} --data DIR --seed 4"
    assert str(tmp_path) not in (out / CARD).read_text()
    assert all({"text", "licence"} == set(source) for source in card.data)
    assert sorted(path.name for path in (out / "steps").iterdir()) == ["000000", "000003"]
    divided = re.search(r"its logits are divided by ([\d.]+)", card.split)
    assert bool(divided) == ("reliability" in card.scores)
    if divided and "logit_scale" in card.config:
        assert card.config["logit_scale"] == pytest.approx(1 / float(divided[1]), abs=1e-4)
    write_card(out, replace(card, scores={}))
    capsys.readouterr()
    recipes.evaluate(tiny, ["--data", str(data), "--model", str(out)])
    assert read_card(out).scores == card.scores
    assert all(score in capsys.readouterr().out for score in list(card.scores)[-1:])


def test_no_english_sentence_is_on_both_sides(data):
    found = translation.split_pairs(data, 0, test=20, validation=10)
    trained = {translation.key(english) for english, _ in found.train}
    assert len(found.tests["tatoeba"].english) == 20
    assert len(found.validation) == 20  # ten captions and ten sentences
    held = [*(english for english, _ in found.validation), *(e for t in found.tests.values() for e in t.english)]
    assert not trained & {translation.key(english) for english in held}
    tested = [{translation.key(english) for english in test.english} for test in found.tests.values()]
    assert not tested[0] & tested[1]


def test_a_held_out_sentence_has_all_its_translations(data):
    everything = translation.split_pairs(data, 0, test=290, validation=0).tests["tatoeba"]
    lines = gzip.decompress((data / "tatoeba" / "en-fr.tsv.gz").read_bytes()).decode().splitlines()
    for english, references in zip(everything.english, everything.french, strict=True):
        same = [line.split("\t") for line in lines]
        assert set(references) == {f for e, f in same if translation.key(e) == translation.key(english)}


def test_sentences_are_compared_without_case_and_punctuation():
    assert translation.key("  It's  HERE!") == translation.key("it’s here") == "it s here"


def test_bleu_by_hand():
    assert translation.bleu(["the cat sat on the mat"], [["the cat sat on the mat", "x"]]) == 100.0
    assert translation.bleu(["The Cat sat on the mat"], [["the cat sat on the mat"]]) < 100.0
    assert translation.bleu(["The Cat sat on the mat"], [["the cat sat on the mat"]], lower=True) == 100.0
    test = translation.Parallel(("a b", "a b c d e f g"), (("u v w x",), ("x y z t u v w",)))
    scores = translation.by_length(test, ["u v w x", "no match at all here"])
    assert scores["1-5"] == {"bleu": 100.0, "low": 100.0, "high": 100.0, "sentences": 1}
    assert scores["6-10"]["bleu"] < 5 and list(scores) == ["1-5", "6-10"]


def test_no_held_out_review_or_long_phrase_of_one_is_trained_on(data, tmp_path):
    parts = TASKS["sentiment"](data, tmp_path, 0).parts
    trained = {translation.key(text) for text, _ in parts["train"]}
    for part in ("validation", "dev"):
        assert parts[part] and not trained & {translation.key(text) for text, _ in parts[part]}
    inside = " | a fine old film indeed | "
    assert sentiment._is_held_out("Fine old film indeed!", inside, set())
    assert not sentiment._is_held_out("fine old film", inside, set())
    assert sentiment._is_held_out("a b", inside, {"a b"})


def test_a_share_of_the_reviews_is_read_with_new_typing_mistakes_at_each_step(data, tmp_path):
    plain = TASKS["sentiment"](data, tmp_path, 0)
    clean, changed, same = (replace(plain, slips=share).batch(0).tensors for share in (0.0, 1.0, 1.0))
    assert torch.equal(changed["labels"], clean["labels"]) and torch.equal(changed["ids"], same["ids"])
    texts = [{tuple(row[row > 0].tolist()) for row in each["ids"]} for each in (clean, changed)]
    untouched = len(texts[0] & texts[1])  # a word of three letters has no mistakes
    assert untouched < len(texts[0]) / 2
    rows = [plain._misspelt(0, np.random.default_rng(seed)) for seed in range(8)]
    assert len({tuple(ids) for ids, _ in rows}) > 1 and {label for _, label in rows} == {plain.rows[0][1]}


def test_short_phrases_and_typed_texts_are_what_the_pretrained_classifier_reads(data, tmp_path):
    task = replace(sentiment.reader_task(data, tmp_path, 0), longest=3, negated=0)
    texts, whole = (
        {text for text, _ in each.parts["train"]} for each in (task, replace(task, longest=None, typed=False))
    )
    held = {text for text, _ in replace(task, sentences=10**9).parts["train"]}
    assert texts == {text for text in whole if text in held or len(text.split()) <= 3} != whole
    treebank = "it is n't good , they 've said ( twice ) : `` why ? ''"
    assert sentiment.as_typed(treebank) == "it isn't good, they've said (twice): \" why? \""
    assert task._typed("it is n't good .") == "it isn't good."
    assert replace(task, typed=False)._typed("is n't .") == "is n't ."


def test_whole_books_are_held_out_and_counted_to_the_last_piece(data, tmp_path):
    task = TASKS["stories"](data, tmp_path, 0)
    parts = task.parts
    assert sorted(path for books in parts.values() for path in books) == sorted((data / "stories").glob("*.gz"))
    assert [len(parts[name]) for name in ("validation", "test", "train")] == [2, 4, 2]
    model = task.objective().model.eval()
    model.embed.weight.data.zero_()  # every piece alike
    ids = task.held_out("test")
    text = [line for path in parts["test"] for line in book_lines(path)]
    bits = (len(ids) - 1) * np.log2(1000) / sum(len(line) + 1 for line in text)
    assert task.evaluate(model)["bits_per_char"] == pytest.approx(bits, abs=1e-3)


def test_an_epoch_of_stories_has_every_window_once(data, tmp_path):
    task = TASKS["stories"](data, tmp_path, 0)
    count = (len(task.train_ids) - 2) // 32 - 1
    rows = torch.cat([task.batch(step).tensors["given"] for step in range(count // 16)])
    assert len(rows) == count // 16 * 16
    text = " ".join(map(str, task.train_ids.tolist()))
    assert all(" ".join(map(str, row.tolist())) in text for row in rows[:5])
    assert torch.equal(task.batch(3).tensors["gold"], task.batch(3).tensors["gold"])


def test_words_are_thinned_out_and_noise_is_flattened_by_the_papers_powers(data, tmp_path):
    task = TASKS["words"](data, tmp_path, 0)
    words, counts = task.counts
    assert len(words) == 500 and sorted(counts, reverse=True) == counts.tolist()
    frequency = counts / counts.sum()
    np.testing.assert_allclose(task.kept, np.minimum(1, np.sqrt(1e-4 / frequency)))
    probabilities = np.diff(task.noise_edges, prepend=0)
    np.testing.assert_allclose(probabilities[0] / probabilities[-1], (counts[0] / counts[-1]) ** 0.75)
    batch = task.batch(0)
    assert batch.tensors["ids"].shape == (4, 16) and batch.predictions == 64
    assert batch.tensors["window"].min() >= 1 and batch.tensors["window"].max() <= 5


def test_what_the_toys_ask():
    rng = np.random.default_rng(0)
    letters = np.array([[7, 5, 9], [4, 8, 6]])
    tasks = {kind: toys.ToyTask(kind, toys.toy_config(kind, 0), 0) for kind in toys.WHAT}
    assert tasks["reverse"].rows(letters, rng).tensors["target"].tolist() == [[2, 9, 5, 7, 3], [2, 6, 8, 4, 3]]
    assert tasks["sort"].rows(letters, rng).tensors["target"].tolist() == [[2, 5, 7, 9, 3], [2, 4, 6, 8, 3]]
    assert toys.letter_places("reverse", letters).tolist() == [[2, 1, 0], [2, 1, 0]]
    assert toys.letter_places("sort", letters).tolist() == [[1, 0, 2], [0, 2, 1]]
    copy = tasks["copy"].rows(toys.draw_letters(8, 50, rng), rng)
    given, gold = copy.tensors["given"], copy.tensors["gold"]
    asked = gold > 0
    assert int(asked.sum()) == copy.predictions and not asked[:, :9].any() and asked[:, 9:].all()
    for row, answers in zip(given.tolist(), gold.tolist(), strict=True):
        first = row[1:9]
        assert len(set(first)) == 8
        for place in range(9, len(row)):
            assert answers[place] == first[first.index(row[place]) + 1]  # what followed it before


def test_echoes_say_a_passage_twice_and_leave_the_rest_alone(data, tmp_path):
    plain = TASKS["stories"](data, tmp_path, 0)
    config = TransformerConfig("decoder", **SHAPE, max_length=256)
    plain = replace(plain, config=config)
    echoing = replace(plain, echoes=2, echo_from=3)
    for step in (2, 3, 4):
        text, changed = (
            torch.cat([batch.tensors["given"], batch.tensors["gold"][:, -1:]], 1)
            for batch in (plain.batch(step), echoing.batch(step))
        )
        assert torch.equal(changed[2:], text[2:])
        if step < 3:
            assert torch.equal(changed, text)
            continue
        for row, before in zip(changed[:2], text, strict=False):
            long = max(n for n in range(120) if torch.equal(row[-n:], before[:n]))
            assert 24 <= long < 120 and torch.equal(row[:-long], before[:-long])
    assert "from step 3 on, 2 of 16 windows say a passage twice" in echoing.about()["split"]


def test_a_translator_reads_plain_pairs_and_from_a_step_on_changed_ones(data, tmp_path, small_split):
    task = TASKS["translator"](data, tmp_path, 0)
    plain = {tuple(row[1]) for row in task.rows}
    first = {tuple(row) for row in task.batch(0).tensors["target"].tolist()}
    assert {tuple(piece for piece in row if piece) for row in first} <= {tuple(p for p in row if p) for row in plain}
    for step in (1, 5):
        assert task.batch(step).predictions == sum(len(row[1]) - 1 for row in task.rounds.rows(step - 1))
