"""Tokenizers of other people's models: the same ids and texts as transformers gives, and pieces fit for a screen."""

import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import transformers
from tokenizers import AddedToken, Tokenizer

from core.checkpoints.real.vocabulary import cutter_of
from core.text.hub import HubTokenizer
from core.text.special import SpecialIds
from core.text.subword_cutters import JsonCutter, PieceCutter
from tests.core.checkpoints.real.drawn import drawn_model
from tests.core.checkpoints.real.vocabularies import KINDS, sentence_pieces, trained, write_marian
from tests.core.texts import HOSTILE

TYPED_SPECIAL = "<s> </s> [CLS] [SEP] <|endoftext|> <unk> <pad> <0x0A> ##ing ▁mark Ġcat"
TEXTS = (
    *HOSTILE,
    "The cat sat on the mat.",
    "  two  spaces  and a trailing one ",
    TYPED_SPECIAL,
    "tab\there\nnew line\r\nDON'T can't he's",
    "a" * 400,
)


def hub(kind: str, rows: int = 500) -> HubTokenizer:
    cutter = JsonCutter.of(trained(kind))
    mask = cutter.names.index("[MASK]") if kind == "word-pieces" else None
    return HubTokenizer(cutter, rows, SpecialIds(mask=mask))


def theirs(kind: str) -> transformers.PreTrainedTokenizerFast:
    return transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(trained(kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_ids_and_texts_are_those_of_transformers(kind: str) -> None:
    ours, known = hub(kind), theirs(kind)
    for text in TEXTS:
        if kind == "unigram" and text == TYPED_SPECIAL:  # whose special pieces can be typed in theirs all the same
            continue
        ids = known(text, split_special_tokens=True)["input_ids"]
        assert ours.ids(text) == ids, text
        assert ours.decode(ids) == known.decode(ids, skip_special_tokens=True), text


@pytest.mark.parametrize("kind", KINDS)
def test_the_record_of_a_text_holds_together(kind: str) -> None:
    ours = hub(kind)
    before, after = len(ours.cutter.before), len(ours.cutter.after)
    for text in TEXTS:
        try:
            tokens = ours.encode(text)
        except ValueError as error:
            assert "word" in str(error)
            continue
        assert list(tokens.ids) == ours.ids(text) and tokens.text == text and tokens.note is None
        lengths = {len(tokens.pieces), len(tokens.labels), len(tokens.spans), len(tokens.words)}
        assert lengths == {len(tokens)} and all(tokens.labels) and all(tokens.word_labels)
        assert sorted(set(tokens.words)) == list(range(len(tokens.word_labels)))
        inner = tokens.spans[before : len(tokens) - after]
        assert inner[0][0] == 0 and all(a <= b for a, b in inner)
        assert all(a <= reached for (a, _), (_, reached) in zip(inner[1:], inner, strict=False))


def test_what_is_typed_like_a_special_piece_is_plain_text() -> None:
    for kind in KINDS:
        ours = hub(kind)
        special = {i for i, spelled in enumerate(ours.cutter.spelled) if spelled is None} - {ours.special.mask}
        unknown = {i for i in special if ours.cutter.names[i] in ("<unk>", "[UNK]")}
        inner = {piece.id for piece in ours.cutter.cut(TYPED_SPECIAL)}
        assert inner.isdisjoint(special - unknown)


def test_mask_is_typed_in_any_case_and_hides_one_piece() -> None:
    ours, known = hub("word-pieces"), theirs("word-pieces")
    expected = known("the [MASK] sat on [MASK].")["input_ids"]
    assert list(ours.encode("the [mask] sat on [MASK].").ids) == expected
    assert expected.count(ours.special.mask) == 2
    assert "[MASK]" in ours.encode("the [Mask] sat").labels


def test_labels_show_words_and_what_goes_on_with_them() -> None:
    words = hub("word-pieces").encode("The cats sat")
    assert words.labels[0] == "[CLS]" and words.labels[-1] == "[SEP]" and words.labels[1] == "the"
    assert words.word_labels == ("[CLS]", "The", "cats", "sat", "[SEP]") and "·s" in words.labels
    assert words.words == (0, 1, *(2,) * words.words.count(2), *(3,) * words.words.count(3), 4)
    spaced = hub("byte-level").encode("the cat")
    assert spaced.pieces[0] == "the" and spaced.pieces[1].startswith("▁")
    assert spaced.spans[0] == (0, 3) and spaced.word_labels == ("the", "cat")
    accented = hub("byte-level").encode("日")
    assert accented.word_labels == ("日",) and all(label.startswith("0x") for label in accented.labels)


@pytest.mark.parametrize("kind", KINDS)
def test_ids_that_a_model_wrote_have_the_same_words(kind: str) -> None:
    ours = hub(kind)
    text = "the cat and the man"
    read = ours.encode(text)
    inner = [i for i in read.ids if i not in (*ours.cutter.before, *ours.cutter.after)]
    wrote = ours.describe(inner)
    assert wrote is not None and wrote.ids == tuple(inner)
    special = len(ours.cutter.before)
    assert tuple(word + special for word in wrote.words) == read.words[special : special + len(inner)]
    assert wrote.text.strip() == text and ours.describe([*inner, 0]) is None and ours.describe([]) is None


def test_a_limit_counts_the_special_pieces_and_says_what_it_left_out() -> None:
    ours = hub("word-pieces")
    cut = ours.encode("the cat sat on the mat", limit=5)
    assert len(cut) == 5 and cut.labels[-1] == "[SEP]" and cut.text == "the cat sat"
    total = len(ours.encode("the cat sat on the mat"))
    assert cut.note == f"Only the first 5 of {total} tokens are used." and cut.cut == total - 5
    with pytest.raises(ValueError, match="The limit of 2 tokens must be at least 3"):
        ours.encode("the", limit=2)
    for text in ("", " \n", "\ud800"):
        with pytest.raises(ValueError):
            ours.encode(text)


def test_rows_beyond_the_vocabulary_stand_for_nothing_and_too_few_are_refused() -> None:
    ours = hub("byte-level")
    assert ours.labels([499]) == ("(unused 499)",) and ours.decode([499]) == "" and ours.describe([499]) is None
    with pytest.raises(ValueError, match="Token id 500 is outside 0 to 499"):
        ours.decode([500])
    with pytest.raises(ValueError, match=r"the model knows 70 pieces, its tokenizer 330\."):
        hub("byte-level", rows=70)


def test_a_piece_that_has_no_row_in_the_model_is_named_and_others_are_read() -> None:
    ours = HubTokenizer(JsonCutter.of(added("byte-level", ("<think>", False))), 330)
    assert ours.ids("the cat") == hub("byte-level").ids("the cat")
    with pytest.raises(ValueError, match="“<think>” is a piece of this model's tokenizer that the model does not know"):
        ours.encode("the <think> cat")


def added(kind: str, *pieces: tuple[str, bool], **changes: Any) -> str:
    """A file to which pieces were added behind all others: their text, and whether each is special."""
    made = Tokenizer.from_str(trained(kind))
    for text, special in pieces:
        made.add_tokens([AddedToken(text, special=special, normalized=False)])
    return json.dumps({**json.loads(made.to_str()), **changes})


@pytest.mark.parametrize("kind", KINDS)
def test_added_pieces_behind_special_ones_keep_their_ids(kind: str) -> None:
    raw = added(kind, ("<|im_start|>", True), ("<think>", False), ("    ", False), ("<|im_end|>", True))
    ours = HubTokenizer(JsonCutter.of(raw), 500)
    known = transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(raw))
    for text in ("the <think> cat", "the     cat", "<think>", "no piece"):
        assert ours.ids(text) == known(text)["input_ids"], text
    special = {known.convert_tokens_to_ids(each) for each in ("<|im_start|>", "<|im_end|>")}
    assert special.isdisjoint(ours.ids("the <|im_start|> cat <|im_end|>"))
    assert "<think>" in ours.decode(ours.ids("the <think> cat"))


def test_a_word_that_was_declared_special_stays_in_the_text() -> None:
    ours = HubTokenizer(JsonCutter.of(added("word-pieces", ("cat", True))), 500)
    assert ours.decode(ours.ids("the cat sat")) == "the cat sat" and "cat" in ours.encode("the cat sat").labels


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_saved_after_padding_or_cutting_gives_the_same_ids(kind: str) -> None:
    made = Tokenizer.from_str(trained(kind))
    made.enable_padding(length=32)
    made.enable_truncation(5)
    ours = HubTokenizer(JsonCutter.of(made.to_str()), 500)
    assert ours.ids("the cat sat on the mat") == hub(kind).ids("the cat sat on the mat")


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("word-pieces", {}),
    ("word-pieces", {"do_lower_case": False}),
    ("word-pieces", {"strip_accents": False}),
    ("word-pieces", {"tokenize_chinese_chars": False}),
    ("word-pieces", {"do_lower_case": False, "tokenizer_class": "PreTrainedTokenizerFast"}),
    ("byte-level", {"add_prefix_space": True}),
    ("byte-level", {"add_prefix_space": True, "tokenizer_class": "PreTrainedTokenizerFast"}),
]


