"""Tables at which people roll, draw and deal themselves, and enter what came."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from tests.support.driven_table import (
    ADA,
    BEGAN,
    BOB,
    LEVEL,
    SEED,
    DrivenTable,
    order,
    refused,
    start_table,
)
from tests.support.hosts import folder, opened, quick_bots, until

from mauerwerk.cli.verify import verify
from mauerwerk.core.errors import IllegalMoveError, SetupError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
from mauerwerk.games import GAMES
from mauerwerk.server.database.connect import engine_of
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.engine.host import Host
from mauerwerk.server.tables import requests, transcript
from mauerwerk.server.tables.charter import Charter, Order, charter_for
from mauerwerk.server.tables.errors import NotYoursError, RequestError, StaleError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.seed import nature_word
from mauerwerk.server.tables.table import Status, is_open
from mauerwerk.server.tables.undo import Way

__all__ = ["folder", "quick_bots"]

LOT = {"rounds": "1", "stall": "1", "first": "lot"}
SMALL = {"board": "small", "first": "0"}


def enter(
    driven: DrivenTable, seat: int, word: str, *, version: int | None = None, key: str = ""
) -> None:
    """Somebody at this seat enters what nature did."""
    number = driven.number(seat) if version is None else version
    driven.do(requests.enter, Seat(seat), word, number, key=key)


def build(driven: DrivenTable, seat: int) -> None:
    """The first wall that this seat may build."""
    driven.move(seat, driven.legal(seat)[0])


@pytest.fixture
def dice() -> DrivenTable:
    """Mauerbauer for Ada and Bob, who roll their own dice; Ada has built a wall."""
    driven = start_table("mauerbauer", "hh", options=SMALL, dice="players")
    build(driven, 0)
    return driven


# --- What is chance, and whose -----------------------------------------------------------------


def asked_by_hand(game: AnyGame, **given: Any) -> set[str]:  # noqa: ANN401 - the game's options
    """The kinds of nature's moves that are everybody's to see, in a game played by chance."""
    setup: Setup[Any] = Setup(game.SEATS[0], game.OPTIONS(**given))
    state = game.start(setup)
    open_ones: set[str] = set()
    drawn: set[str] = set()
    for number in range(400):
        asked = game.to_act(state)
        if not asked:
            break
        legal = game.legal(state, asked[0])
        if asked == (NATURE,):
            found = open_ones if is_open(game, setup.seats, state) else drawn
            found.add(type(legal[0]).__name__)
        state = game.apply(state, asked[0], legal[number * 7 % len(legal)]).state
    assert not open_ones & drawn
    return open_ones


def test_dice_and_lots_are_everybodys_to_see_cards_are_not() -> None:
    """MB-19 and MB-8 against MB-45; BB-4 and BB-3 against BB-9, which is a matter of memory."""
    assert asked_by_hand(GAMES["mauerbauer"]) == {"Appoint", "Roll"}
    assert asked_by_hand(GAMES["mauer"], first="lot") == {"Appoint"}
    by_chance = asked_by_hand(GAMES["burgbaumeister"], first="lot", depot="chaotic")
    assert by_chance == {"Appoint", "Spread"}


def test_with_dice_the_house_deals_and_people_roll(dice: DrivenTable) -> None:
    """Twelve cards come from the seed, then the table waits for the dice."""
    assert [play.seat for play in dice.table.plays] == [NATURE] * 12 + [0]
    assert dice.table.waiting == (NATURE,)
    assert (
        dice.table_view(0).may_enter_roll,
        dice.table_view(1).may_enter_roll,
        dice.table_view(None).may_enter_roll,
    ) == (
        1,
        1,
        0,
    )
    assert dice.table_view(1).legal == ()

    enter(dice, 1, "*Wgr")

    assert dice.table.waiting == (0,)
    view = dice.table_view(None).view
    assert view is not None
    assert dice.table.game.write(view.roll) == "*Wgr"


def test_everybody_hears_who_entered_it(dice: DrivenTable) -> None:
    """The notice of the roll has the name of the person who entered it."""
    enter(dice, 1, "*Wgr")
    assert {dice.last(viewer).name for viewer in (None, 0, 1)} == {"Bob"}
    assert (dice.last(0).seat, dice.last(0).kind) == (NATURE, Kind.MOVE)


def test_the_house_draws_everything_unless_told_otherwise() -> None:
    """At an ordinary table nobody can enter anything."""
    driven = start_table("mauerbauer", "hh", options=SMALL)
    build(driven, 0)
    assert driven.table.waiting == (0,)
    with refused(RequestError, "nothing to roll"):
        enter(driven, 0, "*Wgr")


def test_with_all_the_opener_deals_too() -> None:
    """Only the guest who set up the table enters cards, one by one."""
    driven = kept_by(ADA.id)
    assert driven.table.waiting == (NATURE,)
    assert (driven.table_view(0).may_enter_roll, driven.table_view(1).may_enter_roll) == (
        True,
        False,
    )
    with pytest.raises(NotYoursError):
        enter(driven, 1, "+city-1")

    for card in ("city-1", "city-1", "city-2", "city-3", "city-7", "cities"):
        enter(driven, 0, f"+{card}")

    view = driven.table_view(0).view
    assert view is not None
    assert [card.value for card in view.hands[0]][:2] == ["city-1", "city-1"]
    with pytest.raises(IllegalMoveError, match="MB-8"):
        enter(driven, 0, "+city-1")


def kept_by(opener: str, **more: Any) -> DrivenTable:  # noqa: ANN401 - fields of an order
    """Mauerbauer for Ada and Bob; all of nature's moves are entered by this guest."""
    wanted = order("mauerbauer", "hh", options=SMALL, dice="scribe", **more)
    charter = charter_for(wanted, "table", SEED, BEGAN, opener=opener)
    return DrivenTable(charter, {Seat(0): ADA, Seat(1): BOB})


