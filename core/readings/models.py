"""Sentences about models: their sizes, and the contents of their cards."""

from collections.abc import Mapping
from typing import Any

from core.analysis.costs import MemoryEstimate
from core.memory import MIB
from core.readings.words import number, percent, plural

NORMS = {"post": "after each sublayer", "pre": "before each sublayer"}
OTHER_PAGES = {  # why no page about attention shows a model of this family, and which page does
    "recurrent": "A recurrent network has no queries, keys and values of its own; the page Sequence to sequence shows "
    "it beside the translator.",
    "word-vectors": "Word vectors have no attention; the page Word vectors shows them. A transformer's table of "
    "embeddings grew from them.",
}
BLEU = "How many runs of one to four words it shares with translations by people; 100 would be word for word"
ANALOGIES = "Percent of the questions “a is to b as c is to …” answered correctly"
RIGHT_PERCENT = "Percent of the hidden pieces guessed correctly"
NATS = "The surprise at each piece that it has to guess, in nats; lower is better"
WEIGHT = "The mean weight that its best head gives"
WRITING = ("transformer", "recurrent", "word-vectors")  # the families that write words, or list them
NEVER_WRITTEN = (
    "Slurs, insults and obscenities in English and French: the list is in assets/withheld_words.txt. All chances are "
    "shown as the model computed them."
)
RELIABILITY = "reliability"  # a score that is drawn, not listed
SCORES = {  # title and meaning of each score
    "bleu_multi30k_2016": ("BLEU on captions", BLEU),
    "bleu_tatoeba": ("BLEU on everyday sentences", BLEU),
    "bleu_by_source_words": ("BLEU by number of words", "Longer sentences are harder"),
    "bleu_joined_by_source_words": ("BLEU of captions joined by “and”, by number of words", "Two captions each"),
    "bleu_multi30k_2016_lc": ("BLEU on captions, lower case", BLEU),
    "bleu_multi30k_2016_lc_international": ("BLEU on captions, lower case, punctuation apart", BLEU),
    "accuracy_dev": ("Reviews judged right", "In percent; guessing alone would get half"),
    "accuracy_dev_interval": (
        "The 95% interval of that",
        "On other reviews of this kind the score would most likely lie in here",
    ),
    "accuracy_dev_typing_mistakes": (
        "The same reviews misspelt, judged right",
        "In percent; each with a typing mistake or two",
    ),
    "negations": ("Sentences with a negation judged right", "Sixty of our own; the page Sentiment shows them"),
    "loss": ("Loss", NATS),
    "recipe": ("Recipe", ""),
    "perplexity": (
        "Perplexity",
        "It is as unsure as if it had to choose among so many equally likely pieces; lower is better",
    ),
    "bits_per_char": ("Bits per character", "The surprise shared out over the characters of the text; lower is better"),
    "exact_match": ("Rows right to the last letter", "As a share: 1 is all of them"),
    "induction_head": ("Induction head", f"{WEIGHT} to what came after the same letter before; 1 is all of it"),
    "previous_token_head": ("Previous-token head", f"{WEIGHT} to the letter just before; 1 is all of it"),
    "reverse_head": ("Head that goes backwards", f"{WEIGHT} to the letter that is due; 1 is all of it"),
    "sort_head": ("Head that goes by rank", f"{WEIGHT} to the letter that is due; 1 is all of it"),
    "analogies_cbow": ("Analogies, CBOW", ANALOGIES),
    "analogies_skipgram": ("Analogies, skip-gram", ANALOGIES),
    "analogy_questions": ("Questions of analogy", "How many were asked"),
    "masked_accuracy": ("Hidden pieces guessed", RIGHT_PERCENT),
    "unigram_accuracy": ("By counting pieces alone", RIGHT_PERCENT),
    "unigram_loss": ("Loss of counting pieces alone", NATS),
    "bigram_accuracy": ("By counting pairs of pieces", RIGHT_PERCENT),
    "bigram_loss": ("Loss of counting pairs of pieces", NATS),
    "both_sides_accuracy": ("By counting with both neighbours", RIGHT_PERCENT),
    "both_sides_loss": ("Loss of counting with both neighbours", NATS),
}


def read_sizes(config: Any) -> str:
    """Describe a transformer's config in words."""
    norm = "no norm" if config.norm_position == "none" else f"{config.norm} {NORMS[config.norm_position]}"
    parts = (
        config.architecture,
        f"d_model {config.d_model:,}",
        plural(config.heads, "head") + _shared(config),
        " + ".join(plural(config.depth(stack), "layer") for stack in config.stacks),
        f"d_k {config.key_width:,}",
        f"d_v {config.value_width:,}",
        f"d_ff {config.hidden_width:,} ({config.activation})" if config.hidden_width else "no feed-forward layer",
        f"{config.positions} positions" if config.positions != "none" else "no positions",
        f"{config.score.replace('_', ' ')} score",
        norm,
        "residual connections" if config.residual else "no residual connections",
        "tied embeddings" if config.tied else "untied embeddings",
        f"{config.vocab_size:,} pieces",
        f"at most {config.max_length:,} tokens",
    )
    return " · ".join(parts)


