"""A player stays in its process between the decisions of a game, and plays as a new one would."""

import random
from collections.abc import Generator

import pytest
from tests.support.driven_table import start_table

from mauerwerk.bots.levels import Level, level_of
from mauerwerk.core.game import Seat
from mauerwerk.server.engine import thinking
from mauerwerk.server.engine.thinking import KEPT_PLAYERS, BotAtSeat, Turn, choose
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.table_views import sight

BOT = BotAtSeat(level_of("journeyman"), "table/0", ahead=False)


@pytest.fixture(autouse=True)
def seated(monkeypatch: pytest.MonkeyPatch) -> Generator[list[BotAtSeat]]:
    """The bots for which a new player was made."""
    made: list[BotAtSeat] = []
    make = thinking._seated  # noqa: SLF001 - what is counted

    def counted(bot: BotAtSeat, turn: Turn) -> object:
        made.append(bot)
        return make(bot, turn)

    monkeypatch.setattr(thinking, "_seated", counted)
    thinking._PLAYERS.clear()  # noqa: SLF001 - as above
    yield made
    thinking._PLAYERS.clear()  # noqa: SLF001 - as above


def turn_at(table: Table, seat: int = 0) -> Turn:
    """What a bot is asked about."""
    charter = table.charter
    return Turn(charter.game, charter.rules, table.setup, sight(table, Seat(seat)))


def test_a_player_stays_for_a_game(seated: list[BotAtSeat]) -> None:
    """Also when a move was taken back."""
    driven = start_table()
    for _ in range(3):
        assert choose(BOT, turn_at(driven.table)) in driven.legal(0)
        driven.play("0:T")
        driven.take_back(0)
        assert choose(BOT, turn_at(driven.table)) in driven.legal(0)
        driven.play("0:- 1:- 2:-")

    assert seated == [BOT]


def test_the_same_chance_leads_to_the_same_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player that was kept chooses as a new one does, since it answers from the sight alone."""
    words: list[list[str]] = []
    for kept in (True, False):
        monkeypatch.setattr(thinking, "CHANCE", random.Random(7).randrange)
        thinking._PLAYERS.clear()  # noqa: SLF001 - the first game left some
        driven, chosen = start_table(), list[str]()
        for _ in range(4):
            if not kept:
                thinking._PLAYERS.clear()  # noqa: SLF001 - so that it is made anew
            chosen.append(choose(BOT, turn_at(driven.table)))
            driven.play("0:- 1:- 2:-")
        words.append(chosen)

    assert words[0] == words[1]


def test_few_players_are_kept(seated: list[BotAtSeat]) -> None:
    """The one that has not decided for longest goes."""
    turn = turn_at(start_table().table)
    bots = [BOT._replace(character=f"table {number}/0") for number in range(KEPT_PLAYERS + 1)]
    for bot in (*bots, bots[-1], bots[0]):
        choose(bot, turn)

    assert seated == [*bots, bots[0]]


def test_a_player_that_failed_is_not_kept(
    seated: list[BotAtSeat], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next decision begins anew."""
    turn = turn_at(start_table().table)
    choose(BOT, turn)
    player = thinking._PLAYERS[BOT]  # noqa: SLF001 - the one that fails

    def fail(*_: object) -> object:
        raise ValueError("the bricks are wet")

    monkeypatch.setattr(player, "act", fail, raising=False)
    with pytest.raises(ValueError, match="wet"):
        choose(BOT, turn)
    choose(BOT, turn)

    assert seated == [BOT, BOT]


@pytest.mark.parametrize(
    ("ahead", "current", "looks"), [(True, True, True), (False, True, False), (True, False, False)]
)
def test_only_present_rules_are_searched(
    monkeypatch: pytest.MonkeyPatch, *, ahead: bool, current: bool, looks: bool
) -> None:
    """A table of earlier rules has no search; nor does a bot before it is compiled."""
    warmed: list[str] = []

    def is_current(_: object) -> bool:
        return current

    def sit(level: Level, *_: object) -> Level:
        return level

    monkeypatch.setattr(thinking, "warm", warmed.append)
    monkeypatch.setattr(thinking, "is_current", is_current)
    bot = BotAtSeat(level_of("master"), "table/0", ahead=ahead)
    turn = turn_at(start_table().table)
    level = thinking.seated(bot, turn, sit)

    assert bot.level.looks_ahead
    assert level.looks_ahead is looks
    assert warmed == ["mauer"] * looks
