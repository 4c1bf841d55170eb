"""What every game promises: the conformance kit.

Each law plays a game at random and examines the positions on the way: all of them, or, where that
takes long, all at the beginning and then fewer and fewer. A law that does not hold raises
`BrokenLawError`, which says what is wrong and carries the record of the game up to there. To check
a game of your own:

    import random
    from mauerwerk.core.laws import laws

    for seed in range(100):
        for law in laws.LAWS:
            law(my_game, Setup(3, my_game.OPTIONS()), random.Random(seed).randrange)

and, with a function that counts the pieces of a state, `laws.conserves(count)`.
`docs/how-to/check-a-game.md` has a whole example. The laws of secrets are in `core.laws.secrecy`,
those about what can be taken back in `core.laws.news`, those about what is written, sent and drawn
in `core.laws.paper`; this module has all of them.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from mauerwerk.core.errors import IllegalMoveError, StaleMoveError
from mauerwerk.core.game import NATURE, AnyGame, Chance, Outcome, Seat, Setup, name_of
from mauerwerk.core.laws.news import (
    chance_and_secrets_are_news,
    no_news_rules_nothing_out,
    taking_back_shows_nothing_again,
)
from mauerwerk.core.laws.paper import (
    arrived,
    records_replay,
    tables_can_be_drawn,
    values_travel,
    words_are_words,
)
from mauerwerk.core.laws.secrecy import (
    a_seat_sees_no_more_than_it_was_told,
    alike_moves_leave_alike_tables,
    told_once_is_not_shown_again,
    what_is_seen_stays_seen,
)
from mauerwerk.core.laws.trial import BrokenLawError, Law, Play, pick, some

__all__ = [
    "LAWS",
    "BrokenLawError",
    "Law",
    "a_seat_sees_no_more_than_it_was_told",
    "actions_have_numbers",
    "alike_moves_leave_alike_tables",
    "chance_and_secrets_are_news",
    "conserves",
    "illegal_moves_are_refused",
    "legal_moves_apply",
    "nature_has_odds",
    "no_news_rules_nothing_out",
    "order_does_not_matter",
    "play_ends",
    "records_replay",
    "tables_can_be_drawn",
    "taking_back_shows_nothing_again",
    "told_once_is_not_shown_again",
    "values_travel",
    "what_is_seen_stays_seen",
    "words_are_words",
]

# --- The course of a game --------------------------------------------------------------------


def play_ends(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """At least one seat must act until there is an outcome, and there always is one in the end.

    No game has more moves of players than `longest` says, where it says anything.
    """
    play = Play(game, setup, draw)
    longest = game.longest(setup)
    turn = 0
    for state in play.positions():
        asked = game.to_act(state)
        outcome = game.outcome(state)
        play.hold(bool(asked) != bool(outcome), f"asked {asked}, and the outcome is {outcome}")
        play.hold(len(set(asked)) == len(asked), f"a seat is asked twice: {asked}")
        play.hold(asked == (NATURE,) or set(asked) <= set(play.seats), f"who is to act: {asked}?")
        play.hold(game.turn(state) >= turn, "the turns run backwards")
        turn = game.turn(state)
        if outcome:
            _hold_outcome(play, outcome)
    made = sum(move.seat != NATURE for move in play.moves)
    play.hold(longest is None or made <= longest, f"{made} moves are more than {longest}")


def _hold_outcome(play: Play, outcome: Outcome) -> None:
    """Ranks run 1, 2, 2, 4, and the reason is one of the game's endings."""
    play.hold(len(outcome.ranks) == len(outcome.points) == play.setup.seats, f"{outcome}")
    for rank in outcome.ranks:
        before = sum(other < rank for other in outcome.ranks)
        play.hold(rank == before + 1, f"these are no ranks: {outcome.ranks}")
    play.hold(outcome.reason and " " not in outcome.reason, "the reason should be one word")
    play.hold(outcome.reason in play.game.ENDINGS, f"{outcome.reason} is no ending")