def read_memory(needed: MemoryEstimate, max_bytes: int, memory: str) -> str:
    """Describe what a model and a text take of a memory.

    max_bytes: the bytes of that memory that a run may use.
    memory: its name.
    """
    text = needed.recorded + needed.working
    return (
        f"A run may use {_mib(max_bytes)} of {memory}: this model takes {_mib(needed.parameters)}, "
        f"and this text {_mib(text)}."
    )


def _mib(size: int) -> str:
    return f"{size / MIB:,.0f} MiB" if size >= MIB else "less than 1 MiB"


def _shared(config: Any) -> str:
    same = config.n_kv_heads == config.heads
    return "" if same else f" that share {plural(config.n_kv_heads, 'head')} of keys and values"


def describe_card(card: Any) -> list[tuple[str, str]]:
    """Return a checkpoint's card as (title, text) pairs in plain words, without its commands."""
    if card.family == "real":
        return [
            ("What it is", f"{card.what}. {card.limits}"),
            *(("Where from", f"{source['text']}. Licence: {source['licence']}.") for source in card.data),
            ("Size", f"{card.parameters:,} parameters: {_size(card.config)}"),
        ]
    several = len(card.data) > 1
    data = [(f"Trained on ({n})" if several else "Trained on", source) for n, source in enumerate(card.data, 1)]
    during = f" in {_minutes(card.minutes)}" if card.minutes else ""
    training = f"{plural(card.steps, 'step')}{during}, from seed {card.seed}"
    return [
        ("What it does", _sentence(card.what)),
        ("What it cannot do", card.limits),
        *(
            [("What it never writes", NEVER_WRITTEN)]
            if card.family in WRITING and "symbols" not in card.tokenizer
            else []
        ),
        *((title, f"{source['text']}. Licence: {source['licence']}.") for title, source in data),
        ("Kept out of training", _sentence(card.split)),
        ("Size", f"{card.parameters:,} parameters: {_size(card.config)}"),
        ("Training", f"{training}."),
        *_scores({name: score for name, score in card.scores.items() if name != RELIABILITY}),
    ]


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:].removesuffix('.')}."


def read_reliability(reliability: Mapping[str, Any]) -> str:
    """Describe a reliability diagram in words.

    reliability: "reliability" among a card's scores.
    """
    sure, right = (percent(reliability["parts"][-1][part]) for part in ("probability", "right"))
    return (
        f"Each dot is a tenth of {reliability['predictions']:,} predictions that it made on texts it never saw. "
        f"On the line, both are equal; above it the model is too modest, below it too sure. The dots lie "
        f"{number(100 * reliability['error'], 2)} points off on average, and where it was surest ({sure}) "
        f"it was right in {right}."
    )


def _size(config: Mapping[str, Any]) -> str:
    """Write the sizes that a card's config has, or those of its encoder if it is a classifier."""
    sizes = config.get("encoder", config)
    stacks = " in each stack" if sizes.get("architecture") == "encoder-decoder" else ""
    known = {
        "layers": lambda count: plural(count, "layer") + stacks,
        "heads": lambda count: plural(count, "head"),
        "d_model": lambda count: f"d_model {count:,}",
        "units": lambda count: f"{count:,} units",
        "vocab_size": lambda count: f"{count:,} pieces or words known",
    }
    return ", ".join(write(sizes[key]) for key, write in known.items() if key in sizes)


def _minutes(minutes: float) -> str:
    return plural(round(minutes), "minute") if minutes >= 1 else f"{60 * minutes:.0f} seconds"


def _scores(scores: Mapping[str, Any], name: str = "") -> list[tuple[str, str]]:
    """Return one row for each score with its meaning; a score of several parts has them all in one row."""
    rows = []
    for key, value in scores.items():
        title, meaning = SCORES.get(key, (key.replace("_", " "), ""))
        parts = [f"{part}: {_written(score)}" for part, score in value.items()] if isinstance(value, dict) else []
        sentences = ["; ".join(parts) if parts else _written(value), meaning]
        rows.append((title, ". ".join(filter(None, sentences)) + "."))
    return rows


def _written(score: object) -> str:
    """Write a score, together with the number of texts behind it if it has one."""
    if isinstance(score, dict):
        return ", ".join(f"{_written(value)} {name}" for name, value in score.items())
    return f"{score:,g}" if isinstance(score, int | float) else str(score)
