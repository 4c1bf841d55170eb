"""Tables at which people roll, draw and deal themselves, and enter what came."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from tests.play.housing import folder, opened, quick_bots, until
from tests.play.laying import ADA, BEGAN, BOB, LEVEL, SEED, Laid, lay, order

from mauerwerk.cli.verify import verify_record
from mauerwerk.core.game import NATURE, AnyGame, IllegalMoveError, Seat, Setup, SetupError
from mauerwerk.games import GAMES
from mauerwerk.play import chance, paper, requests
from mauerwerk.play.backup import engine_of
from mauerwerk.play.doctor import examine
from mauerwerk.play.entries import Charter, Kind, Status
from mauerwerk.play.errors import NotYoursError, RequestError, StaleError
from mauerwerk.play.fairness import nature_word
from mauerwerk.play.house import House
from mauerwerk.play.requests import Order
from mauerwerk.play.undo import Way

__all__ = ["folder", "quick_bots"]

LOT = {"rounds": "1", "stall": "1", "first": "lot"}
SMALL = {"board": "small", "first": "0"}


def enter(laid: Laid, seat: int, word: str, *, answers: int | None = None, key: str = "") -> None:
    """Somebody at this seat enters what nature did."""
    number = laid.number(seat) if answers is None else answers
    laid.do(requests.enter, Seat(seat), word, number, key=key)


def build(laid: Laid, seat: int) -> None:
    """The first wall that this seat may build."""
    laid.move(seat, laid.scene(seat).legal[0].word)


@pytest.fixture
def dice() -> Laid:
    """Mauerbauer for Ada and Bob, who roll their own dice; Ada has built a wall."""
    laid = lay("mauerbauer", "hh", options=SMALL, chance="dice")
    build(laid, 0)
    return laid


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
            found = open_ones if chance.is_open(game, setup.seats, state) else drawn
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


def test_with_dice_the_house_deals_and_people_roll(dice: Laid) -> None:
    """Twelve cards came from the seed; then the table waits for the dice."""
    assert [play.seat for play in dice.table.plays] == [NATURE] * 12 + [0]
    assert dice.table.waiting == (NATURE,)
    assert (dice.scene(0).enters, dice.scene(1).enters, dice.scene(None).enters) == (1, 1, 0)
    assert dice.scene(1).legal == ()

    enter(dice, 1, "*Wgr")

    assert dice.table.waiting == (0,)
    view = dice.scene(None).view
    assert view is not None
    assert dice.table.game.write(view.roll) == "*Wgr"


def test_everybody_hears_who_entered_it(dice: Laid) -> None:
    """The notice of the roll bears a name."""
    enter(dice, 1, "*Wgr")
    assert {dice.last(viewer).name for viewer in (None, 0, 1)} == {"Bob"}
    assert (dice.last(0).seat, dice.last(0).kind) == (NATURE, Kind.MOVE)


def test_the_house_draws_everything_unless_told_otherwise() -> None:
    """Nobody enters anything there."""
    laid = lay("mauerbauer", "hh", options=SMALL)
    build(laid, 0)
    assert laid.table.waiting == (0,)
    with pytest.raises(RequestError, match="nothing to roll"):
        enter(laid, 0, "*Wgr")


def test_with_all_the_opener_deals_too() -> None:
    """Cards are entered one by one, by who set up the table and by nobody else."""
    laid = kept_by(ADA.id)
    assert laid.table.waiting == (NATURE,)
    assert (laid.scene(0).enters, laid.scene(1).enters) == (True, False)
    with pytest.raises(NotYoursError):
        enter(laid, 1, "+city-1")

    for card in ("city-1", "city-1", "city-2", "city-3", "city-7", "cities"):
        enter(laid, 0, f"+{card}")

    view = laid.scene(0).view
    assert view is not None
    assert [card.value for card in view.hands[0]][:2] == ["city-1", "city-1"]
    with pytest.raises(IllegalMoveError, match="MB-8"):
        enter(laid, 0, "+city-1")


def kept_by(opener: str, **more: Any) -> Laid:  # noqa: ANN401 - fields of an order
    """Mauerbauer for Ada and Bob; all of nature's moves are entered by this guest."""
    wanted = order("mauerbauer", "hh", options=SMALL, chance="all", **more)
    charter = requests.charter_for(wanted, "table", SEED, BEGAN, opener=opener)
    return Laid(charter, {Seat(0): ADA, Seat(1): BOB})


def test_what_is_dealt_by_hand_stays_a_secret() -> None:
    """Whichever card Ada enters for herself, Bob and a spectator are told the same (MB-8)."""
    told: list[tuple[bytes, bytes]] = []
    for card in ("city-1", "land-red"):
        laid = kept_by(ADA.id)
        enter(laid, 0, f"+{card}")
        told.append((laid.seen_by(1), laid.seen_by(None)))
    assert told[0] == told[1]


def test_if_the_opener_leaves_the_others_enter() -> None:
    """So that the game can go on."""
    laid = kept_by(ADA.id)
    laid.do(requests.stand, Seat(0))
    assert laid.scene(1).enters
    enter(laid, 1, "+city-1")