def legal_moves_apply(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Just the seats that must act have legal actions, and all of these apply."""
    play = Play(game, setup, draw)
    for state in play.some_positions():
        for seat in (*play.seats, NATURE):
            legal = game.legal(state, seat)
            asked = seat in game.to_act(state)
            play.hold(bool(legal) == asked, f"{name_of(seat)} is asked: {asked}, legal: {legal}")
            play.hold(len(set(legal)) == len(legal), f"the same action twice: {legal}")
            for action in legal:
                clause = game.why_not(state, seat, action)
                play.hold(not clause, f"{game.write(action)} is legal, but {clause} forbids it")
                once, again = (game.apply(state, seat, action) for _ in range(2))
                play.hold(once == again, f"{game.write(action)} leads to two different states")


def illegal_moves_are_refused(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """An illegal action is refused with the clause that forbids it, and changes nothing."""
    play = Play(game, setup, draw)
    play.rehearse()
    for state in play.some_positions():
        before = msgspec.json.encode(state)
        for seat in (*play.seats, NATURE):
            legal = game.legal(state, seat)
            for action in some(play.words, draw):
                if action not in legal:
                    _hold_refusal(play, state, seat, action)
        play.hold(msgspec.json.encode(state) == before, "a refused move has changed the state")


def _hold_refusal(play: Play, state: Any, seat: Seat, action: Any) -> None:  # noqa: ANN401
    game, word = play.game, play.game.write(action)
    clause = game.why_not(state, seat, action)
    play.hold(clause in game.CLAUSES, f"{word} is not legal, but {clause!r} is no clause")
    try:
        game.apply(state, seat, action)
    except IllegalMoveError as refusal:
        play.hold(refusal.clause == clause, f"{word}: {refusal.clause} or {clause}?")
    except StaleMoveError:
        play.hold(not game.to_act(state), f"{word} came too late, but the game goes on")
    else:
        play.hold(None, f"{name_of(seat)} may not play {word}, but it was applied")


def order_does_not_matter(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Players who choose together may answer in any order."""
    play = Play(game, setup, draw)
    for state in play.positions():
        asked = game.to_act(state)
        if len(asked) > 1:
            first = pick(asked, draw)
            second = pick([seat for seat in asked if seat != first], draw)
            one, other = (pick(game.legal(state, seat), draw) for seat in (first, second))
            ahead = game.apply(game.apply(state, first, one).state, second, other).state
            behind = game.apply(game.apply(state, second, other).state, first, one).state
            play.hold(ahead == behind, f"the order of {first} and {second} matters")


def nature_has_odds(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Nature's weights are positive whole numbers, for just what it may do, in one order."""
    play = Play(game, setup, draw)
    for state in play.positions():
        odds = game.odds(state)
        play.hold(tuple(odds) == tuple(game.legal(state, NATURE)), f"odds for what? {odds}")
        for action, weight in odds.items():
            sound = type(weight) is int and weight > 0
            play.hold(sound, f"the weight of {game.write(action)} is {weight}")
        again = list(game.odds(arrived(state, type(state))).items())
        play.hold(list(odds.items()) == again, f"once {odds}, and elsewhere {again}")


# --- Numbers ---------------------------------------------------------------------------------


def actions_have_numbers(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """A game that numbers its actions numbers all that are legal, players' and nature's apart."""
    play = Play(game, setup, draw)
    actions = [*game.choices(setup), *game.lots(setup)]
    choices, lots = set(game.choices(setup)), set(game.lots(setup))
    play.hold(len(choices | lots) == len(actions), "an action has two numbers")
    for state in play.positions() if choices else ():
        for seat in game.to_act(state):
            lacking = set(game.legal(state, seat)) - (lots if seat == NATURE else choices)
            play.hold(not lacking, f"these have no number: {lacking}")


# --- A law for some games --------------------------------------------------------------------


def conserves(count: Callable[[Any], object]) -> Law:
    """The law that nothing is lost or made: `count` finds the same in every state of a game."""

    def pieces_are_conserved(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        play = Play(game, setup, draw)
        at_first = count(play.state)
        for state in play.positions():
            now = count(state)
            play.hold(now == at_first, f"there were {at_first}, now there are {now}")

    return pieces_are_conserved


LAWS: Final[tuple[Law, ...]] = (
    play_ends,
    legal_moves_apply,
    illegal_moves_are_refused,
    order_does_not_matter,
    nature_has_odds,
    actions_have_numbers,
    alike_moves_leave_alike_tables,
    a_seat_sees_no_more_than_it_was_told,
    what_is_seen_stays_seen,
    chance_and_secrets_are_news,
    no_news_rules_nothing_out,
    taking_back_shows_nothing_again,
    words_are_words,
    values_travel,
    records_replay,
    tables_can_be_drawn,
)
"""All laws that need nothing but the game."""