OLDER = [case for case in SETTINGS if "tokenizer_class" not in case[1]]  # a generic class has tokenizer.json alone


@pytest.mark.parametrize(
    ("kind", "settings", "older"), [*((*case, False) for case in SETTINGS), *((*case, True) for case in OLDER)]
)
def test_settings_beside_the_file_count_as_with_transformers(
    kind: str, settings: dict[str, Any], older: bool, tmp_path: Path
) -> None:
    family = {"word-pieces": "bert", "byte-level": "gpt2"}[kind]
    drawn_model(family, 1).config.save_pretrained(tmp_path)
    if older:
        Tokenizer.from_str(trained(kind)).model.save(str(tmp_path))
    else:
        (tmp_path / "tokenizer.json").write_text(trained(kind), encoding="utf-8")
    if older and kind == "word-pieces":
        settings = {"do_lower_case": True, **settings}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    ours, known = cutter_of(tmp_path), transformers.AutoTokenizer.from_pretrained(tmp_path)
    for text in TEXTS:
        ids = [each.id for each in ours.cut(text)]
        assert [*ours.before, *ids, *ours.after] == known(text, split_special_tokens=True)["input_ids"], text


def test_marian_reads_and_writes_as_transformers_does(tmp_path: Path) -> None:
    rows = write_marian(tmp_path)
    source, target = ((tmp_path / name).read_bytes() for name in ("source.spm", "target.spm"))
    ours = HubTokenizer(PieceCutter.of(source, target, json.loads((tmp_path / "vocab.json").read_text())), rows)
    known = transformers.MarianTokenizer.from_pretrained(tmp_path)
    special = ("</s>", "<unk>", "<pad>")  # theirs lets these be typed
    for text in (*(text for text in TEXTS if not any(each in text for each in special)), ">>xyz<< the cat"):
        ids = known(text)["input_ids"]
        assert ours.ids(text) == ids, text
        assert ours.decode(ids) == known.decode(ids, skip_special_tokens=True, use_source_tokenizer=False), text
    assert ours.ids(">>fra<< the cat") == known(">>fra<< the cat")["input_ids"]
    assert ours.encode(">>fra<< the cat").labels[0] == ">>fra<<"


