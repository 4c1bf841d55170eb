"""Taking back never changes luck, and tells nobody what another player will be dealt."""

import random

import pytest
from tests.support.driven_table import DrivenTable, start_table

from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
from mauerwerk.games import GAMES, mauerbauer
from mauerwerk.games.mauerbauer import events
from mauerwerk.server.tables import requests, transcript
from mauerwerk.server.tables.seed import Places, check
from mauerwerk.server.tables.table import Status

BOARD = {"board": "small", "first": "0"}


def last_roll(driven: DrivenTable) -> str:
    """The last word of nature."""
    return next(play.word for play in reversed(driven.table.plays) if play.seat == NATURE)


def let_bot_play(driven: DrivenTable, chance: random.Random) -> None:
    """A bot plays anything until the first seat is asked again."""
    while driven.table.waiting == (1,):
        word = chance.choice(driven.legal(1))
        driven.do(requests.play_for, Seat(1), word, driven.number(1))


def finish_turn(driven: DrivenTable, chance: random.Random) -> None:
    """The first seat plays anything until the bot is asked."""
    while driven.table.waiting == (0,):
        driven.move(0, chance.choice(driven.legal(0)))


def test_the_same_decision_gives_the_same_dice() -> None:
    """Four times the same wall, each taken back, is rolled for four times alike."""
    driven = start_table("mauerbauer", "hb", options=BOARD)
    line = driven.legal(0)[0]
    rolls = set[str]()
    for _ in range(4):
        driven.move(0, line)
        rolls.add(last_roll(driven))
        driven.take_back(0)
    assert len(rolls) == 1


def test_another_decision_in_between_does_not_roll_again() -> None:
    """The dice of a turn lie where they fell, whichever wall is built: nobody can shop for luck."""
    driven = start_table("mauerbauer", "hb", options=BOARD)
    rolls = set[str]()
    for line in driven.legal(0)[:12]:
        driven.move(0, line)
        rolls.add(last_roll(driven))
        driven.take_back(0)
    assert len(rolls) == 1


def test_the_dice_of_later_turns_stay_the_same_too() -> None:
    """A whole turn of the player and one of the bot are taken back and played otherwise."""
    rolls: dict[int, set[str]] = {}
    driven = start_table("mauerbauer", "hb", options=BOARD)
    for attempt in range(6):
        chance = random.Random(attempt)
        finish_turn(driven, chance)
        let_bot_play(driven, chance)
        state = driven.table.game.start(driven.table.setup)
        for play in driven.table.plays:
            for event in play.step.events:
                if isinstance(event, events.Rolled):
                    rolls.setdefault(driven.table.game.turn(state), set()).add(play.word)
            state = play.step.state
        while any(play.seat == 0 for play in driven.table.plays):
            driven.take_back(0)
    assert {turn: len(words) for turn, words in rolls.items()} == {0: 1, 1: 1}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_two_draws_of_a_game_have_the_same_place(game: AnyGame) -> None:
    """Otherwise one would tell the other."""
    for seed in range(3):
        chance = random.Random(seed)
        setup = Setup(game.SEATS[-1], game.OPTIONS())
        state, places, seen = game.start(setup), Places(game, setup.seats), list[str]()
        while asked := game.to_act(state):
            if asked == (NATURE,):
                seen.append(places.next(state))
            legal = [*game.odds(state)] if asked == (NATURE,) else game.legal(state, asked[0])
            state = game.apply(state, asked[0], chance.choice(legal)).state
        assert len(set(seen)) == len(seen)


def test_what_is_dealt_to_one_player_says_nothing_about_another() -> None:
    """Cards that only their owner sees are drawn at places of their own, dice at those of all."""
    game = mauerbauer
    chance = random.Random(1)
    setup = Setup(3, mauerbauer.Options(first=0))
    state, places = game.start(setup), Places(game, setup.seats)
    kinds = set[tuple[type[events.Event], bool]]()
    while asked := game.to_act(state):
        legal = [*game.odds(state)] if asked == (NATURE,) else game.legal(state, asked[0])
        action = chance.choice(legal)
        step = game.apply(state, asked[0], action)
        if asked == (NATURE,):
            who = places.next(state).split(":")[1]
            for event in step.events:
                if isinstance(event, events.Drawn):
                    assert who == str(event.seat)
                    kinds.add((events.Drawn, game.turn(state) > 0))
                elif isinstance(event, events.Rolled):
                    assert who == "all"
                    kinds.add((events.Rolled, game.turn(state) > 0))
        state = step.state
    assert {kind for kind, later in kinds if later} == {events.Drawn, events.Rolled}


def test_what_was_taken_back_leaves_a_record_that_holds() -> None:
    """A whole game in which every third move is taken back once is as the seed says."""
    driven = start_table("mauerbauer", "hb", options=BOARD)
    chance = random.Random(5)
    for count in range(5_000):
        if driven.table.status is Status.OVER:
            break
        (seat,) = driven.table.waiting
        word = chance.choice(driven.legal(seat))
        if seat == 1:
            driven.do(requests.play_for, Seat(1), word, driven.number(1))
            continue
        driven.move(0, word)
        if count % 3 == 0 and driven.table.waiting:
            driven.take_back(0)
            driven.move(0, chance.choice(driven.legal(0)))
    table = driven.table
    read = transcript.read(transcript.transcript(table, driven.seed), GAMES)
    fair = read.fairness
    verdict = check(table.game, read.record, fair.seed, fair.numbers, draws=fair.draws)
    assert (verdict.faults, fair.draws) == ((), "turn")
    assert verdict.checked > 20