def test_what_is_dealt_by_hand_stays_a_secret() -> None:
    """Whichever card Ada enters for herself, Bob and a spectator are told the same (MB-8)."""
    told: list[tuple[bytes, bytes]] = []
    for card in ("city-1", "land-red"):
        driven = kept_by(ADA.id)
        enter(driven, 0, f"+{card}")
        told.append((driven.seen_by(1), driven.seen_by(None)))
    assert told[0] == told[1]


def test_if_the_opener_leaves_the_others_enter() -> None:
    """Otherwise the game could not go on."""
    driven = kept_by(ADA.id)
    driven.do(requests.stand, Seat(0))
    assert driven.table_view(1).may_enter_roll
    enter(driven, 1, "+city-1")


def test_if_nobody_is_left_the_house_draws(dice: DrivenTable) -> None:
    """Bots do not wait for dice; a player who comes back rolls again."""
    dice.do(requests.hand_over, Seat(0), LEVEL)
    assert dice.table.waiting == (NATURE,)
    dice.do(requests.stand, Seat(1))

    roll = dice.table.plays[-1]
    assert (roll.seat, roll.by, dice.table.waiting) == (NATURE, "", (0,))
    assert roll.word == nature_word(
        dice.table.game, dice.table.plays[-2].step.state, SEED, "0:all:0"
    )


def test_what_is_certain_is_not_asked_for() -> None:
    """A card of the depot that has shown its number shows it again (BB-9)."""
    wanted = order("burgbaumeister", "hh", options={"first": "0"}, dice="scribe")
    charter = charter_for(wanted, "table", SEED, BEGAN, opener=ADA.id)
    driven = DrivenTable(charter, {Seat(0): ADA, Seat(1): BOB})
    first = driven.legal(0)[0]
    driven.move(0, first)
    enter(driven, 0, "23")
    driven.move(0, driven.legal(0)[-1])

    driven.move(1, first)

    assert driven.table.waiting == (1,)
    assert (driven.table.plays[-1].word, driven.table.plays[-1].by) == ("23", "")


# --- What is refused ---------------------------------------------------------------------------


def test_a_roll_is_entered_once(dice: DrivenTable) -> None:
    """A second roll is too late; the same request repeated is carried out once."""
    number = dice.number(1)
    enter(dice, 0, "*Wgr")
    with pytest.raises(StaleError):
        enter(dice, 1, "*Wgg", version=number)


@pytest.mark.parametrize(
    ("word", "because"), [("*gr", "MB-10"), ("h3-j3", "MB-10"), ("*Xgr", "not a move"), ("", "not")]
)
def test_what_the_dice_cannot_show_is_refused(dice: DrivenTable, word: str, because: str) -> None:
    """The table is not changed."""
    before = dice.table
    with pytest.raises(ValueError, match=because):
        enter(dice, 0, word)
    assert dice.table == before


