"""How late the event loop is: everybody waits as long as anything else keeps it busy."""

import asyncio
from collections.abc import Callable
from typing import Final

PERIOD: Final = 0.25
"""Seconds between two measurements."""


async def measure_lag(observe: Callable[[float], object]) -> None:
    """Report again and again by how many seconds the loop is late, until cancelled."""
    clock = asyncio.get_running_loop().time
    while True:
        due = clock() + PERIOD
        await asyncio.sleep(PERIOD)
        observe(max(0.0, clock() - due))
