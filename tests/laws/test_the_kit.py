"""The laws bite: a game with one thing wrong is caught by the law that is about it."""

import random
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from mauerwerk.core import laws
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Step, Value
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games import mauer
from mauerwerk.games import mauerbauer as mb
from mauerwerk.games.burgbaumeister import events as bb_events
from mauerwerk.games.burgbaumeister import values as bb_values
from mauerwerk.games.mauer.events import Built, Chosen, FistsOpened, Given
from mauerwerk.games.mauer.values import ACTIONS, Appoint, Drawing, Give, Over, Planning
from mauerwerk.games.mauerbauer import events as mb_events

SETUP = Setup(3, mauer.Options(rounds=1, first="lot"))
ISLAND = Setup(3, mb.Options(board="small"))


def but(**faults: object) -> AnyGame:
    """Die Mauer, with these members put in place of the right ones."""
    members = dict(vars(mauer))
    return cast("AnyGame", SimpleNamespace(**members | faults))


def always(answer: object) -> Callable[[object], object]:
    """A member that gives the same answer to everything."""

    def answers(_: object) -> object:
        return answer

    return answers


def try_it(law: laws.Law, game: AnyGame, setup: Setup[Any] = SETUP) -> None:
    """Twenty games are enough for any fault here to show."""
    for seed in range(20):
        law(game, setup, random.Random(seed).randrange)


def no_outcome(state: mauer.State) -> None:
    """There is never an outcome."""
    del state


def any_plan(state: mauer.State, seat: Seat) -> Sequence[mauer.Action]:
    """A seat that must act may plan anything at any time."""
    return [mauer.parse(word) for word in "TC12346-"] if mauer.legal(state, seat) else []


def one_too_few(state: mauer.State, seat: Seat) -> Sequence[mauer.Action]:
    """The last legal action is forgotten where there are several."""
    legal = mauer.legal(state, seat)
    return legal[:-1] if legal[1:] else legal


def a_lot_on_an_empty_seat(state: mauer.State, seat: Seat, action: mauer.Action) -> str:
    """The first master builder may be anybody, also where nobody sits."""
    anybody = isinstance(state, Drawing) and isinstance(action, Appoint) and seat == NATURE
    return "" if anybody else mauer.why_not(state, seat, action)


def unfair_lot(state: mauer.State) -> Mapping[mauer.Action, int]:
    """The lot never falls on seat 0."""
    return {action: weight for weight, action in enumerate(mauer.odds(state))}


def first_come(
    state: mauer.State, seat: Seat, action: mauer.Action
) -> Step[mauer.State, mauer.Event]:
    """The seat that closes the first fist is master builder."""
    step = mauer.apply(state, seat, action)
    if isinstance(state, Planning) and not any(state.fists) and isinstance(step.state, Planning):
        table = replace(step.state.table, master=seat)
        return Step(replace(step.state, table=table), step.events)
    return step


def spectator_in_seat_0(state: mauer.State, seat: Seat | None) -> mauer.View:
    """A spectator looks into the hand of seat 0."""
    return mauer.view(state, Seat(0) if seat is None else seat)


def wall_by_magic(event: mauer.Event, seat: Seat | None) -> mauer.Event | None:
    """Nobody notices that something is built."""
    return None if isinstance(event, Built) else mauer.seen(event, seat)


def loud_after_the_choice(event: mauer.Event, seat: Seat | None) -> mauer.Event | None:
    """What was seen of a choice cannot be seen again."""
    if isinstance(event, Chosen) and event.seat == seat:
        return Given(event.seat, event.seat, event.piece)
    if isinstance(event, Given) and event.giver == event.receiver:
        return None
    return mauer.seen(event, seat)


def small_letters(action: mauer.Action) -> str:
    """Words that cannot be read again."""
    return mauer.write(action).lower()


def nothing(*_: object) -> str:
    """Says nothing."""
    return ""


def loose_talk(state: mauer.State, seat: Seat, action: mauer.Action) -> str:
    """Trying to give a piece while all plan reveals whether the next seat has such a piece."""
    clause = mauer.why_not(state, seat, action)
    if clause and isinstance(state, Planning) and isinstance(action, Give):
        hands = state.table.hands
        return clause if action.piece in hands[(seat + 1) % len(hands)] else "DM-19"
    return clause


