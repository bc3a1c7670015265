"""The tokens that the shipped models may not write next."""

from collections.abc import Sequence

from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer


def withheld_after(tokenizer: AnyTokenizer, ids: Sequence[int]) -> tuple[int, ...]:
    """Return the ids that would complete a withheld word after `ids`; none in vocabularies made elsewhere."""
    return tokenizer.withheld_after(ids) if isinstance(tokenizer, Tokenizer) else ()
