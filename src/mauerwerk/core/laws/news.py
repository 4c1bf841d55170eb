"""The laws of news: which moves can be taken back without any viewer having learnt something.

A game marks news by `reveals`. These laws find what it forgot to mark: chance, events that are told
once, and anything by which a viewer could tell two games apart that looked alike before.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from mauerwerk.core.game import NATURE, AnyGame, Chance, Ephemeral, Seat, Setup
from mauerwerk.core.laws.trial import MOST_TWINS, Play, lasting, pick, some


def chance_and_secrets_are_news(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Chance, events told once and events told to some are news, for all who hear of them."""
    play = Play(game, setup, draw)
    while game.to_act(play.state):
        choices = len(game.odds(play.state))
        mover, _, events = play.move()
        news = [game.reveals(event) for event in events]
        play.hold(choices <= 1 or any(news), f"nature chose, and that is no news: {events}")
        for event, is_news in zip(events, news, strict=True):
            passing = isinstance(event, Ephemeral)
            play.hold(is_news or not passing, f"{event} is told once, and is no news")
            in_public = game.seen(event, None)
            for viewer in play.viewers:
                seen = game.seen(event, viewer)
                secret = viewer != mover and seen != in_public
                play.hold(is_news or not secret, f"viewer {viewer} is told {seen}, and no news")
                same = seen is None or game.reveals(seen) == is_news
                play.hold(same, f"{event} is news: {is_news}; as {seen} it is not so")


def no_news_rules_nothing_out(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """A move that reveals nothing must not rule out anything that a viewer held possible.

    The law follows twins of the game: games that look the same to the viewer. Where a player's move
    brings no news, every twin has a move that looks the same, and so does the table after it.
    """
    play = Play(game, setup, draw)
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        mover, action, events = play.move()
        told = play.told(events, viewer)
        news = mover == NATURE or any(map(game.reveals, events))
        born: dict[Any, None] = {}
        for twin in twins:
            legal = game.legal(twin, mover)
            same = [action] if action in legal else []
            after = next(_told_so(play, twin, mover, (*same, *legal), told, viewer), None)
            play.hold(
                news or after is not None,
                f"no news to viewer {viewer}, yet {told} rules out {twin}",
            )
            if after is not None:
                born[after] = None
        stray = pick(twins, draw)
        others = some(game.legal(stray, mover), draw)
        born |= dict.fromkeys(_told_so(play, stray, mover, others, told, viewer))
        for twin in born:
            alike = news or play.table(twin, viewer) == play.table(play.state, viewer)
            play.hold(alike, f"no news, but viewer {viewer} can tell this game from {twin}")
        del born[play.state]
        rest = list(born)
        twins = [play.state, *(pick(rest, draw) for _ in rest[: MOST_TWINS - 1])]


def _told_so(  # noqa: PLR0913, PLR0917 - a move, and how it looks to whom
    play: Play,
    state: Any,  # noqa: ANN401 - the game's own kind
    mover: Seat,
    actions: Sequence[Any],
    told: tuple[Any, ...],
    viewer: Seat | None,
) -> Iterator[Any]:
    """The states after those of these actions that are told to the viewer just so."""
    for action in actions:
        step = play.game.apply(state, mover, action)
        if play.told(step.events, viewer) == told:
            yield step.state


def taking_back_shows_nothing_again(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """What a move without news has hidden stays hidden when the move is taken back.

    Beside the game run its twins, in which other moves were made that differ in nothing but
    `Ephemeral` events. Where the tables look alike after a move without news, they did before it,
    or taking it back would bring to light what had to be remembered.
    """
    play = Play(game, setup, draw)
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        before = play.state
        mover, action, events = play.move()
        news = any(map(game.reveals, events))
        told = lasting(play.told(events, viewer))
        born: dict[Any, None] = {}
        for twin in twins:
            legal = game.legal(twin, mover)
            for other in (*some(legal, draw), *([action] if action in legal else [])):
                if len(born) == MOST_TWINS:
                    break
                step = game.apply(twin, mover, other)
                if lasting(play.told(step.events, viewer)) == told:
                    born[step.state] = None
                    play.hold(
                        news
                        or play.table(step.state, viewer) != play.table(play.state, viewer)
                        or play.table(twin, viewer) == play.table(before, viewer),
                        f"taking back {events} would show viewer {viewer} again what was hidden",
                    )
        twins = list(born) or [play.state]