def test_if_nobody_is_left_the_house_draws(dice: Laid) -> None:
    """Bots play on without waiting for dice; who comes back rolls again."""
    dice.do(requests.hand_over, Seat(0), LEVEL)
    assert dice.table.waiting == (NATURE,)
    dice.do(requests.stand, Seat(1))

    roll = dice.table.plays[-1]
    assert (roll.seat, roll.by, dice.table.waiting) == (NATURE, "", (0,))
    assert roll.word == nature_word(
        dice.table.game, dice.table.plays[-2].step.state, SEED, roll.seq
    )


def test_what_is_certain_is_not_asked_for() -> None:
    """A card of the depot that has shown its number shows it again (BB-9)."""
    wanted = order("burgbaumeister", "hh", options={"first": "0"}, chance="all")
    charter = requests.charter_for(wanted, "table", SEED, BEGAN, opener=ADA.id)
    laid = Laid(charter, {Seat(0): ADA, Seat(1): BOB})
    first = laid.scene(0).legal[0].word
    laid.move(0, first)
    enter(laid, 0, "23")
    laid.move(0, laid.scene(0).legal[-1].word)

    laid.move(1, first)

    assert laid.table.waiting == (1,)
    assert (laid.table.plays[-1].word, laid.table.plays[-1].by) == ("23", "")


# --- What is refused ---------------------------------------------------------------------------


def test_a_roll_is_entered_once(dice: Laid) -> None:
    """Who comes second is too late; who sends the same twice has done it once."""
    number = dice.number(1)
    enter(dice, 0, "*Wgr")
    with pytest.raises(StaleError):
        enter(dice, 1, "*Wgg", answers=number)


@pytest.mark.parametrize(
    ("word", "because"), [("*gr", "MB-10"), ("h3-j3", "MB-10"), ("*Xgr", "not a move"), ("", "not")]
)
def test_what_the_dice_cannot_show_is_refused(dice: Laid, word: str, because: str) -> None:
    """Nothing has changed then."""
    before = dice.table
    with pytest.raises(ValueError, match=because):
        enter(dice, 0, word)
    assert dice.table == before


def test_nobody_moves_while_dice_are_awaited(dice: Laid) -> None:
    """Neither the builder nor a clock."""
    with pytest.raises(IllegalMoveError, match="MB-10"):
        dice.move(0, "Wa1")
    assert dice.table.due is None
    timed = lay("mauerbauer", "hh", options=SMALL, chance="dice", pace=30)
    build(timed, 0)
    assert (timed.table.due, timed.table.deadline) == (None, None)


@pytest.mark.parametrize(
    ("letters", "more", "because"),
    [
        ("bbb", {"chance": "dice"}, "bots cannot roll"),
        ("bbb", {"chance": "all"}, "bots cannot roll"),
    ],
)
def test_somebody_must_be_there_to_roll(letters: str, more: dict[str, Any], because: str) -> None:
    """A table of bots alone has nobody who could."""
    with pytest.raises(SetupError, match=because):
        requests.charter_for(order(letters=letters, **more), "table", SEED, BEGAN)


def test_who_enters_everything_sits_at_the_table() -> None:
    """Nobody else would be there to do it."""
    with pytest.raises(SetupError, match="takes a seat"):
        kept_by("cleo")


