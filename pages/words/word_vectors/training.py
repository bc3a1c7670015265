"""Word vectors that are trained while the visitor watches."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.charts.word_map import word_map_data, word_map_spec
from core.limits import LEARNED_WORDS, TRAINING_STEPS
from core.readings import word_vectors as say
from core.topics.word_vectors import live
from core.topics.word_vectors.grammar import GROUP_OF, GROUPS
from core.topics.word_vectors.live import Corpus, NextStep, TrainingSettings, TrainingState
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import (
    Caption,
    Chart,
    Columns,
    Control,
    Listing,
    Message,
    Part,
    Player,
    ProgressBar,
    Table,
    Values,
    control,
    plain,
    playing,
    spec,
)
from pages.words.word_vectors import queries, settings
from pages.words.word_vectors.parts import PLAYER, method_controls, typed
from pages.words.word_vectors.settings import METHOD, PAIR, SOURCE, STEPS, TEXT

STRIDE_STEPS, LEAP_STEPS = 20, (20, 100, 500)
STEP_SECONDS = 0.3  # between two drawings while it plays; other visitors' pages are drawn meanwhile
TABLE_WORDS = 48  # number of words, commonest first, whose rows are drawn
MAPPED_WORDS = 80
LEAD = (
    "Which words mean something alike can be learned from their neighbours alone. At first the **word vectors** are "
    "random; each step reads one sentence, and words with the same neighbours slowly become alike."
)
ABOUT = (
    "A step takes one sentence and pairs each word with its neighbours. **Negative sampling** sets each pair against "
    "words drawn at random: the **gradient** moves the vectors of a pair together, those of random words apart. There "
    "are two tables, one for input words and one for output words; the first is kept as the **word vectors**."
)
MADE_TEXT_NOTE = (
    "The text is made here by rules: men, women and animals eat food, pour drinks and walk to places. Words of one "
    "group have the same neighbours."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from method_controls(run, values)
    yield control(SOURCE)
    if values[SOURCE] != SOURCE.default:
        yield typed(TEXT, 560)
    yield control(settings.WINDOW, width=150)
    yield control(settings.WIDTH, "more")
    yield control(settings.NOISE, "more")
    yield control(settings.RATE, "more", step=0.01, format="%g")
    yield control(settings.SAMPLE, "more", step=0.01, format="%g")
    yield control(settings.SEED, "more")
    yield control(PAIR, "below", width=130)


def _show(run: Run, values: Values) -> Shown:
    """Show the player, the map and the loss, both tables, and one pair of the next step worked out.

    If many steps are asked for, it shows the progress of the training, and the player's clock asks again.
    """
    setup, target_steps = _setup(values), int(values[STEPS] or 0)
    try:
        corpus = queries.corpus(setup)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    state = queries.trained_live(setup, target_steps)
    steps = state.steps
    player = Player(
        PLAYER,
        STEPS,
        TRAINING_STEPS,
        steps,
        False,
        stride=STRIDE_STEPS,
        leaps=LEAP_STEPS,
        seconds=STEP_SECONDS,
        asked=target_steps,
    )
    if live.runs_away(state):
        why = (
            f"After {steps:,} steps there are numbers past {live.MAX_VECTOR_NUMBER:,.0f}: every step goes too far. "
            "Press Restart and take a smaller learning rate, under More."
        )
        player = replace(player, asked=0)
        return Shown(lead=LEAD, pictures=[player, Message(why, ":material/error:")])
    coming = core_call(live.next_step, setup, corpus, state)
    pair = min(values[PAIR], max(0, len(coming.words) - 1))
    pictures: list[Part] = [
        player,
        _progress(steps, target_steps),
        Columns([_map(corpus, state, not setup.text), [_loss(state, setup.noise)]], (3, 2)),
        _sentence(coming, pair),
    ]
    return Shown(
        pictures=[*pictures, Caption(_pairs(coming)), _tables(corpus, state, coming, pair)],
        lead=f"{LEAD} {'' if setup.text else MADE_TEXT_NOTE}",
        arithmetic=_worked(coming, pair, setup.rate),
        takeaway=_read_training(setup, corpus, state, steps),
        notes=_cuts(corpus),
        about=ABOUT,
        formula=say.write_training(setup.method, setup.noise, setup.width),
        table=[
            Table("word-vectors", state.inputs, corpus.words, [str(d) for d in range(setup.width)], "word"),
            *([] if setup.text else [Listing("nearest", core_call(live.neighbour_table, corpus, state))]),
        ],
        source=("core.topics.word_vectors.analysis.question_gradients", "core.topics.word_vectors.analysis.learn"),
    )


def _setup(values: Values) -> TrainingSettings:
    text = "" if values[SOURCE] == SOURCE.default else (values[TEXT] or " ")
    numbers = (settings.WINDOW, settings.WIDTH, settings.NOISE, settings.RATE, settings.SAMPLE, settings.SEED)
    return TrainingSettings(text, values[METHOD], *(values[setting] for setting in numbers))


def _progress(steps: int, target_steps: int) -> ProgressBar:
    goal = target_steps if steps < target_steps and not playing(PLAYER) else TRAINING_STEPS
    return ProgressBar(steps / goal, f"Step {steps:,} of {goal:,}")


def _map(corpus: Corpus, state: TrainingState, made: bool) -> list[Part]:
    positions, share = core_call(live.live_map, state)
    words = corpus.words[:MAPPED_WORDS]
    groups = [GROUP_OF.get(word, "others") for word in words] if made else []
    axes = ("first dimension", "second dimension") if share is None else ("across the plane", "up the plane")
    picture = spec(word_map_spec, "Which words come together?", *axes, groups=(*GROUPS, "others") if made else ("",))
    chart = Chart(word_map_data(positions[: len(words)], words, groups), picture, "word-vectors-live-map", "the words")
    return [chart, Caption(say.read_plane(share, state.inputs.shape[1]))]


def _loss(state: TrainingState, noise: int) -> Chart:
    steps, means = live.loss_curve(state)
    line = Line("mean loss of a pair", steps, means)
    initial = Line("all scores 0", np.array([0, max(20, steps[-1])]), np.full(2, live.initial_loss(noise)), theory=True)
    picture = spec(lines_spec, "Does the loss fall?", "step", "loss, nats")
    return Chart(lines_data([line, initial]), picture, "word-vectors-live-loss", "the loss")


def _sentence(coming: NextStep, pair: int) -> TokenButtons:
    """Return the sentence of the next step, with the input shaded and the output word framed."""
    askers = np.flatnonzero(coming.asked.mixes[pair]) if coming.words else np.empty(0, dtype=np.int64)
    output = coming.told[pair] if coming.words else -1
    positions = np.flatnonzero(coming.kept)
    shaded, framed = set(positions[askers].tolist()), int(positions[output]) if output >= 0 else -1
    tokens = [
        Token(
            f"{word} ",
            "left out by sub-sampling" if not kept else "input" if index in shaded else "output" * (index == framed),
            0.8 if index in shaded else 0.0,
            new=index == framed,
            struck=not kept,
        )
        for index, (word, kept) in enumerate(zip(coming.sentence, coming.kept, strict=True))
    ]
    return TokenButtons(
        tokens,
        key="word-vectors-sentence",
        name="the sentence of the next step",
        caption="The sentence of the next step. Shaded: input; framed: the output word that it has to predict; crossed "
        "out: left out by sub-sampling.",
        click="Click a word for its first pair.",
        hue="size",
        sets=lambda clicked: _first_question(coming, clicked),
    )


def _first_question(coming: NextStep, clicked: int) -> dict[str, int]:
    """Return the settings that a click on a word of the sentence changes: its first pair as input."""
    if not coming.kept[clicked]:
        return {}
    position = sum(coming.kept[:clicked])
    asks = np.flatnonzero(coming.asked.mixes[:, position])
    return {PAIR.key: int(asks[0])} if len(asks) else {}


def _pairs(coming: NextStep) -> str:
    if not coming.words:
        return "Too few words of this sentence are left to make a pair; the step changes nothing."
    questions = [f"{number}: {' '.join(askers)} → {answer}" for number, (askers, answer) in enumerate(coming.questions)]
    return plain(f"Its {len(questions)} pairs: {'; '.join(questions[:24])}{'; …' if len(questions) > 24 else ''}.")


def _tables(corpus: Corpus, state: TrainingState, coming: NextStep, pair: int) -> Matrices:
    """Return both tables, with the rows of the opened pair outlined."""
    words = corpus.words[:TABLE_WORDS]
    columns = [str(d) for d in range(state.inputs.shape[1])]
    questions = coming.asked
    asking = questions.ids[np.flatnonzero(questions.mixes[pair])] if coming.words else ()
    answers = questions.answers[pair] if coming.words else ()
    limit = max(0.1, float(np.abs([state.inputs[: len(words)], state.outputs[: len(words)]]).max()))
    panels = [
        Panel(
            name,
            f"{title}, {len(corpus.words)} × {len(columns)}",
            rows[: len(words)],
            words,
            columns,
            "word",
            "dimension",
            limit=limit,
            unit="vector",
            outlines=[(int(row), None) for row in dict.fromkeys(np.asarray(outlined).tolist())],
        )
        for name, title, rows, outlined in (
            ("inputs", "v: input words", state.inputs, asking),
            ("outputs", "u: output words", state.outputs, answers),
        )
    ]
    return Matrices(panels, key="word-vectors-tables", name="the two tables", height=640)


def _worked(coming: NextStep, pair: int, rate: float) -> str:
    if not coming.words:
        return ""
    gradients = coming.gradients
    vectors = {"v": coming.asking[pair], "gradient": gradients.asking[pair], "move": -rate * gradients.asking[pair]}
    return say.write_question(
        coming.askers[pair],
        coming.words[pair],
        gradients.scores[pair].tolist(),
        gradients.errors[pair].tolist(),
        coming.asked.counts[pair].tolist(),
        {name: vector.tolist() for name, vector in vectors.items()},
        rate,
        float(gradients.losses[pair]),
    )


def _read_training(setup: TrainingSettings, corpus: Corpus, state: TrainingState, steps: int) -> list[str]:
    if setup.text:
        sentences = [*say.read_nearest_pair(steps, *live.nearest_pair(corpus, state))]
    else:
        sentences = [*say.read_groups(steps, *live.grouped(corpus, state), setup.width)]
    means = live.loss_curve(state)[1]
    means = means[~np.isnan(means)]
    return sentences + (
        [say.read_loss(float(means[0]), float(means[-1]), live.initial_loss(setup.noise))] if len(means) else []
    )


def _cuts(corpus: Corpus) -> list[str | None]:
    count = len(corpus.words)
    most = f"Only the {LEARNED_WORDS} commonest words are learned." if count == LEARNED_WORDS else None
    drawn = f"The tables show the {TABLE_WORDS} commonest of {count} words." if count > TABLE_WORDS else None
    return [most, drawn]


VIEW = View("train one", _show, _controls, player=PLAYER)