def test_a_sentencepiece_model_alone_gives_its_own_ids() -> None:
    model = sentencepiece.SentencePieceProcessor()
    model.LoadFromSerializedProto(sentence_pieces())
    ours = HubTokenizer(PieceCutter.of(sentence_pieces()), len(model))
    for text in TEXTS:
        ids = model.encode(text)
        assert ours.ids(text) == [*ids, 1], text
    assert ours.decode(ours.ids("the cat")) == "the cat"
    with pytest.raises(ValueError, match="the vocabulary has no piece <s>"):
        PieceCutter.of(sentence_pieces(), before=("<s>",))
    with pytest.raises(ValueError, match="the sentencepiece model is damaged"):
        PieceCutter.of(sentence_pieces()[:50])


def without_unknown(kind: str, *more: str) -> str:
    """A file whose tokenizer has no piece for what it does not know, but these pieces besides."""
    values = json.loads(trained(kind))
    model, vocabulary = values["model"], values["model"]["vocab"]
    if isinstance(vocabulary, dict):
        del vocabulary[model["unk_token"]]
        model["vocab"] = {piece: i for i, piece in enumerate([*vocabulary, *more])}
    else:
        model |= {"unk_id": None, "vocab": vocabulary + [[piece, -1.0] for piece in more]}
    return json.dumps({**values, "added_tokens": [], "post_processor": None})