def two_lines(*_: object) -> str:
    """Says too much."""
    return "two\nlines"


def early_turn(state: mauer.State) -> int:
    """Turns that run backwards at the end."""
    return 0 if isinstance(state, Over) else mauer.turn(state)


def no_news(event: mauer.Event) -> bool:
    """Nothing is ever news."""
    del event
    return False


def news_to_two(event: mauer.Event) -> bool:
    """A gift is news to those who see what it is, and to nobody else."""
    return event.piece is not None if isinstance(event, Given) else mauer.reveals(event)


def gifts_are_no_news(event: mauer.Event) -> bool:
    """A gift may be asked back, although it was looked at."""
    return not isinstance(event, Given) and mauer.reveals(event)


def fists_are_no_news(event: mauer.Event) -> bool:
    """A player who has seen the open fists may close his again."""
    return not isinstance(event, FistsOpened) and mauer.reveals(event)


BROKEN: list[tuple[laws.Law, AnyGame, str]] = [
    (laws.play_ends, but(outcome=no_outcome), "the outcome is None"),
    (laws.play_ends, but(turn=early_turn), "the turns run backwards"),
    (laws.play_ends, but(longest=always(3)), "moves are more than 3"),
    (laws.play_ends, but(ENDINGS=("checkmate",)), "is no ending"),
    (laws.legal_moves_apply, but(legal=any_plan), "is legal, but DM-"),
    (laws.illegal_moves_are_refused, but(legal=one_too_few), "is no clause"),
    (laws.illegal_moves_are_refused, but(CLAUSES={}), "is no clause"),
    (laws.illegal_moves_are_refused, but(why_not=a_lot_on_an_empty_seat), "@3 is not legal"),
    (laws.order_does_not_matter, but(apply=first_come), "the order of"),
    (laws.nature_has_odds, but(odds=unfair_lot), "the weight of @0 is 0"),
    (laws.actions_have_numbers, but(choices=always(ACTIONS)), "is one of nature"),
    (laws.actions_have_numbers, but(choices=always(2 * [mauer.parse("T")])), "two numbers"),
    (laws.actions_have_numbers, but(lots=always(())), "have no number"),
    (laws.alike_moves_leave_alike_tables, but(view=spectator_in_seat_0), "viewer None"),
    (laws.alike_moves_leave_alike_tables, but(seen=wall_by_magic), "sees what"),
    (laws.a_seat_sees_no_more_than_it_was_told, but(view=spectator_in_seat_0), "viewer None"),
    (laws.a_seat_sees_no_more_than_it_was_told, but(seen=wall_by_magic), "can tell this game"),
    (laws.what_is_seen_stays_seen, but(seen=loud_after_the_choice), "was told"),
    (laws.chance_and_secrets_are_news, but(reveals=no_news), "nature chose"),
    (laws.chance_and_secrets_are_news, but(reveals=news_to_two), "it is not so"),
    (laws.chance_and_secrets_are_news, but(reveals=gifts_are_no_news), "is told Given"),
    (laws.no_news_rules_nothing_out, but(reveals=fists_are_no_news), "rules out"),
    (laws.words_are_words, but(write=small_letters), "is not a move"),
    (laws.words_are_words, but(say=nothing), "cannot be said"),
    (laws.values_travel, but(STATES=()), "not among the game's types"),
    (laws.values_travel, but(EVENTS=()), "not among the game's types"),
    (laws.values_travel, but(VIEW=Built), "not among the game's types"),
    (laws.tables_can_be_drawn, but(text=nothing), "nothing to see"),
    (laws.tables_can_be_drawn, but(clause=always("DM 9")), "is no clause"),
    (laws.tables_can_be_drawn, but(svg=nothing), "no element found"),
    (laws.a_seat_sees_no_more_than_it_was_told, but(why_not=loose_talk), "can tell this game"),
    (laws.tables_can_be_drawn, but(ask=nothing), "nothing is asked"),
    (laws.tables_can_be_drawn, but(tell=two_lines), "cannot be told"),
]


