"""core.training: reading the corpus, training tokenizers, and the card of the shipped ones."""

import gzip
import hashlib
import json
import random

import pytest
import sentencepiece

from core.text.tokenizer import TOKENIZERS, TOKENIZERS_FOLDER, Tokenizer
from core.text.trainer import KINDS, TYPED_CHARACTERS, train_model
from core.training.__main__ import TRAININGS, main
from core.training.corpus import books, lines, paragraphs, sentence_pairs
from core.training.tokenizers import characters_per_piece, sample_lines, train_tokenizers

MANIFEST = "file\tlicence\n"


def sentences(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    syllables = ["ba", "co", "di", "fu", "gla", "mer", "no", "pa", "ra", "st", "to", "we"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(150)]
    return [" ".join(rng.choices(words, k=rng.randint(3, 12))).capitalize() + "." for _ in range(count)]


def write(path, text: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text if isinstance(text, bytes) else text.encode()))


@pytest.fixture
def data(tmp_path):
    """A small corpus with the layout of the real one."""
    folder = tmp_path / "data"
    for place, (name, seed) in {"stories": ("tale.txt.gz", 1), "general": ("plays.txt.gz", 2)}.items():
        write(folder / place / name, "\n\n".join(sentences(300, seed)) + "\n")
        (folder / place / "MANIFEST.tsv").write_text(MANIFEST + f"{name}\tpublic domain in the USA\n")
    write(folder / "general" / "wiki.txt.gz", "Share alike.\n")
    with (folder / "general" / "MANIFEST.tsv").open("a") as manifest:
        manifest.write("wiki.txt.gz\tCC BY-SA 3.0\n")
    pairs = "".join(f"{english}\tVoilà {i} !\n" for i, english in enumerate(sentences(200, 3)))
    write(folder / "tatoeba" / "en-fr.tsv.gz", pairs)
    return folder


def test_only_public_domain_books_are_read(data):
    assert [path.name for path in books(data / "general")] == ["plays.txt.gz"]
    found = list(paragraphs(data))
    assert found == sentences(300, 2) + sentences(300, 1)
    assert next(sentence_pairs(data)) == (sentences(200, 3)[0], "Voilà 0 !")


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (gzip.compress(b"good\nalso good\nb\xffd\n", mtime=0), r"text\.gz, line 3: not UTF-8"),
        (gzip.compress(b"good\n" * 5000, mtime=0)[:-20], r"text\.gz, line \d+: not readable as gzip"),
        (b"plain text", r"text\.gz, line 1: not readable as gzip"),
    ],
)
def test_malformed_text_is_named_with_file_and_line(tmp_path, raw, where):
    path = tmp_path / "text.gz"
    path.write_bytes(raw)
    with pytest.raises(ValueError, match=where):
        list(lines(path))


def test_missing_and_malformed_files_are_named(data):
    write(data / "tatoeba" / "en-fr.tsv.gz", "Go.\tVa !\nNo tab here\n")
    with pytest.raises(ValueError, match=r"en-fr\.tsv\.gz, line 2: 1 columns, not English TAB French"):
        list(sentence_pairs(data))
    manifest = data / "stories" / "MANIFEST.tsv"
    for content, where in [
        (MANIFEST + "a.gz\tpublic domain\nb.gz\n", r"MANIFEST\.tsv, line 3: 1 columns, not 2"),
        ("file\tauthor\n", r"MANIFEST\.tsv, line 1: columns 'file' and 'licence'"),
        ("", r"MANIFEST\.tsv, line 1"),
        (MANIFEST + "a.gz\tCC BY-SA 3.0\n", "lists no file with a licence"),
        (MANIFEST + "gone.gz\tpublic domain\n", r"gone\.gz does not exist"),
        (None, r"MANIFEST\.tsv does not exist"),
    ]:
        if content is None:
            manifest.unlink()
        else:
            manifest.write_text(content)
        with pytest.raises(ValueError, match=where):
            list(paragraphs(data))


def test_sample_is_drawn_by_seed_and_keeps_held_out_apart(data):
    sample = sample_lines(data, seed=1, characters=5_000, held_out=40)
    assert sample == sample_lines(data, seed=1, characters=5_000, held_out=40)
    assert sample != sample_lines(data, seed=2, characters=5_000, held_out=40)
    assert len(sample.held_out) == 40
    assert not set(sample.held_out) & set(sample.train)
    english = set(sentences(200, 3))
    assert sum(len(line) for line in sample.train if line not in english) <= 5_000
    assert sum(line in english for line in sample.train) == 180


@pytest.mark.parametrize("kind", KINDS)
def test_training_twice_gives_the_same_bytes(kind):
    texts = sentences(400, 5)
    model = train_model(kind, 450, texts)
    assert model == train_model(kind, 450, texts)
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)
    assert processor.GetPieceSize() == 450
    assert [processor.IdToPiece(i) for i in range(5)] == ["<pad>", "<unk>", "<s>", "</s>", "<0x00>"]
    assert all(not processor.IsUnknown(processor.PieceToId(character)) for character in TYPED_CHARACTERS)
    assert 1 < characters_per_piece(model, texts) < 16


def test_impossible_trainings_are_refused():
    with pytest.raises(ValueError, match="Unknown kind 'word'"):
        train_model("word", 450, ["a"])
    with pytest.raises(ValueError, match="unigram model with 8000 pieces cannot be trained"):
        train_model("unigram", 8000, sentences(50, 1))


def test_the_card_describes_what_was_written(data, tmp_path):
    train_tokenizers(data, tmp_path / "out", sizes=(400, 420))
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert sorted(card["models"]) == ["bpe-400", "bpe-420", "unigram-400", "unigram-420"]
    check_card(card, tmp_path / "out")


def test_the_shipped_card_describes_the_shipped_files():
    card = json.loads((TOKENIZERS_FOLDER / "card.json").read_text(encoding="utf-8"))
    assert sorted(card["models"]) == sorted(TOKENIZERS)
    check_card(card, TOKENIZERS_FOLDER)
    for name, model in card["models"].items():
        tokenizer = Tokenizer.load(name)
        assert tokenizer.vocab_size == model["pieces"]
        assert tokenizer.pieces(card["special_pieces"].values()) == tuple(card["special_pieces"])
    assert {"public domain in the USA", "CC BY 2.0 FR"} == {part["licence"] for part in card["data"]}


def check_card(card: dict, folder) -> None:
    assert sorted(path.stem for path in folder.glob("*.model")) == sorted(card["models"])
    for name, model in card["models"].items():
        raw = (folder / f"{name}.model").read_bytes()
        assert (len(raw), hashlib.sha256(raw).hexdigest()) == (model["bytes"], model["sha256"])
        assert name == f"{model['kind']}-{model['pieces']}"


def test_more_pieces_cover_more_characters_each():
    models = json.loads((TOKENIZERS_FOLDER / "card.json").read_text(encoding="utf-8"))["models"]
    for kind in KINDS:
        scores = [models[f"{kind}-{size}"]["characters_per_piece"] for size in (1000, 4000, 8000)]
        assert scores == sorted(scores)


def test_the_command_lists_and_refuses(capsys, tmp_path):
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed and sentence in listed for name, (sentence, _) in TRAININGS.items())
    assert main(["nothing"]) == 2
    assert f"choose one of {', '.join(TRAININGS)}." in capsys.readouterr().err
    assert main(["tokenizers", "--data", str(tmp_path)]) == 1
    assert "MANIFEST.tsv does not exist" in capsys.readouterr().err