def test_there_is_no_fourth_way() -> None:
    """An order says house, dice or all."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(
            {"type": "order", "game": "mauer", "chairs": [], "options": {}, "chance": "fate"}, Order
        )


def test_an_old_charter_is_one_where_the_house_draws() -> None:
    """What was kept before people could roll."""
    charter = lay().table.charter
    kept = msgspec.json.decode(msgspec.json.encode(charter))
    del kept["chance"]
    assert msgspec.convert(kept, Charter) == charter


# --- Taking back -------------------------------------------------------------------------------


def test_a_mistyped_roll_is_taken_back_if_the_others_agree(dice: Laid) -> None:
    """They saw the dice; then the right ones are entered."""
    enter(dice, 1, "*Wgr")
    assert (dice.scene(1).undo, dice.scene(0).undo) == (Way.ASK, Way.ASK)
    dice.take_back(1)
    assert dice.table.waiting == (0,)

    dice.consent(0)

    assert dice.table.waiting == (NATURE,)
    enter(dice, 1, "*Bgr")
    view = dice.scene(0).view
    assert view is not None
    assert dice.table.game.write(view.roll) == "*Bgr"


def test_who_plays_alone_against_bots_takes_a_roll_back_freely() -> None:
    """There is nobody to ask."""
    laid = lay("mauerbauer", "hb", options=SMALL, chance="dice")
    build(laid, 0)
    enter(laid, 0, "*Wgr")
    assert laid.scene(0).undo is Way.FREE
    laid.take_back(0)
    assert laid.table.waiting == (NATURE,)


@pytest.mark.parametrize("letters", ["hb", "hh"])
def test_a_roll_that_is_taken_back_is_drawn_where_nobody_is_left_to_roll(letters: str) -> None:
    """Bots play for everybody, and Ada takes back her roll all the same: the table goes on."""
    laid = lay("mauerbauer", letters, options=SMALL, chance="dice")
    build(laid, 0)
    enter(laid, 0, "*Wgr")
    for seat, sitter in enumerate(laid.table.sitters):
        if sitter.guest:
            laid.do(requests.hand_over, Seat(seat), LEVEL)
    laid.take_back(0)

    roll = laid.table.plays[-1]
    assert (roll.seat, roll.by, laid.table.waiting) == (NATURE, "", (0,))


def test_entering_goes_on_past_a_question(dice: Laid) -> None:
    """Ada asks for her wall back, Bob rolls all the same: the question has gone."""
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
    """The card lies before everybody; only what was typed was wrong."""
    wanted = order("burgbaumeister", "hh", options={"first": "0"}, chance="all")
    charter = requests.charter_for(wanted, "table", SEED, BEGAN, opener=ADA.id)
    laid = Laid(charter, {Seat(0): ADA, Seat(1): BOB})
    laid.move(0, laid.scene(0).legal[0].word)
    word = laid.table.game.write(next(iter(laid.table.game.odds(laid.table.state))))
    enter(laid, 0, word)
    laid.take_back(0)
    laid.consent(1)
    assert laid.table.waiting == (NATURE,)


# --- The truth about it ------------------------------------------------------------------------


def test_the_record_says_what_was_entered(tmp_path: Path) -> None:
    """Verifying it checks the rest, and claims nothing about the dice."""
    laid = lay(options=LOT, chance="dice")
    assert laid.table.waiting == (NATURE,)
    enter(laid, 2, "@2")
    laid.play("0:- 1:- 2:-")
    assert laid.table.status is Status.OVER
    text = paper.paper(laid.table, SEED)
    assert text.endswith(" numbers=4-7 hand=4\n")
    assert paper.read(text, GAMES).fairness.by_hand == (4,)
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")

    told = CliRunner().invoke(verify_record, [str(file)])

    assert told.exit_code == 0
    assert "0 moves of nature checked" in told.output
    assert "1 move of nature entered by hand: only who sat at the table knows" in told.output


@pytest.mark.parametrize("words", ["hand=5", "hand=9", "hand=4-99999999", "given=9", "hand=x"])
def test_a_line_that_speaks_of_other_moves_is_refused(words: str) -> None:
    """Only nature's moves are entered by hand, and no more are given than there are."""
    laid = lay(options=LOT, chance="dice")
    enter(laid, 2, "@2")
    laid.play("0:- 1:- 2:-")
    text = paper.paper(laid.table, SEED).replace("hand=4", words)
    with pytest.raises(ValueError, match="line 5"):
        paper.read(text, GAMES)


@pytest.mark.anyio
async def test_the_doctor_knows_what_people_entered(folder: str) -> None:
    """It is sound where the table says so, and a forgery where the house draws."""
    async with opened(folder) as house:
        table = await rolled(house, chance="dice")
        (found,) = examine(folder)
        assert found.faults == ()
        assert (await house.table(table)).plays[-1].by == ADA.id
    with engine_of(folder, writing=True).begin() as connection:
        sql = "UPDATE tables SET charter = replace(charter, ?, ?)"
        assert connection.exec_driver_sql(sql, ('"dice"', '"house"')).rowcount
    (found,) = examine(folder)
    assert any("entered by hand, but the house draws it" in fault for fault in found.faults)


async def rolled(house: House, **more: Any) -> str:  # noqa: ANN401 - fields of an order
    """A table of Ada's at which she drew the lot."""
    mine = (Seat(0), Seat(1), Seat(2))
    table = (await house.create(order(options=LOT, mine=mine, **more), ADA)).charter.id
    number = (await house.table(table)).number(Seat(1))
    receipt = await house.enter(table, Seat(1), "@2", number, "once")
    again = await house.enter(table, Seat(1), "@2", number, "once")
    assert receipt == again
    assert receipt.number == (await house.table(table)).number(Seat(1))
    return table


@pytest.mark.anyio
async def test_bots_play_at_such_a_table_and_a_rematch_is_one_too(
    folder: str, quick_bots: None
) -> None:
    """They wait for the lot, then close their fists."""
    del quick_bots
    async with opened(folder) as house:
        wanted = order(letters="hbb", options=LOT, mine=(Seat(0),), chance="dice")
        table = (await house.create(wanted, ADA)).charter.id
        assert (await house.table(table)).waiting == (NATURE,)
        number = (await house.table(table)).number(Seat(0))
        await house.enter(table, Seat(0), "@1", number, "")
        number = (await house.table(table)).number(Seat(0))
        await house.move(table, Seat(0), "-", number, "")

        async def fists_open() -> bool:
            return len((await house.table(table)).plays) >= 4

        await until(fists_open)
        assert (await house.table(table)).status is Status.OVER
        again = await house.table(await house.rematch(table, ADA))
    assert again.charter.chance == "dice"
    assert again.waiting == (NATURE,)
