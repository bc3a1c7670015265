"""Our own sentences about films, in each of which a negation reverses the verdict; in lower case, as people type."""

from functools import lru_cache

_NEGATIVE = """
this is not a good film.
the story is not interesting at all.
i did not like a single scene of it.
there is nothing funny about this comedy.
it is never exciting.
the actors are not convincing.
none of the jokes works.
no one will enjoy this.
it isn't clever, and it isn't moving.
the ending does not make sense.
you won't laugh once.
hardly a scene in it is any good.
it fails to be charming.
not even the music is beautiful.
the film lacks any warmth.
this could have been a great film, but it is not.
nobody in it is likeable.
it is neither funny nor touching.
i wouldn't recommend it to anyone.
there isn't a fresh idea in it.
not one of its characters comes alive.
the director never finds the right tone.
without a good script, even fine actors can't save it.
it is anything but entertaining.
the film doesn't deserve its brilliant cast.
i have never been less amused.
it is not worth your time.
the love story isn't believable.
nothing in it is as good as the poster.
it tries to be wise and is not.
"""
_POSITIVE = """
this is not a bad film.
the film is never boring.
i did not want it to end.
there is nothing wrong with this comedy.
it is not at all dull.
you won't be disappointed.
none of it feels fake.
no one will regret seeing it.
it isn't slow, and it isn't silly.
the ending does not spoil it.
not a minute is wasted.
hardly a scene in it fails.
it never becomes sentimental.
not even its length is a problem.
the film has no weak moment.
this could have been a terrible mess, but it is not.
nobody in it gives a bad performance.
it is neither stupid nor predictable.
i wouldn't change a thing.
there isn't a false note in it.
not one of its jokes falls flat.
the director never loses control.
without a single cheap trick, it holds you to the end.
it is anything but ordinary.
the film doesn't waste its brilliant cast.
i have never been less bored.
you should not miss it.
the love story isn't sappy.
nothing in it is as bad as the poster.
it could be annoying and is not.
"""


@lru_cache(maxsize=1)
def negations() -> tuple[tuple[str, int], ...]:
    """Return the sentences with their class: 0 negative, 1 positive."""
    sentences = [
        (line, label) for label, block in enumerate((_NEGATIVE, _POSITIVE)) for line in block.strip().splitlines()
    ]
    return tuple(sentences)
