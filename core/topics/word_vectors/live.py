"""Training word vectors step by step, with the same result after the same number of steps for every visitor."""

import math
import re
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.analysis.word_maps import alike, places_on, principal_axes, turned_towards
from core.analysis.word_vectors import closest_rows, unit_rows
from core.limits import LEARNED_WORDS
from core.text.word_forms import text_words
from core.topics.shared.labels import NamedColumns
from core.topics.word_vectors.analysis import Gradients, NegativeSamples, gradients_of, learn
from core.topics.word_vectors.grammar import GROUP_OF, made_text

STEPS_PER_TURN = 20  # steps from one turn of the map's plane to the next
MOST_STRETCH = 40  # the most words of a sentence, which is cut after them
NOISE_POWER = 0.75  # section 2.2 of Mikolov et al. 2013b
BINS = 100
MAX_VECTOR_NUMBER = 1e6  # far beyond any useful vector, and far below the largest number that a plot can hold


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a training, in plain values.

    text: "" for the text that is made here.
    method: "skip-gram" or "CBOW".
    window: the most words to either side.
    width: D.
    noise: K.
    rate: the learning rate.
    sample: t of sub-sampling, 0 for none.
    """

    text: str = ""
    method: str = "skip-gram"
    window: int = 2
    width: int = 8
    noise: int = 5
    rate: float = 0.1
    sample: float = 0.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Corpus:
    """A text prepared for training.

    words: the vocabulary, commonest first.
    sentences: as ids.
    counts (V,): how often each word occurs.
    stays (V,): the probability that sub-sampling keeps a word.
    noise (V,): cumulative probabilities of being drawn as a noise word.
    """

    words: tuple[str, ...]
    sentences: tuple[np.ndarray, ...]
    counts: np.ndarray
    stays: np.ndarray
    noise: np.ndarray


@dataclass(frozen=True, eq=False)
class TrainingState:
    """The result of some training steps.

    inputs, outputs: the two tables, (V, D).
    losses (S,): the mean loss of a question in each step.
    axes (2, D): the axes of the plane on which the map is drawn, as they were after the last multiple of
        `STEPS_PER_TURN` steps.
    """

    inputs: np.ndarray
    outputs: np.ndarray
    losses: np.ndarray
    axes: np.ndarray

    @property
    def steps(self) -> int:
        """The number of steps taken."""
        return len(self.losses)


@dataclass(frozen=True, eq=False)
class NextStep:
    """The predictions of one training step, before it changes any vector.

    Each prediction (a "question") scores a vector v against the word to predict and noise words; v is the vector of one
    word, or the mean of several.
    sentence: the words of the drawn sentence.
    kept: whether sub-sampling kept each word.
    asked: the questions, as ids.
    told (P,): the position of the word to predict among the words kept.
    askers: for each question, the words whose vectors make v.
    words: for each question, the word to predict, then the noise words.
    asking (P, D): the vector v of each question.
    gradients: the losses of the questions, and their gradients.
    """

    sentence: tuple[str, ...]
    kept: tuple[bool, ...]
    asked: NegativeSamples
    told: np.ndarray
    askers: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...]
    asking: np.ndarray
    gradients: Gradients

    @property
    def questions(self) -> list[tuple[tuple[str, ...], str]]:
        """For each question, the words whose vectors make v, and the word to predict."""
        return [(askers, words[0]) for askers, words in zip(self.askers, self.words, strict=True)]


def read_corpus(setup: TrainingSettings) -> Corpus:
    """Return the text as sentences of known words.

    Raises ValueError if it has fewer than two different words, or no sentence of two known words.
    """
    texts = [list(text_words(part)) for part in re.split(r"[.!?;:\n]+", setup.text or made_text())]
    counted = Counter(word for text in texts for word in text)
    words = tuple(sorted(counted, key=lambda word: (-counted[word], word))[:LEARNED_WORDS])
    if len(words) < 2:
        raise ValueError("This text has fewer than two different words; write some sentences.")
    number_of = {word: number for number, word in enumerate(words)}
    rows = [
        np.array([number_of[word] for word in text if word in number_of][:MOST_STRETCH], dtype=np.int64)
        for text in texts
    ]
    counts = np.array([counted[word] for word in words], dtype=np.float64)
    powers = counts**NOISE_POWER
    shares = counts / counts.sum()
    stays = np.minimum(1.0, np.sqrt(setup.sample / shares)) if setup.sample else np.ones(len(words))
    sentences = tuple(row for row in rows if len(row) > 1)
    if not sentences:
        raise ValueError("Every sentence of this text has one word only; a window needs two.")
    return Corpus(words, sentences, counts, stays, np.cumsum(powers) / powers.sum())


def begin(setup: TrainingSettings, corpus: Corpus) -> TrainingState:
    """Return the state before the first step: inputs drawn evenly from ±1/(2D), outputs zero, as in word2vec."""
    shape = (len(corpus.words), setup.width)
    inputs = (np.random.default_rng(setup.seed).random(shape) - 0.5) / setup.width
    return TrainingState(inputs, np.zeros(shape), np.empty(0), principal_axes(inputs)[0])


def trained_on(
    setup: TrainingSettings, corpus: Corpus, before: TrainingState, steps: int, seconds: float = math.inf
) -> TrainingState:
    """Return the state after `steps` more steps, each on one sentence drawn at random; `before` is not changed.

    seconds: no step is begun after this time, but at least one step is taken.
    """
    inputs, outputs, axes = before.inputs.copy(), before.outputs.copy(), before.axes
    losses: list[float] = []
    end = time.perf_counter() + seconds
    with np.errstate(over="ignore", invalid="ignore"):
        while len(losses) < steps and (not losses or time.perf_counter() < end):
            drawn = _draw(setup, corpus, before.steps + len(losses))[-1]
            losses.append(learn(drawn, inputs, outputs, setup.rate))
            if (before.steps + len(losses)) % STEPS_PER_TURN == 0:
                axes = _axes(inputs, axes)
    return TrainingState(inputs, outputs, np.concatenate([before.losses, losses]), axes)


def next_step(setup: TrainingSettings, corpus: Corpus, state: TrainingState) -> NextStep:
    """Return the predictions of the next training step and their gradients, without taking the step."""
    ids, kept, predicted, samples = _draw(setup, corpus, state.steps)
    words = [corpus.words[index] for index in samples.ids]
    return NextStep(
        tuple(corpus.words[index] for index in ids),
        tuple(bool(is_kept) for is_kept in kept),
        samples,
        predicted,
        tuple(tuple(words[t] for t in np.flatnonzero(mix)) for mix in samples.mixes),
        tuple(tuple(corpus.words[index] for index in row) for row in samples.answers),
        samples.mixes @ state.inputs[samples.ids],
        gradients_of(samples, state.inputs, state.outputs),
    )


def runs_away(state: TrainingState) -> bool:
    """Return whether training has diverged: a number has grown past `MAX_VECTOR_NUMBER`, where every σ is 0 or 1."""
    return not all((np.abs(table) < MAX_VECTOR_NUMBER).all() for table in (state.inputs, state.outputs))


def live_map(state: TrainingState) -> tuple[np.ndarray, float | None]:
    """Return the words on the plane of most variance, (V, 2), and its share of the variance.

    Vectors of two dimensions are returned as they are, with None for the share.
    Principal axes may change places or point the other way from one step to the next, so within their plane they are
    turned to lie as they lay before.
    """
    if state.inputs.shape[1] == 2:
        return state.inputs, None
    axes, shares = principal_axes(state.inputs)
    return places_on(state.inputs, turned_towards(axes, state.axes)), float(shares.sum())


def loss_curve(state: TrainingState) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean loss over at most `BINS` stretches of training, with the number of the last step of each."""
    parts = np.array_split(state.losses, min(BINS, max(1, len(state.losses) // 5)))
    ends = np.cumsum([len(part) for part in parts])
    means = [part[~np.isnan(part)].mean() if (~np.isnan(part)).any() else np.nan for part in parts]
    return ends, np.array(means)


def initial_loss(noise: int) -> float:
    """Return the loss of one prediction while every score is 0, before anything is learnt: (1 + K) ln 2.

    It is less if a noise word is the answer itself.
    """
    return (1 + noise) * math.log(2)


def grouped(corpus: Corpus, state: TrainingState) -> tuple[int, int, float]:
    """Count the words whose nearest neighbour is of their own group.

    Only words that have a group in the made text are compared. Return the count, the number of such words, and the
    count expected by chance.
    """
    words, nearest = grouped_neighbours(corpus, state)
    groups = [GROUP_OF[word] for word in words]
    right = sum(GROUP_OF[near] == group for near, group in zip(nearest, groups, strict=True))
    probability = sum((groups.count(group) - 1) / (len(groups) - 1) for group in groups)
    return right, len(groups), probability


def grouped_neighbours(corpus: Corpus, state: TrainingState) -> tuple[list[str], list[str]]:
    """Return the words that have a group in the made text, and the nearest of the others to each."""
    ids = [index for index, word in enumerate(corpus.words) if word in GROUP_OF]
    words, rows = [corpus.words[index] for index in ids], unit_rows(state.inputs[ids])
    nearest = (int(closest_rows(rows, row, 1, (index,))[0][0]) for index, row in enumerate(rows))
    return words, [words[index] for index in nearest]


def neighbour_table(corpus: Corpus, state: TrainingState) -> NamedColumns:
    """Return each word of `grouped_neighbours` with its nearest, their groups, and whether these are the same."""
    words, nearest = grouped_neighbours(corpus, state)
    groups, near_groups = [GROUP_OF[word] for word in words], [GROUP_OF[word] for word in nearest]
    same = ["yes" if one == two else "no" for one, two in zip(groups, near_groups, strict=True)]
    return {"word": words, "group": groups, "nearest": nearest, "its group": near_groups, "same group": same}


def nearest_pair(corpus: Corpus, state: TrainingState) -> tuple[str, str, float]:
    """Return the two words whose vectors have the largest cosine, and that cosine."""
    rows, columns = np.triu_indices(len(corpus.words), 1)
    cosines = alike(state.inputs)[rows, columns]
    best = int(cosines.argmax())
    return corpus.words[int(rows[best])], corpus.words[int(columns[best])], float(cosines[best])


def _axes(inputs: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return the axes of the map (2, D), turned to be near those before; the same ones if numbers are not finite."""
    return turned_towards(principal_axes(inputs)[0], before) if np.isfinite(inputs).all() else before


def _draw(
    setup: TrainingSettings, corpus: Corpus, step: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, NegativeSamples]:
    """Return the sentence of a step, which of its words are kept, which of these to predict, and the questions."""
    draw = np.random.default_rng((setup.seed, step))
    ids = corpus.sentences[draw.integers(len(corpus.sentences))]
    kept = draw.random(len(ids)) < corpus.stays[ids]
    stretch = ids[kept]
    reach = draw.integers(1, setup.window + 1, len(stretch))
    apart = np.abs(np.arange(len(stretch))[:, None] - np.arange(len(stretch)))
    looks = (apart > 0) & (apart <= reach[:, None])  # (T, T): word t looks at word o
    if setup.method == "CBOW":
        predicted = np.flatnonzero(looks.any(1))
        mixes = looks[predicted] / looks[predicted].sum(1, keepdims=True)
        answers = stretch[predicted]
    else:
        askers, predicted = np.nonzero(looks)
        mixes, answers = np.eye(len(stretch))[askers], stretch[predicted]
    noise = np.searchsorted(corpus.noise, draw.random((len(answers), setup.noise)), side="right")
    noise = noise.clip(max=len(corpus.words) - 1)
    counts = np.concatenate([np.ones((len(answers), 1)), noise != answers[:, None]], axis=1)
    samples = NegativeSamples(stretch, mixes, np.concatenate([answers[:, None], noise], axis=1), counts)
    return ids, kept, predicted, samples
