"""Which models write another language than that of the pages."""

from core.checkpoints.languages import FRENCH, written_language
from core.checkpoints.shipped import cards


def test_models_whose_cards_say_so_write_french() -> None:
    told = {name: ("French" in card.what or "translat" in card.title.lower()) for name, card in cards().items()}
    assert sum(told.values()) == 3
    assert {name: written_language(name) == FRENCH for name in told} == told
    assert written_language("storyteller") == written_language("") == ""
