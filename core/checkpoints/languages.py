"""The language that a shipped model writes, where it is not that of the pages."""

FRENCH = "fr"  # as HTML names it
_WRITE_FRENCH = ("rnn-attention", "rnn-bottleneck", "translator")


def written_language(model: str) -> str:
    """Return the language that the model of this name writes, as HTML names it; "" if that is not known."""
    return FRENCH if model in _WRITE_FRENCH else ""
