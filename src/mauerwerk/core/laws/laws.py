"""What every game promises: the conformance kit.

Each law plays a game by the draws it is given and looks at the positions on the way: at all of
them, or, where a look takes long, at all to begin with and then at fewer and fewer. A law that does
not hold raises `BrokenLawError`, which says what is wrong and carries the record of the game
up to there. To check a game of your own:

    import random
    from mauerwerk.core.laws.laws import laws

    for seed in range(100):
        for law in laws.LAWS:
            law(my_game, Setup(3, my_game.Options()), random.Random(seed).randrange)

and, with a function that counts the pieces of a state, `laws.conserves(count)`.
`docs/how-to/check-a-game.md` has a whole example. The laws of secrets are in `core.laws.secrecy`,
those about what can be taken back in `core.laws.news`; all of them are found here too.
"""

from collections.abc import Callable
from typing import Any, Final
from xml.etree import ElementTree as ET

import msgspec

from mauerwerk.core import record
from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Chance,
    IllegalMoveError,
    Outcome,
    Seat,
    Setup,
    StaleMoveError,
    name_of,
)
from mauerwerk.core.laws.news import (
    chance_and_secrets_are_news,
    no_news_rules_nothing_out,
    taking_back_shows_nothing_again,
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
    """Somebody is asked until there is an outcome, and there always is one in the end."""
    play = Play(game, setup, draw)
    turn = 0
    for state in play.positions():
        asked = game.to_act(state)
        outcome = game.outcome(state)
        play.hold(bool(asked) != bool(outcome), f"asked {asked}, and the outcome is {outcome}")
        play.hold(len(set(asked)) == len(asked), f"somebody is asked twice: {asked}")
        play.hold(asked == (NATURE,) or set(asked) <= set(play.seats), f"who is to act: {asked}?")
        play.hold(game.turn(state) >= turn, "the turns run backwards")
        turn = game.turn(state)
        if outcome:
            _hold_outcome(play, outcome)


def _hold_outcome(play: Play, outcome: Outcome) -> None:
    """Ranks run 1, 2, 2, 4; who has the same rank is in no other way told apart."""
    play.hold(len(outcome.ranks) == len(outcome.points) == play.setup.seats, f"{outcome}")
    for rank in outcome.ranks:
        before = sum(other < rank for other in outcome.ranks)
        play.hold(rank == before + 1, f"these are no ranks: {outcome.ranks}")
    play.hold(outcome.reason and " " not in outcome.reason, "the reason should be one word")


def legal_moves_apply(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Who is asked has something to do, who is not has nothing; all that is legal applies."""
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
    """What is not legal is refused with the clause that forbids it, and changes nothing."""
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
    """Who choose together may answer in any order."""
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
        again = list(game.odds(_arrived(state, type(state))).items())
        play.hold(list(odds.items()) == again, f"once {odds}, and elsewhere {again}")


# --- Paper -----------------------------------------------------------------------------------


def words_are_words(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Every action is one word, every word one action, and each can be said in a line."""
    play = Play(game, setup, draw)
    for state in play.some_positions():
        for seat in game.to_act(state):
            for action in game.legal(state, seat):
                word = game.write(action)
                play.hold(word.split() == [word] and "#" not in word, f"{word!r} is not one word")
                play.hold(
                    word not in {"=", "?"} and game.parse(word) == action, f"{word} reads otherwise"
                )
                play.hold(_is_a_line(game.say(action)), f"{word} cannot be said")


def values_travel(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """State, action, event, view and outcome come back from JSON as they were."""
    play = Play(game, setup, draw)
    _hold_travels(play, setup.options, game.OPTIONS)
    for state in play.some_positions():
        views = (game.view(state, viewer) for viewer in play.viewers)
        for value in (state, *views, *play.actions[-1:], *play.events):
            _hold_travels(play, value, type(value))
    _hold_travels(play, game.outcome(play.state), Outcome)


def _hold_travels(play: Play, value: Any, kind: Any) -> None:  # noqa: ANN401
    arrived = _arrived(value, kind)
    same = arrived == value and hash(arrived) == hash(value)
    play.hold(same, f"{value} came back as {arrived}")


def _arrived(value: Any, kind: Any) -> Any:  # noqa: ANN401 - whatever a game is made of
    """A value that has travelled as JSON."""
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


def records_replay(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """A game on paper, whole or broken off anywhere, is the same game."""
    play = Play(game, setup, draw)
    games = {game.NAME: game}
    for _ in play.positions():
        whole = not game.to_act(play.state)
        if whole or draw(50) == 0:
            kept = record.Record(game.NAME, game.RULES, setup, tuple(play.moves))
            text = record.write(game, kept)
            play.hold(record.read(text, games) == kept, f"it reads otherwise:\n{text}")
            last = [step.state for _, step in record.replay(game, kept)][-1:]
            play.hold(last in ([], [play.state]), "the record leads elsewhere")


def tables_can_be_drawn(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Every view can be drawn and asked about, every event told, with any names."""
    play = Play(game, setup, draw)
    names = [f"<{seat} & Söhne>" for seat in play.seats]
    for state in play.some_positions():
        viewer = pick(play.viewers, draw)
        view = game.view(state, viewer)
        legal = () if viewer is None else game.legal(state, viewer)
        play.hold(game.text(view, names).strip(), "there is nothing to see")
        drawn = ET.fromstring(game.svg(view, legal, names))  # noqa: S314 - our own drawing
        words = sorted(word for node in drawn.iter() if (word := node.get("data-word")))
        play.hold(words == sorted(map(game.write, legal)), f"what can be done: {words}?")
        play.hold(not legal or _is_a_line(game.ask(view, names)), "nothing is asked")
        for event in (*play.events, *play.told(play.events, viewer)):
            told = game.tell(event, names)
            play.hold(not told or _is_a_line(told), f"{event} cannot be told")


def _is_a_line(words: str) -> bool:
    return bool(words) and words == words.strip() and "\n" not in words


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
