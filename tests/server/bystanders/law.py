"""The law of bystanders: whatever somebody does or suffers, all others are left alone.

What every visitor can see is looked at before and after an act, and compared byte for byte: tables
as the API shows them, their story, each seat and each clock, pages, lists, ratings, what is stored
about somebody; and all that open streams tell meanwhile. An act says whom it may touch, and by
which rule. Everything else must be the same, and what it says must be true: a rule that touches
nobody is a mistake in the test.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from msgspec import json
from tests.server.bystanders.world import GUESTS, NOBODY, PHONE, Answer, World

from mauerwerk.server.feature import operations_of
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.registry import FEATURES
from mauerwerk.server.games import WEB_GAMES

WATCHED: Final = {
    "wall": ("Ada", "Bob", "Cleo", "Eve", NOBODY, PHONE),
    "castle": ("Bob", "Dan", "Eve"),
    "houses": ("Cleo", "Dan", "Eve"),
    "open": ("Fay", "Gil", NOBODY),
    "private": ("Gil", "Hal"),
    "old": ("Eve", "Fay"),
}
"""Who looks at which table. Eve is behind at the castle, and sees nothing of the houses."""

PAGES: Final = {
    ("Bob", "wall"),
    ("Eve", "wall"),
    ("Dan", "castle"),
    ("Eve", "castle"),
    ("Cleo", "houses"),
    ("Fay", "open"),
    ("Gil", "private"),
    ("Eve", "old"),
}
"""Who looks at the page of a table, beside what programs see."""

STREAMS: Final = tuple(
    (who, table)
    for table, people in WATCHED.items()
    for who in people
    if table != "old" and (who, table) != ("Eve", "houses")
)
"""Who follows which table."""

PERSONAL: Final = {
    "own tables": "/api/guests/me/tables",
    "turns": "/notifications/waiting",
}
"""What each guest sees of their own."""

LATE: Final = (("Eve", "castle"),)
"""Who follows a table anew at which spectators are behind."""

LISTS: Final = {
    "open tables": (NOBODY, "/api/tables?status=open"),
    "running tables": (NOBODY, "/api/tables?status=running"),
    "home": (NOBODY, "/"),
    "ratings": (NOBODY, "/api/ratings?game=mauer"),
    "results": ("Eve", "/api/guests/me/results"),
    "leaderboard": ("Fay", "/leaderboard"),
    "own home": ("Bob", "/"),
    "account": ("Eve", "/me"),
    "followed": ("Eve", "/api/guests/me/followed"),
    "people to invite": ("Gil", "/t/private/people"),
    "evening": ("Cleo", "/e/friday"),
    "evenings": ("Dan", "/api/evenings"),
    "chat": ("Bob", "/api/tables/castle/chat"),
    "late chat": ("Eve", "/api/tables/castle/chat"),
    "record": ("Fay", "/api/tables/old/record"),
    "watchers": (NOBODY, "/api/tables/wall/watchers"),
    "strange page": ("Gil", "/t/strange"),
    "link": (PHONE, "/api/tables/wall/seats/1/link"),
}
"""What some visitor sees beside tables."""

Seen = Mapping[str, bytes]


async def observed(world: World) -> Seen:
    """What everybody can see now: who sees what, and every byte of it."""
    found: dict[str, bytes] = {}
    for table, people in WATCHED.items():
        for who in people:
            found |= await _table(world, who, table)
    for who in GUESTS:
        for what, path in PERSONAL.items():
            found[f"{who}: {what}"] = (await world[who].get(path)).seen
        stored = await data_of(world.host.store, GUESTS[who].id, who)
        found[f"{who}: data"] = json.encode(stored)
    for what, (who, path) in LISTS.items():
        found[f"{who}: {what}"] = (await world[who].get(path)).seen
    for who, table in LATE:
        path = f"/api/tables/{table}/stream?after=0"
        found[f"{who}: {table} from the beginning"] = await world.told_at_once(path, world[who])
    return found


async def _table(world: World, who: str, table: str) -> Seen:
    """A table as one viewer sees it; each seat and each clock on its own."""
    path = f"/api/tables/{table}"
    at = f"{who}: {table}"
    found = {f"{at} story": (await world[who].get(f"{path}/history")).seen}
    if (who, table) in PAGES:
        found[f"{at} page"] = (await world[who].get(f"/t/{table}")).seen
    answer = await world[who].get(path)
    if answer.status != 200:
        return {**found, f"{at} view": answer.seen}
    view: dict[str, Any] = answer.json
    for seat, each in enumerate(view["seats"]):
        asked = each.pop("asked")
        found[f"{at} seat {seat}"] = json.encode(each)
        each["asked"] = asked
    for seat, each in enumerate(view.pop("times", ())):
        found[f"{at} clock {seat}"] = json.encode(each)
    waiting = [each["asked"] for each in view.pop("seats")]
    return {**found, f"{at} view": json.encode([view, waiting])}


async def listening(world: World) -> None:
    """Have everybody listen at their tables."""
    for who, table in STREAMS:
        chat = "" if table == "wall" else "?chat=true"
        await world.listen(f"{who}: {table}", f"/api/tables/{table}/stream{chat}", world[who])
    await world.listen("Cleo: wall page", "/t/wall/live", world["Cleo"])


def heard(world: World) -> Mapping[str, tuple[str, ...]]:
    """What each stream has told so far."""
    return {name: stream.events for name, stream in world.streams.items()}


# --- Rules ---------------------------------------------------------------------------------------

AT_TABLE: Final = "whoever looks at a table is told what happens there"
SEAT: Final = "it happens to this seat"
CLOCK: Final = "the clock runs for whoever is asked, and stands still for all others"
OWN: Final = "people see how their own tables stand, and what is stored about these"
LISTED: Final = "lists show how public tables stand"
STRANGERS: Final = "who plays at a public table, and whether for themselves, is told to everybody"
FOLLOWED: Final = "whoever follows a game sees how it stands"
EVENING: Final = "whoever takes part in an evening sees how it stands"
MET: Final = (
    "people who have played together can invite each other, unless they want no invitations"
)
THEIRS: Final = "it is done to them"
FORGOTTEN: Final = "whoever is forgotten has no name in what others see of their games"
PRESENT: Final = "whoever looks at a table sees which of its players are there"
ON_BOARD: Final = "the leaderboard names those who joined it"
RENEWED: Final = "a new secret renews cookies and links"
ENDED: Final = "when a game has ended everybody sees all of it"
CALLED: Final = "a guest to whom the host gives another name has it everywhere"
CLOSED: Final = "a server that takes no new tables says so before anybody wants one"
VOIDED: Final = "ratings are those of the games that count"
COUNTED: Final = "a screen is one of the spectators, whom everybody at the table can count"
SCREEN: Final = "players know of a big screen in their room"
GONE: Final = "a deleted table is gone for everybody"

# --- Acts ----------------------------------------------------------------------------------------

Field = Any
"""A value, or what works it out when the time has come."""


class Asked(NamedTuple):
    """A request: who makes it, at which of the server's routes, and what it says."""

    who: str
    route: str
    fields: Mapping[str, Field]
    form: bool = False

    @property
    def covers(self) -> str:
        """The route that is tried."""
        return f"POST {self.route}"

    async def __call__(self, world: World) -> Answer:
        """Make it."""
        given = {
            name: await each(world) if callable(each) else each
            for name, each in self.fields.items()
        }
        path = re.sub(r"{(\w+)}", lambda found: str(given.pop(found[1])), self.route)
        visitor = world[self.who]
        if self.form:
            return await visitor.send(path, **{name: str(each) for name, each in given.items()})
        return await visitor.post(path, **given)


