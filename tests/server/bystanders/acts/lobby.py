"""What is done on the way to a table: names, new tables, finding one, invitations, lessons."""

from typing import Final

from tests.server.bystanders.law import AT_TABLE, CLOCK, LISTED, MET, OWN, SEAT, Act, asks, sends
from tests.server.bystanders.world import GIL, HAL, World
from tests.support.hosts import play

from mauerwerk.core.game import Seat
from mauerwerk.server.features.conditions.service import lines_for
from mauerwerk.server.features.conditions.store import conditions_at
from mauerwerk.server.features.invitations.store import invitations_of
from mauerwerk.server.features.puzzles import service
from mauerwerk.server.tables.charter import SLOW, Chair, Order

CHAIRS: Final = [{"kind": "human"}, {"kind": "open"}, {"kind": "open"}]
PRIVATE: Final = "/t/{table}"


async def whom(world: World) -> str:
    """The word for Fay among the people whom Gil can invite."""
    return world.host.keys.met_token("gil", "fay")


INVITED: Final = sends("Gil", "/t/{table}/people", table="private", person=whom)


async def invitation(world: World) -> str:
    """The invitation that Fay has."""
    (found,) = await invitations_of(world.host.store, "fay")
    return found.id


async def open_the_link(world: World) -> None:
    """Hal has opened the link of a seat."""
    world["Hal"].cookies["mauerwerk-seats-private"] = await world.link("private", 1)


async def code(world: World) -> str:
    """The record of the old game, as a link has it."""
    record = await world.host.record("old")
    return (await world["Hal"].send("/replay", record=record)).header("location").split("/")[2]


async def wait(world: World) -> None:
    """Two minutes pass."""
    world.clock.pass_by(120)


FOR_FUN: Final = {"game-mauer": "1", "clock": "none", "counts": "fun"}
LOOKED: Final = sends("Hal", "/find", **FOR_FUN)


async def table_of_hal(world: World) -> str:
    """The table at which Hal plays with bots until somebody comes."""
    (card, *_) = await world.host.store.tables_of("hal", before=None, most=1)
    return card.id


COMES: Final = asks("Ada", "/api/tables/{table}/search", table=table_of_hal, what="come")


async def over_days(world: World) -> None:
    """Gil and Hal play over days; Gil has turned up a card, and Hal waits."""
    order = Order(
        game="burgbaumeister",
        chairs=(Chair("human"), Chair("human")),
        options={"first": "0"},
        mine=(Seat(0),),
        seconds_per_move=SLOW,
        hints=False,
    )
    table = await world.host.create(order, GIL)
    world.notes["slow"] = table.charter.id
    await world.host.claim(table.charter.id, Seat(1), HAL)
    await play(world.host, table.charter.id, "0:a1")


async def slow(world: World) -> str:
    """That table."""
    return world.notes["slow"]


async def line(world: World) -> str:
    """What Gil may do there."""
    (first, *_) = lines_for(await world.host.table(world.notes["slow"]), Seat(1))
    return first.words


async def prepared(world: World) -> str:
    """What Hal has prepared."""
    (found,) = await conditions_at(world.host.store, world.notes["slow"])
    return found.id


CONDITIONS: Final = "/api/tables/{table}/conditions"
PREPARED: Final = asks("Hal", CONDITIONS, table=slow, line=line, move="c3")

