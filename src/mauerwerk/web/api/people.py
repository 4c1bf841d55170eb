"""Operations about what players achieved, and how strong they are."""

from mauerwerk.bots.ratings import rated_levels
from mauerwerk.games import GAMES
from mauerwerk.play.host.rating import shown
from mauerwerk.play.storage.leaderboard import Leader, leaders
from mauerwerk.play.storage.ledger import Ledger
from mauerwerk.play.storage.own_results import OwnResult, Wanted, finished, place_in
from mauerwerk.play.storage.results import Skill
from mauerwerk.web.api import people_messages as messages
from mauerwerk.web.http.call import Call
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import guest_in
from mauerwerk.web.me.leaderboard import told_apart


async def list_ratings(call: Call, ask: messages.BrowseRatings) -> messages.Ratings:
    """The leaderboard of a game: people who joined it, and bots, on one scale."""
    if ask.game not in GAMES:
        raise Fault(404, "there is no such game")

    def read(ledger: Ledger) -> tuple[Leader, ...]:
        return told_apart(leaders(ledger, ask.game), ask.game)

    listed = await call.host.ruler.look(read)
    own = call.caller.guest.id if call.caller.guest else ""
    players = [
        *(_rated(each.name, "", each.skill, each.games, you=each.guest == own) for each in listed),
        *(
            _rated("", level, Skill(*anchor), 0, you=False)
            for level, anchor in rated_levels(ask.game).items()
        ),
    ]
    return messages.Ratings(
        game=ask.game, players=tuple(sorted(players, key=lambda player: -player.low))
    )


def _rated(name: str, level: str, skill: Skill, games: int, *, you: bool) -> messages.RatedPlayer:
    rating = shown(skill)
    return messages.RatedPlayer(
        name=name,
        level=level,
        rating=rating.mean,
        low=rating.low or 0.0,
        high=rating.high or 0.0,
        games=games,
        you=you,
    )


async def list_results(call: Call, ask: messages.BrowseResults) -> messages.Results:
    """Your finished games, newest first."""
    guest = guest_in(call.caller)
    wanted = Wanted(game=ask.game, before=place_in(ask.before))

    def read(ledger: Ledger) -> tuple[tuple[OwnResult, ...], int]:
        return finished(ledger, guest.id, wanted, ask.most + 1)

    found, total = await call.host.ruler.look(read)
    page = found[: ask.most]
    return messages.Results(
        results=tuple(
            messages.Result(
                table=each.table,
                game=each.game,
                ended=each.ended,
                seats=each.seats,
                own=tuple(each.own),
                place=each.place,
                points=each.points,
                rated=each.rated,
                names=each.card.names if each.card else (),
            )
            for each in page
        ),
        total=total,
        next=f"{page[-1].ended}-{page[-1].table}" if len(found) > len(page) else "",
    )