def asks(who: str, route: str, **fields: Field) -> Asked:
    """Somebody asks the API for something; fields that the route has are part of its path."""
    return Asked(who, route, fields)


def sends(who: str, route: str, **fields: Field) -> Asked:
    """Somebody sends a form."""
    return Asked(who, route, fields, form=True)


def number(table: str, seat: int) -> Callable[[World], Awaitable[int]]:
    """How much that seat has been told by then."""
    return lambda world: world.number(table, seat)


class Act(NamedTuple):
    """What somebody does or suffers, whom else it may touch, and by which rule."""

    name: str
    do: Asked | Callable[[World], Awaitable[object]]
    touches: Mapping[str, str] = {}
    """Who else sees what change, and why: `Bob, Cleo: wall view, wall story`; `*` is anything."""

    told: Mapping[str, tuple[str, ...] | None] = {}
    """What streams tell, by their names (None: whatever it is); all others are silent."""

    status: int = 0
    """With what it is answered, where it is refused."""

    first: tuple[Asked | Callable[[World], Awaitable[object]], ...] = ()
    """What happens before, so that it can be done."""


def changes(before: Seen, after: Seen, actor: str) -> dict[str, str]:
    """What has changed for others, and how."""
    return {
        key: _difference(before.get(key, b""), after.get(key, b""))
        for key in {**before, **after}
        if before.get(key) != after.get(key) and not key.startswith(f"{actor}:")
    }