ACTS: Final = (
    Act("prepare a move", PREPARED, first=(over_days,)),
    Act(
        "prepare a move on the page",
        sends("Hal", "/t/{table}/conditions", table=slow, line=line, word="c3"),
        first=(over_days,),
    ),
    Act(
        "prepare a move no longer",
        asks("Hal", f"{CONDITIONS}/drop", table=slow, id=prepared),
        first=(over_days, PREPARED),
    ),
    Act(
        "play with bots until somebody comes",
        LOOKED,
        touches={"somebody: home, running tables": LISTED, "Bob: own home": OWN},
    ),
    Act("come at the next round", COMES, first=(LOOKED,)),
    Act(
        "come on the page",
        sends("Ada", "/t/{table}/search", table=table_of_hal, what="come"),
        first=(LOOKED,),
    ),
    Act(
        "stay away after all",
        asks("Ada", "/api/tables/{table}/search", table=table_of_hal, what="stay-away"),
        first=(LOOKED, COMES),
    ),
    Act(
        "stop looking for people",
        sends("Hal", "/t/{table}/search", table=table_of_hal, what="stop"),
        first=(LOOKED,),
        touches={"somebody: home": LISTED, "Bob: own home": OWN},
    ),
    Act("become a guest", asks("somebody", "/api/guests", name="Ida")),
    Act("have a new token", asks("Fay", "/api/guests/me/token")),
    Act("have another name", sends("Fay", "/settings", name="Faye")),
    Act("have another name on their page", sends("Fay", "/me", name="Faye", mark="3")),
    Act("change preferences", sends("Fay", "/preferences", name="Faye", theme="dark")),
    Act("open a table", asks("Hal", "/api/tables", game="mauer", chairs=CHAIRS, mine=[0])),
    Act(
        "open a table that is listed",
        asks("Hal", "/api/tables", game="mauer", chairs=CHAIRS, mine=[0], public=True),
        touches={"somebody: home, open tables": LISTED, "Bob: own home": OWN},
    ),
    Act("set up a table", sends("Hal", "/new/{game}", game="mauer")),
    Act("fill in the form for a table", sends("Hal", "/new/{game}/draft", game="mauer")),
    Act("play now", sends("Hal", "/play", game="mauer")),
    Act(
        "play on from a puzzle",
        sends("Hal", "/puzzles/{day}/{number}/play", day=str(service.FIRST), number="1"),
    ),
    Act("choose what to play now", sends("Hal", "/play/choice", game="mauer", level="apprentice")),
    Act(
        "find a game",
        asks("Hal", "/api/find", game="mauer"),
        touches={
            "*: open seat 2": SEAT,
            "*: open story, open view": AT_TABLE,
            "Fay: open page": AT_TABLE,
            "Fay, Gil: data, own tables": OWN,
            "somebody: home, open tables": LISTED,
            "Bob: own home": OWN,
        },
        told={"*: open": ("sit 2 Hal",)},
    ),
    Act(
        "find another game",
        asks("Hal", "/api/find", game="mauerbauer"),
        touches={"somebody: home, open tables": LISTED, "Bob: own home": OWN},
    ),
    Act(
        "find a game on the page",
        sends("Hal", "/find", game="mauer"),
        touches={
            "*: open seat 2": SEAT,
            "*: open story, open view": AT_TABLE,
            "Fay: open page": AT_TABLE,
            "Fay, Gil: data, own tables": OWN,
            "somebody: home, open tables": LISTED,
            "Bob: own home": OWN,
        },
        told={"*: open": ("sit 2 Hal",)},
    ),
    Act(
        "find another game on the page",
        sends("Hal", "/find", game="burgbaumeister"),
        touches={"somebody: home, open tables": LISTED, "Bob: own home": OWN},
    ),
    Act(
        "join a table in the list",
        sends("Hal", "/t/{table}/join", table="open"),
        touches={
            "*: open seat 2": SEAT,
            "*: open story, open view": AT_TABLE,
            "Fay: open page": AT_TABLE,
            "Fay, Gil: data, own tables": OWN,
            "somebody: home, open tables": LISTED,
            "Bob: own home": OWN,
        },
        told={"*: open": ("sit 2 Hal",)},
    ),
    Act(
        "start with bots",
        sends("Fay", "/t/{table}/bots", table="open"),
        first=(wait,),
        touches={
            "*: open seat 2, open seat 3": SEAT,
            "*: open story, open view": AT_TABLE,
            "Gil: data, own tables, turns": OWN,
            "somebody: home, open tables, running tables": LISTED,
            "Bob: own home": OWN,
            "Gil, somebody: open clock 0, open clock 1, open clock 2, open clock 3": CLOCK,
        },
        told={"*: open": ("bot 2 journeyman", "bot 3 journeyman", "start")},
    ),
    Act(
        "put a bot on a seat",
        sends("Gil", f"{PRIVATE}/bot", table="private", seat=2),
        touches={"Hal: private seat 2": SEAT, "Hal: private story, private view": AT_TABLE},
        told={"*: private": ("bot 2 journeyman",)},
    ),
    Act(
        "claim a seat on the page",
        sends("Hal", f"{PRIVATE}/claim", table="private", seat=1),
        first=(open_the_link,),
        touches={
            "Gil: data, own tables": OWN,
            "Gil: private page, private story, private view": AT_TABLE,
            "Gil: private seat 1": SEAT,
        },
        told={"*: private": ("sit 1 Hal",)},
    ),
    Act("invite somebody", INVITED, touches={"Fay: data": OWN}),
    Act(
        "decline an invitation",
        sends("Fay", "/invitations/{invitation}", invitation=invitation, answer="no"),
        first=(INVITED,),
        touches={"Gil: data": OWN, "Gil: people to invite": MET},
    ),
    Act(
        "accept an invitation",
        sends("Fay", "/invitations/{invitation}", invitation=invitation, answer="yes"),
        first=(INVITED,),
        touches={
            "*: private seat 2": SEAT,
            "*: private story, private view": AT_TABLE,
            "Gil: data, own tables": OWN,
            "Gil: people to invite": MET,
            "Gil: private page": AT_TABLE,
        },
        told={"*: private": ("sit 2 Fay",)},
    ),
    Act(
        "want no invitations",
        sends("Fay", "/me/invitations", all="none"),
        touches={"Gil: people to invite": MET},
    ),
    Act("play after a lesson", sends("Hal", "/learn/{game}/play", game="mauer")),
    Act(
        "answer in a lesson",
        sends("Hal", "/learn/{game}/{step}", game="mauer", step=1, word="T"),
        status=409,
    ),
    Act("play on a board of one's own", sends("Hal", "/workshop/play", board="default")),
    Act("look at a record", sends("Hal", "/replay", record=lambda world: world.host.record("old"))),
    Act(
        "play on from a position",
        sends("Hal", "/t/{table}/replay/play", table="old", at=1, seat=0, level="journeyman"),
    ),
    Act("have a game analysed", sends("Hal", "/t/{table}/replay/analyse", table="old")),
    Act(
        "play on from a position of a record",
        sends("Hal", "/replay/{code}/play", code=code, at=1, seat=0, level="journeyman"),
    ),
    Act("have a record analysed", sends("Hal", "/replay/{code}/analyse", code=code)),
)
