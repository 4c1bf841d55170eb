"""What hosts were told, and when, so that of several servers one tells it."""

from collections.abc import Mapping
from typing import Final

import msgspec

from mauerwerk.server.database.queries import command
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.keys import DAY

TOLD: Final = "alerts-told"
"""The name of the setting that says what was told, and when."""


def _told(transaction: Transaction) -> dict[str, int]:
    kept = transaction.state(TOLD)
    return msgspec.json.decode(kept, type=dict[str, int]) if kept else {}


def _set_told(transaction: Transaction, told: Mapping[str, int]) -> None:
    transaction.set_state(TOLD, msgspec.json.encode(told))


@command(by="alerts")
def to_tell(transaction: Transaction, kinds: tuple[str, ...], now: int) -> frozenset[str]:
    """Those of these alerts that this server is to tell now; no other server does, for a day.

    What is not there any more is told at once when it is there again.
    """
    told = _told(transaction)
    new = frozenset(each for each in kinds if told.get(each, 0) <= now - DAY)
    kept = {each: now if each in new else told[each] for each in kinds}
    if kept != told:
        _set_told(transaction, kept)
    return new


@command(by="alerts")
def forget_told(transaction: Transaction, kinds: frozenset[str]) -> None:
    """Nobody took the message: tell it again."""
    told = _told(transaction)
    _set_told(transaction, {each: at for each, at in told.items() if each not in kinds})