def test_nobody_moves_while_dice_are_awaited(dice: DrivenTable) -> None:
    """Neither the builder nor a clock can act."""
    with pytest.raises(IllegalMoveError, match="MB-10"):
        dice.move(0, "Wa1")
    assert dice.table.due is None
    timed = start_table("mauerbauer", "hh", options=SMALL, dice="players", seconds_per_move=30)
    build(timed, 0)
    assert (timed.table.due, timed.table.deadline) == (None, None)


@pytest.mark.parametrize(
    ("letters", "more", "because"),
    [
        ("bbb", {"dice": "players"}, "bots cannot roll"),
        ("bbb", {"dice": "scribe"}, "bots cannot roll"),
    ],
)
def test_somebody_must_be_there_to_roll(letters: str, more: dict[str, Any], because: str) -> None:
    """A table with only bots is refused."""
    with refused(SetupError, because):
        charter_for(order(letters=letters, **more), "table", SEED, BEGAN)


def test_the_guest_who_enters_everything_has_a_seat() -> None:
    """The guest who is to enter everything must have a seat."""
    with refused(SetupError, "take a seat"):
        kept_by("cleo")


def test_there_is_no_fourth_way() -> None:
    """An order says `house`, `dice` or `all`."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(
            {"type": "order", "game": "mauer", "chairs": [], "options": {}, "dice": "fate"}, Order
        )


def test_an_old_charter_is_one_where_the_house_draws() -> None:
    """Charters from before dice could be entered mean `house`."""
    charter = start_table().table.charter
    kept = msgspec.json.decode(msgspec.json.encode(charter))
    del kept["dice"]
    assert msgspec.convert(kept, Charter) == charter


# --- Taking back -------------------------------------------------------------------------------


def test_a_mistyped_roll_is_taken_back_if_the_others_agree(dice: DrivenTable) -> None:
    """The others saw the dice, and then the right roll is entered."""
    enter(dice, 1, "*Wgr")
    assert (dice.table_view(1).undo, dice.table_view(0).undo) == (Way.ASK, Way.ASK)
    dice.take_back(1)
    assert dice.table.waiting == (0,)

    dice.consent(0)

    assert dice.table.waiting == (NATURE,)
    enter(dice, 1, "*Bgr")
    view = dice.table_view(0).view
    assert view is not None
    assert dice.table.game.write(view.roll) == "*Bgr"


def test_who_plays_alone_against_bots_takes_a_roll_back_freely() -> None:
    """There is nobody to ask."""
    driven = start_table("mauerbauer", "hb", options=SMALL, dice="players")
    build(driven, 0)
    enter(driven, 0, "*Wgr")
    assert driven.table_view(0).undo is Way.FREE
    driven.take_back(0)
    assert driven.table.waiting == (NATURE,)


@pytest.mark.parametrize("letters", ["hb", "hh"])
def test_a_roll_that_is_taken_back_is_drawn_where_nobody_is_left_to_roll(letters: str) -> None:
    """If bots play for everybody, a roll that is taken back is drawn from the seed."""
    driven = start_table("mauerbauer", letters, options=SMALL, dice="players")
    build(driven, 0)
    enter(driven, 0, "*Wgr")
    for seat, occupant in enumerate(driven.table.occupants):
        if occupant.guest:
            driven.do(requests.hand_over, Seat(seat), LEVEL)
    driven.take_back(0)
    if letters == "hh":  # a bot does not answer for its owner
        driven.consent(1)

    roll = driven.table.plays[-1]
    assert (roll.seat, roll.by, driven.table.waiting) == (NATURE, "", (0,))


def test_entering_goes_on_past_a_question(dice: DrivenTable) -> None:
    """If a roll is entered while a player asks for a move back, the question is gone."""
    dice.take_back(0)
    assert dice.table.waiting == (0,), "a wall alone is no news, so it goes back freely"
    build(dice, 0)
    enter(dice, 1, "*Wgr")
    dice.take_back(0)
    assert dice.table.proposal is not None
    dice.consent(1)
    build(dice, 0)
    enter(dice, 0, "*Ggg")
    assert dice.table.proposal is None


def test_a_mistyped_card_is_taken_back_though_it_was_shown() -> None:
    """The card lies before everybody; only the entry was wrong."""
    wanted = order("burgbaumeister", "hh", options={"first": "0"}, dice="scribe")
    charter = charter_for(wanted, "table", SEED, BEGAN, opener=ADA.id)
    driven = DrivenTable(charter, {Seat(0): ADA, Seat(1): BOB})
    driven.move(0, driven.legal(0)[0])
    word = driven.table.game.write(next(iter(driven.table.game.odds(driven.table.state))))
    enter(driven, 0, word)
    driven.take_back(0)
    driven.consent(1)
    assert driven.table.waiting == (NATURE,)


# --- The truth about it ------------------------------------------------------------------------


def test_the_record_says_what_was_entered(tmp_path: Path) -> None:
    """Verifying a record checks the other moves and claims nothing about the dice."""
    driven = start_table(options=LOT, dice="players")
    assert driven.table.waiting == (NATURE,)
    enter(driven, 2, "@2")
    driven.play("0:- 1:- 2:-")
    assert driven.table.status is Status.OVER
    text = transcript.transcript(driven.table, SEED)
    assert text.endswith(" numbers=4-7 hand=4\n")
    assert transcript.read(text, GAMES).fairness.by_hand == (4,)
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")

    told = CliRunner().invoke(verify, [str(file)])

    assert told.exit_code == 0
    assert "0 moves of nature checked" in told.output
    assert "1 move of nature entered by hand: only who sat at the table knows" in told.output


@pytest.mark.parametrize("words", ["hand=5", "hand=9", "hand=4-99999999", "given=9", "hand=x"])
def test_a_line_that_speaks_of_other_moves_is_refused(words: str) -> None:
    """Only nature's moves can be entered by hand, and no more than there are."""
    driven = start_table(options=LOT, dice="players")
    enter(driven, 2, "@2")
    driven.play("0:- 1:- 2:-")
    text = transcript.transcript(driven.table, SEED).replace("hand=4", words)
    with pytest.raises(ValueError, match="line 5"):
        transcript.read(text, GAMES)


