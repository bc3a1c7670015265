"""Limits in Redis, which count over all copies of the app."""

import math
import time
from collections.abc import Awaitable, Callable
from typing import cast

from redis.asyncio import Redis

from pages.classroom.limits import RATES, Counted, Limits
from pages.classroom.redis_client import PREFIX, reaching

# A token bucket: the tokens that are left and when. Take ARGV[4] tokens and return whether there was one.
TAKE = """
local rate, burst, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'left', 'then')
local left = burst
if kept[1] then left = math.min(burst, kept[1] + math.max(0, now - kept[2]) * rate) end
if left < 1 then return 0 end
if ARGV[4] == '1' then
  redis.call('HSET', KEYS[1], 'left', tostring(left - 1), 'then', ARGV[3])
  redis.call('EXPIRE', KEYS[1], ARGV[5])
end
return 1
"""


class RedisLimits(Limits):
    """The limits of all copies of the app that use the same Redis.

    clock: returns the time in seconds, the same on all copies.
    """

    def __init__(self, client: Redis, clock: Callable[[], float] = time.time) -> None:
        self._client, self._clock = client, clock

    async def allows(self, counted: Counted, name: str) -> bool:
        return await self._take(counted, name, 1)

    async def has_any(self, counted: Counted, name: str) -> bool:
        return await self._take(counted, name, 0)

    async def _take(self, counted: Counted, name: str, tokens: int) -> bool:
        rate, burst = RATES[counted]
        values = (rate, burst, self._clock(), tokens, math.ceil(burst / rate))  # full again by then, and forgotten
        with reaching():
            key = f"{PREFIX}limit:{counted}:{name}"
            return bool(await cast(Awaitable[int], self._client.eval(TAKE, 1, key, *values)))
