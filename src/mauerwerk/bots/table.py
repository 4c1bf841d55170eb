"""The bot that plays by a table: what to do in each information state. `solve` saves one.

A file is JSON and holds no code. It names the game, the revision of its rules and the setup that it
was made for, and under the digest of each information state the probability of each legal action,
in their order. What other programs compute, such as OpenSpiel, can be saved in this form too: see
`docs/how-to/use-openspiel.md`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec

from mauerwerk.bots.evaluation import sample
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight, Value

LARGEST: Final = 256 * 2**20
"""The most bytes of a file."""
_SUM: Final = 1e-6
"""How far the probabilities of a state may be from 1."""


class PolicyTable(Value, tag=False):
    """A policy for one setup of a game."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    made_by: str
    policy: dict[str, tuple[float, ...]]
    """By the digest of an information state, the probability of each legal action."""

    def refuse(self, game: AnyGame, setup: Setup[Any]) -> None:
        """Raises SetupError, with one line, if the table is not for such a game."""
        own = (self.game, self.rules, self.seats, self.options)
        words = options.to_words(setup.options)
        if own != (game.NAME, game.RULES, setup.seats, words):
            chosen = "".join(f" {name}={word}" for name, word in self.options.items())
            raise SetupError(
                f"the table is for {self.game}/{self.rules} seats={self.seats}{chosen} alone"
            )


def key_of(sight: Sight[Any, Any, Any]) -> str:
    """The digest of an information state: the seat, what it sees, and all that it was told."""
    encoded = msgspec.json.encode((sight.seat, sight.view, sight.told))
    return blake2b(encoded, digest_size=16).hexdigest()


def save(
    path: Path,
    game: AnyGame,
    setup: Setup[Any],
    policy: Mapping[str, Sequence[float]],
    made_by: str,
) -> None:
    """Write a table to a file."""
    table = PolicyTable(
        game.NAME,
        game.RULES,
        setup.seats,
        options.to_words(setup.options),
        made_by,
        {key: tuple(shares) for key, shares in policy.items()},
    )
    path.write_bytes(msgspec.json.encode(table))


def load(path: Path) -> PolicyTable:
    """The table in a file. Raises SetupError, with one line, if there is none."""
    try:
        if path.stat().st_size > LARGEST:
            raise SetupError(f"{path} is too large for a table: {LARGEST >> 20} MB at most")
        return _loaded(path, path.stat().st_mtime_ns)
    except OSError as fault:
        raise SetupError(f"{path} cannot be read: {fault.strerror}") from fault
    except msgspec.MsgspecError as fault:
        raise SetupError(f"{path} is not the file of a table: {fault}") from fault


@cache
def _loaded(path: Path, _changed: int) -> PolicyTable:
    table = msgspec.json.decode(path.read_bytes(), type=PolicyTable)
    for shares in table.policy.values():
        if min(shares, default=-1) < 0 or abs(sum(shares) - 1) > _SUM:
            raise SetupError(f"{path} is not the file of a table: some probabilities are not")
    return table


class Table:
    """Plays by a table; where it says nothing, any legal action."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance, path: Path) -> None:
        """Raises SetupError, with one line, if the file holds no table for such a game."""
        self._table, self._draw = load(path), draw
        self._table.refuse(game, setup)

    def policy(self, sight: Sight[Any, Any, Any], /) -> Sequence[float]:
        """The probability of each legal action."""
        shares = self._table.policy.get(key_of(sight)) if len(sight.legal) > 1 else None
        known = shares is not None and len(shares) == len(sight.legal)
        return shares if shares and known else (1 / len(sight.legal),) * len(sight.legal)

    def act(self, sight: Sight[Any, Any, Any], _seconds: float, /) -> Any:  # noqa: ANN401
        """One of the legal actions, by its probability."""
        return sight.legal[sample(self.policy(sight), self._draw)]