@pytest.mark.anyio
async def test_the_doctor_knows_what_people_entered(folder: str) -> None:
    """Entered moves are sound where the table allows them, and forgeries elsewhere."""
    async with opened(folder) as host:
        table = await rolled(host, dice="players")
        (found,) = examine(folder)
        assert found.faults == ()
        assert (await host.table(table)).plays[-1].by == ADA.id
    with engine_of(folder, writing=True).begin() as connection:
        sql = "UPDATE tables SET charter = replace(charter, ?, ?)"
        assert connection.exec_driver_sql(sql, ('"players"', '"server"')).rowcount
    (found,) = examine(folder)
    assert any("entered by hand, but the server draws it" in fault for fault in found.faults)


async def rolled(host: Host, **more: Any) -> str:  # noqa: ANN401 - fields of an order
    """A table of Ada's at which she drew the lot."""
    mine = (Seat(0), Seat(1), Seat(2))
    table = (await host.create(order(options=LOT, mine=mine, **more), ADA)).charter.id
    number = (await host.table(table)).number(Seat(1))
    receipt = await host.enter(table, Seat(1), "@2", number, "once")
    again = await host.enter(table, Seat(1), "@2", number, "once")
    assert receipt == again
    assert receipt.number == (await host.table(table)).number(Seat(1))
    return table


@pytest.mark.anyio
async def test_bots_play_at_such_a_table_and_a_rematch_is_one_too(
    folder: str, quick_bots: None
) -> None:
    """They wait for the lot, then close their fists."""
    del quick_bots
    async with opened(folder) as host:
        wanted = order(letters="hbb", options=LOT, mine=(Seat(0),), dice="players")
        table = (await host.create(wanted, ADA)).charter.id
        assert (await host.table(table)).waiting == (NATURE,)
        number = (await host.table(table)).number(Seat(0))
        await host.enter(table, Seat(0), "@1", number, "")
        number = (await host.table(table)).number(Seat(0))
        await host.move(table, Seat(0), "-", number, "")

        async def fists_open() -> bool:
            return len((await host.table(table)).plays) >= 4

        await until(fists_open)
        assert (await host.table(table)).status is Status.OVER
        again = await host.table(await host.rematch(table, ADA))
    assert again.charter.dice == "players"
    assert again.waiting == (NATURE,)


def test_a_roll_ends_the_question_whether_to_take_back(dice: DrivenTable) -> None:
    """What was rolled is known, so nobody is asked any longer about the move before it."""
    enter(dice, 1, "*Wgr")
    while dice.table.waiting != (NATURE,):
        build(dice, dice.table.waiting[0])
    dice.take_back(0)
    proposed = dice.table.proposal
    enter(dice, 1, "*Wgr")
    assert proposed is not None
    assert dice.table.proposal is None
    assert dice.table_view(1).question is None
