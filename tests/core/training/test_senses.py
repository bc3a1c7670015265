"""Sentences with their meanings, and their neighbours in a shipped model's vectors."""

import numpy as np
import torch

from core.checkpoints import shipped
from core.device import Placement
from core.topics.words_in_context.pronouns import translator_run
from core.topics.words_in_context.sentences import read_sentence
from core.training.senses import labelled_sentences, measure_senses

PAIRS = [
    ("The light is on.", "La lumière est allumée."),
    ("the light is on!", "L'éclairage est allumé."),
    ("My bag is light.", "Mon sac est léger."),
    ("This box is light.", "Cette boîte est légère."),
    ("It is light.", "C'est léger."),
    ("It is light.", "Il y a de la lumière."),
    ("A light in a light.", "Une lumière."),
    ("The lightning.", "La lumière."),
    ("Turn off the light.", "Éteins la lumière."),
]


def test_a_sentence_counts_once_and_where_its_translations_agree() -> None:
    found = labelled_sentences(PAIRS, 0)["light"]
    lamp, heavy = "lamp", "not heavy"
    assert found == [
        *[("The light is on.", lamp), ("Turn off the light.", lamp)],
        *[("My bag is light.", heavy), ("This box is light.", heavy)],
    ]
    assert len(labelled_sentences(PAIRS, 0, most=1)["light"]) == 2


def test_neighbours_are_those_of_every_cosine() -> None:
    cpu = Placement("cpu", "float32")
    model, tokenizer, about = (
        shipped.load("translator", cpu),
        shipped.tokenizer("translator"),
        shipped.read("translator"),
    )
    rows = labelled_sentences(PAIRS, 0)["light"]
    found = measure_senses(model, tokenizer, about, {"light": rows})
    assert found["stages"] == ["+ position", "layer 1", "layer 2", "layer 3", "last norm"]
    read = [read_sentence(model, tokenizer, translator_run(about, cpu, text)) for text, _ in rows]
    vectors = torch.tensor(np.stack([each.states[4, each.words.index("light")] for each in read]))  # after layer 3
    right = 0
    for i, (_, sense) in enumerate(rows):
        cosines = {k: float(torch.cosine_similarity(vectors[i], vectors[k], dim=0)) for k in range(len(rows)) if k != i}
        right += rows[max(cosines, key=lambda k: cosines[k])][1] == sense
    counted = found["words"]["light"]
    assert counted["sentences"] == {"lamp": 2, "not heavy": 2} and counted["right"][3] == right