@pytest.mark.parametrize("kind", ["word-pieces", "unigram"])
def test_a_tokenizer_without_a_piece_for_the_unknown_is_refused_or_says_so(kind: str) -> None:
    with pytest.raises(ValueError, match=r"tokenizer\.json is damaged"):
        JsonCutter.of(without_unknown(kind))
    knows_more = JsonCutter.of(without_unknown(kind, "𓂀"))
    assert knows_more.cut("the")
    with pytest.raises(ValueError, match="tokenizer cannot cut this text"):
        knows_more.cut("the 鐵")


def test_whole_words_and_ended_words_show_their_spaces() -> None:
    assert hub("whole-words").encode("the cat sat").pieces == ("▁the", "▁cat", "▁sat")
    ended = hub("ended-words")
    assert ended.encode("the cat").pieces == ("the▁", "cat▁")
    wrote = ended.describe(ended.ids("the cat"))
    assert wrote is not None and wrote.word_labels == ("the", "cat") and wrote.spans == ((0, 3), (3, 8))


def test_a_run_of_spaces_has_as_many_marks() -> None:
    ours = HubTokenizer(JsonCutter.of(added("byte-level", ("    ", False))), 500)
    assert "␣␣␣␣" in ours.encode("the     cat").labels


def test_the_two_files_of_roberta_put_its_pieces_around_a_text(tmp_path: Path) -> None:
    model = json.loads(trained("byte-level"))["model"]
    around = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    vocabulary = {piece: number for number, piece in enumerate([*around, *model["vocab"]])}
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("\n".join(map(" ".join, model["merges"])), encoding="utf-8")
    behind = {"<think>": len(vocabulary) + 1, "catdog": len(vocabulary)}
    (tmp_path / "added_tokens.json").write_text(json.dumps(behind))
    drawn_model("roberta", 1).config.save_pretrained(tmp_path)
    ours, known = cutter_of(tmp_path), transformers.AutoTokenizer.from_pretrained(tmp_path)
    for text in (*TEXTS, "the catdog sat"):
        ids = [each.id for each in ours.cut(text)]
        assert [*ours.before, *ids, *ours.after] == known(text, split_special_tokens=True)["input_ids"], text
    assert len(vocabulary) in [each.id for each in ours.cut("the catdog sat")]


@pytest.mark.parametrize("wrong", [{"catdog": 5, "": 6}, {"cat": "2"}, {"catdog": 9}])
def test_added_pieces_with_ids_that_cannot_be_are_refused(wrong: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n")
    assert cutter_of(tmp_path).cut("the")[0].id == 4
    (tmp_path / "added_tokens.json").write_text(json.dumps({"catdog": 5}))
    assert [each.id for each in cutter_of(tmp_path).cut("the catdog")] == [4, 5]
    (tmp_path / "added_tokens.json").write_text(json.dumps(wrong))
    with pytest.raises(ValueError, match="added_tokens"):
        cutter_of(tmp_path)