@pytest.mark.parametrize(("law", "game", "fault"), BROKEN)
def test_a_broken_game_is_caught(law: laws.Law, game: AnyGame, fault: str) -> None:
    """By the law that is about it, in words that say what is wrong."""
    with pytest.raises((laws.BrokenLawError, ValueError, SyntaxError), match=fault):
        try_it(law, game)


def test_a_broken_law_shows_the_way() -> None:
    """The message ends with the moves that lead to the fault."""
    with pytest.raises(laws.BrokenLawError, match=r"mauer: .*\nafter\nmauer/1 .*\n~:@\d"):
        try_it(laws.alike_moves_leave_alike_tables, but(view=spectator_in_seat_0))


def test_pieces_that_get_lost_are_missed() -> None:
    """`conserves` compares every state with the first."""
    with pytest.raises(laws.BrokenLawError, match="there were 0, now there are 1"):
        try_it(laws.conserves(mauer.turn), mauer)


def test_a_game_that_need_not_end_is_refused() -> None:
    """The laws play games to their end, so there must be one (DM-27)."""
    setup = Setup(3, mauer.Options(stall="off"))
    with pytest.raises(laws.BrokenLawError, match="must end"):
        laws.play_ends(mauer, setup, random.Random(1).randrange)


def turned_cards_stay(state: bb.State, seat: Seat | None) -> bb.View:
    """A view of Burgbaumeister that lists what was turned before."""
    view = bb.view(state, seat)
    if isinstance(state, bb_values.Drawing | bb_values.Spreading):
        return view
    known = enumerate(state.table.numbers)
    lying = tuple(bb_events.Lying(place, bb_values.Card(n)) for place, n in known if n is not None)
    return replace(view, seen=lying)


def test_a_table_that_remembers_is_caught() -> None:
    """By the law for games of memory, and by it alone."""
    members = vars(bb) | {"view": turned_cards_stay}
    leaky = cast("AnyGame", SimpleNamespace(**members))
    with pytest.raises(laws.BrokenLawError, match="told in passing"):
        laws.told_once_is_not_shown_again(leaky, Setup(2, bb.Options()), random.Random(1).randrange)


def marked(game: AnyGame, *kinds: type[Value]) -> AnyGame:
    """A game in which events of these kinds reveal nothing."""
    module = cast("ModuleType", game)
    members = dict(vars(module))

    def reveals(event: Value) -> bool:
        return not isinstance(event, kinds) and game.reveals(event)

    return cast("AnyGame", SimpleNamespace(**members | {"reveals": reveals}))


@pytest.mark.parametrize("kind", [bb_events.Turned, bb_events.Shown])
def test_what_is_told_once_must_be_news(kind: type[Value]) -> None:
    """Else a log could serve it again, once the move is taken back."""
    with pytest.raises(laws.BrokenLawError, match=r"no news"):
        laws.chance_and_secrets_are_news(
            marked(bb, kind), Setup(2, bb.Options()), random.Random(1).randrange
        )


def test_what_is_hidden_again_must_be_news() -> None:
    """Taking back a card's turning back would show it a second time."""
    with pytest.raises(laws.BrokenLawError, match="what was hidden"):
        laws.taking_back_shows_nothing_again(
            marked(bb, bb_events.Left), Setup(2, bb.Options()), random.Random(1).randrange
        )


@pytest.mark.parametrize("kind", [mb_events.Played, mb_events.Discarded, mb_events.Swapped])
def test_a_card_from_a_secret_hand_must_be_news(kind: type[Value]) -> None:
    """It rules out the hands that do not hold it."""
    with pytest.raises(laws.BrokenLawError, match="rules out"):
        try_it(laws.no_news_rules_nothing_out, marked(mb, kind), ISLAND)


def test_lots_that_lie_otherwise_elsewhere_are_noticed() -> None:
    """Drawing again from the same state must give the same order."""
    known: list[mauer.State] = []

    def odds(state: mauer.State) -> Mapping[mauer.Action, int]:
        lots = mauer.odds(state)
        if any(state is each for each in known):
            return lots
        known.append(state)
        return dict(reversed(list(lots.items()))) if len(known) > 1 else lots

    with pytest.raises(laws.BrokenLawError, match="elsewhere"):
        try_it(laws.nature_has_odds, but(odds=odds))
