"""The connection to Redis, where several copies of the app keep their classes together."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from pages.classroom.requests import Rejected

PREFIX = "attention-explorer:"  # of all keys
SECONDS = 2.0  # until Redis is thought not to answer
MOST_CONNECTIONS = 32
UNREACHED = "Classes cannot be reached just now."


def connected(address: str) -> Redis:
    """Return a client of Redis or Valkey, which connects when it is first used.

    address: such as "redis://host:6379/0"; "rediss://…" for an encrypted connection.

    Raises ValueError if it is no such address.
    """
    pool = BlockingConnectionPool.from_url(
        address,
        max_connections=MOST_CONNECTIONS,
        timeout=SECONDS,
        decode_responses=True,
        socket_timeout=SECONDS,
        socket_connect_timeout=SECONDS,
        retry=Retry(NoBackoff(), 0),  # a step that may have been taken is not taken again unasked
    )
    return Redis(connection_pool=pool)


@contextmanager
def reaching() -> Iterator[None]:
    """Raise Rejected, with a sentence for whoever waits, where Redis does not answer."""
    try:
        yield
    except (RedisError, OSError, TimeoutError) as failure:
        raise Rejected(503, UNREACHED) from failure