def _difference(before: bytes, after: bytes) -> str:
    at = next(
        (at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        min(len(before), len(after)),
    )
    start = max(0, at - 40)
    return f"{before[start : at + 80]!r} -> {after[start : at + 80]!r}"


def unlawful(act: Act, changed: Mapping[str, str], told: Mapping[str, tuple[str, ...]]) -> str:
    """How an act breaks the law; empty if it does not."""
    faults = [
        f"{key} has changed: {how}"
        for key, how in changed.items()
        if not any(_matches(pattern, key) for pattern in act.touches)
    ]
    faults += [
        f"nothing that {part!r} of {pattern!r} stands for has changed"
        for pattern in act.touches
        for part in _idle(pattern, changed)
    ]
    for stream, events in told.items():
        expected = [said for pattern, said in act.told.items() if _matches(pattern, stream)]
        if expected != [None] and events != (expected[0] if expected else ()):
            faults.append(f"the stream of {stream} told {events}")
    faults += [
        f"there is no stream {pattern!r}"
        for pattern in act.told
        if not any(_matches(pattern, stream) for stream in told)
    ]
    return "\n".join(faults)


def _parts(pattern: str) -> tuple[list[str], list[str]]:
    who, _, what = pattern.partition(": ")
    return who.split(", "), what.split(", ")


def _matches(pattern: str, key: str) -> bool:
    who, _, what = key.partition(": ")
    people, things = _parts(pattern)
    return any(fnmatchcase(who, each) for each in people) and any(
        fnmatchcase(what, each) for each in things
    )


def _idle(pattern: str, changed: Mapping[str, str]) -> list[str]:
    """The parts of a pattern to which nothing corresponds."""
    found = [key.partition(": ")[::2] for key in changed if _matches(pattern, key)]
    people, things = _parts(pattern)
    return [
        *(each for each in people if not any(fnmatchcase(who, each) for who, _ in found)),
        *(each for each in things if not any(fnmatchcase(what, each) for _, what in found)),
    ]


async def broken(act: Act, world: World, before: Seen) -> str:
    """Do it, and compare what everybody else sees and is told: how that breaks the law."""
    for each in act.first:
        prepared = await each(world)
        assert not isinstance(prepared, Answer) or prepared.status < REFUSED, prepared.text
    if act.first:
        await world.settle()
        before = await observed(world)
        world.forget_what_was_told()
    answer = await act.do(world)
    if isinstance(answer, Answer):
        fine = answer.status == act.status if act.status else answer.status < REFUSED
        assert fine, answer.text
    await world.settle()
    told = heard(world)
    return unlawful(act, changes(before, await observed(world), getattr(act.do, "who", "")), told)


# --- Looking -------------------------------------------------------------------------------------

REFUSED: Final = 400

UNSEEN: Final = ("/stream", "/live", "/picture.png", "/game.svg")
"""Streams, at which others see who watches, and pictures, which processes draw."""

FILLED: Final = {
    "seat": "0",
    "game": "mauer",
    "step": "1",
    "evening": "friday",
    "token": "none",
    "code": "none",
    "proof": "none",
    "stop": "none",
    "address": "none",
    "kind": "svg",
    "day": "2026-11-01",
    "number": "1",
}


def pages_to_look_at() -> list[str]:
    """Every page and every list that can be asked for."""
    operations = operations_of(FEATURES.values(), for_hosts=False)
    features = [page for feature in FEATURES.values() for page in feature.pages if page.get]
    own = [page for game in WEB_GAMES.values() for page in game.pages if page.get]
    found = [each.path for each in operations if each.method == "GET"]
    found += [page.path for page in (*features, *own)]
    return [path for path in found if not path.endswith(UNSEEN)]


def filled_in(route: str, table: str) -> str:
    """A path of this route."""
    return re.sub(r"{(\w+)}", lambda found: {**FILLED, "table": table}[found[1]], route)
