"""A record as part of a link, so that a pasted game need not be stored.

    code = encode(NamedRecord(record, ("Ada", "Bo")))      # some 200 characters
    decode(code) == NamedRecord(record, ("Ada", "Bo"))

The link contains the whole game, for this server and any other with the same rules; nothing is
stored, nothing expires. A move is written as its place among all that were possible then, so that
a whole game is one large number: a game of 400 moves takes as many bits as it had choices to make.

The link holds, in base64: a check sum; the head of the record, the names and the number of moves, a
line each; and that number.
"""

import base64
import binascii
import zlib
from collections.abc import Iterable
from typing import Any, Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Value
from mauerwerk.games import GAMES, game_in
from mauerwerk.server.http import errors, identity

LONGEST: Final = 6_000
"""No link is longer; servers and browsers take 8,000."""
MOST: Final = 3_000
_CHECK: Final = 4


class NamedRecord(Value):
    """A record from elsewhere, and the names of its seats, if they are known."""

    record: record.Record
    names: tuple[str, ...] = ()


class LongLinkError(ValueError):
    """A record that is too long for a link."""


# --- As text ---------------------------------------------------------------------------------


def from_text(text: str) -> NamedRecord:
    """The record in a text. Raises RecordError; LongLinkError, where it has too many moves."""
    played = record.read(text, GAMES)
    if len(played.moves) > MOST:
        raise LongLinkError(f"a record here has at most {MOST} moves, not {len(played.moves)}")
    return NamedRecord(played, _good(record.names_in(text), played.setup.seats))


def to_text(named_record: NamedRecord) -> str:
    """The record as a file."""
    text = record.write(game_in(named_record.record), named_record.record)
    return f"{text}{record.NAMES}{', '.join(named_record.names)}\n" if named_record.names else text


def _good(said: Iterable[str], seats: int) -> tuple[str, ...]:
    """These names; none, where they do not name every seat as it may be named."""
    try:
        names = tuple(identity.named(name) for name in said)
    except errors.HttpError:
        return ()
    return names if len(names) == seats else ()


# --- As a link -------------------------------------------------------------------------------


def encode(named_record: NamedRecord) -> str:
    """The code of a record. Raises LongLinkError."""
    played = named_record.record
    game = game_in(played)
    digits: list[tuple[int, int]] = []
    state: Any = game.start(played.setup)
    for move, step in record.replay(game, played):
        choices = _choices(game, state)
        digits.append((choices.index((move.seat, game.parse(move.word))), len(choices)))
        state = step.state
    number = 0
    for digit, base in reversed(digits):
        number = number * base + digit
    head = record.write(game, record.Record(played.game, played.rules, played.setup)).strip()
    lines = f"{head}\n{','.join(named_record.names)}\n{len(played.moves)}\n"
    content = lines.encode() + number.to_bytes((number.bit_length() + 7) // 8, "little")
    check = zlib.crc32(content).to_bytes(_CHECK, "little")
    code = base64.urlsafe_b64encode(check + content).decode().rstrip("=")
    if len(code) > LONGEST:
        raise LongLinkError("this record is too long for a link")
    return code


def decode(code: str) -> NamedRecord:
    """The record that a code stands for. Raises ValueError where it stands for none."""
    if len(code) > LONGEST:
        raise ValueError("no link is as long as that")
    check, content = _unpacked(code)
    if zlib.crc32(content).to_bytes(_CHECK, "little") != check:
        raise ValueError("the link was cut off, or changed on its way")
    head, names, count, digits = content.split(b"\n", 3)
    begun = record.read(head.decode(), GAMES)
    seats = begun.setup.seats
    if not count.isdigit() or int(count) > MOST:
        raise ValueError(f"a record here has at most {MOST} moves")
    moves = _moves(game_in(begun), begun, int(count), int.from_bytes(digits, "little"))
    played = record.Record(begun.game, begun.rules, begun.setup, moves)
    return NamedRecord(played, _good(names.decode().split(","), seats))


def _unpacked(code: str) -> tuple[bytes, bytes]:
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("this is no code of a record") from None
    return packed[:_CHECK], packed[_CHECK:]


def _moves(game: AnyGame, begun: record.Record, count: int, number: int) -> tuple[record.Move, ...]:
    """This many moves, each by its place among all that were possible."""
    state: Any = game.start(begun.setup)
    moves: list[record.Move] = []
    for _ in range(count):
        choices = _choices(game, state)
        if not choices:
            raise ValueError("the game is over before the record is")
        number, place = divmod(number, len(choices))
        seat, action = choices[place]
        moves.append(record.Move(seat, game.write(action)))
        state = game.apply(state, seat, action).state
    return tuple(moves)


def _choices(game: AnyGame, state: Any) -> list[tuple[Seat, Any]]:  # noqa: ANN401 - the game's own
    """All legal actions of all seats to move, or of nature, in the order of the rules."""
    return [
        (seat, action)
        for seat in game.to_act(state)
        for action in (game.odds(state) if seat == NATURE else game.legal(state, seat))
    ]
