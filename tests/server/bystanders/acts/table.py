"""What is done at a table: coming and going, playing, taking back, talking, telling the hosts."""

from typing import Final

from tests.server.bystanders.law import (
    AT_TABLE,
    CLOCK,
    FOLLOWED,
    LISTED,
    OWN,
    PRESENT,
    SEAT,
    STRANGERS,
    Act,
    Asked,
    asks,
    number,
    sends,
)
from tests.server.bystanders.world import World

from mauerwerk.server.tables.table import KEPT

API: Final = "/api/tables/{table}"
PAGE: Final = "/t/{table}"

AWAY: Final = asks("Ada", f"{API}/away", table="wall", level="journeyman")
QUESTION: Final = asks("Cleo", f"{API}/undo", table="wall", version=number("wall", 2))
BUILT: Final = asks(
    "Cleo", f"{API}/moves", table="houses", move="b1-d1", version=number("houses", 0)
)
LEFT: Final = asks("Dan", f"{API}/stand", table="castle")
SAID: Final = asks("Bob", f"{API}/chat", table="castle", form="face", content="wow")


async def said(world: World) -> int:
    """The number of the last message that Dan has heard at the castle."""
    heard = await world["Dan"].get("/api/tables/castle/chat")
    return int(heard.json["messages"][-1]["number"])


async def show_token(world: World) -> None:
    """Dan is a program from now on, with the token of his seat at the castle."""
    world["Dan"].token = await world.link("castle", 1)


def over_mcp(tool: str, **given: str | int) -> Asked:
    """Dan's program calls a tool."""
    params = {"name": tool, "arguments": {"table": "castle", **given}}
    return asks("Dan", "/mcp", jsonrpc="2.0", id=1, method="tools/call", params=params)


async def a_while(world: World) -> None:
    """For so long a seat is kept for whoever left it."""
    world.clock.pass_by(KEPT / 1_000)


ACTS: Final = (
    Act("follow a game", asks("Hal", f"{API}/follow", table="wall", follow=True)),
    Act("follow a game on the page", sends("Hal", f"{PAGE}/follow", table="wall", on=1)),
    Act(
        "sit down",
        asks("Hal", f"{API}/sit", table="open", seat=3),
        touches={
            "*: open seat 3": SEAT,
            "*: open story, open view": AT_TABLE,
            "Fay: open page": AT_TABLE,
            "Fay, Gil: data, own tables": OWN,
            "somebody: home, open tables": LISTED,
            "Bob: own home": OWN,
        },
        told={"*: open": ("sit 3 Hal",)},
    ),
    Act(
        "sit down on the page",
        sends("Hal", f"{PAGE}/sit", table="open", seat=3),
        touches={
            "*: open seat 3": SEAT,
            "*: open story, open view": AT_TABLE,
            "Fay: open page": AT_TABLE,
            "Fay, Gil: data, own tables": OWN,
            "somebody: home, open tables": LISTED,
            "Bob: own home": OWN,
        },
        told={"*: open": ("sit 3 Hal",)},
    ),
    Act(
        "claim a seat",
        asks("Hal", f"{API}/claim", table="private", token=lambda world: world.link("private", 1)),
        touches={
            "Gil: data, own tables": OWN,
            "Gil: private page, private story, private view": AT_TABLE,
            "Gil: private seat 1": SEAT,
        },
        told={"*: private": ("sit 1 Hal",)},
    ),
    Act(
        "stand up before the game",
        asks("Fay", f"{API}/stand", table="open"),
        touches={
            "*: open seat 0": SEAT,
            "*: open story, open view": AT_TABLE,
            "Gil: data, own tables": OWN,
            "somebody: home, open tables": LISTED,
            "Bob: own home": OWN,
        },
        told={"Fay: open": ("ended",), "Gil, somebody: open": ("stand 0",)},
    ),
    Act(
        "stand up on the page",
        sends("Ada", f"{PAGE}/stand", table="wall", seat=0),
        touches={
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: data, own tables": OWN,
            "Cleo: turns": OWN,
            "somebody: home, running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "Ada: wall": ("ended",),
            "Bob, Cleo, Eve, somebody, Bob's phone: wall": ("bot 0 journeyman",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "hand over",
        AWAY,
        touches={
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: data, own tables": OWN,
            "somebody: running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "*: wall": ("away 0 journeyman",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "hand over on the page",
        sends("Ada", f"{PAGE}/away", table="wall", seat=0),
        touches={
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: data, own tables": OWN,
            "somebody: running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "*: wall": ("away 0 journeyman",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "hand over at a late table",
        asks("Dan", f"{API}/away", table="castle", level="journeyman"),
        touches={
            "Bob: castle seat 1": SEAT,
            "Bob: castle story, castle view": AT_TABLE,
            "Bob: data, own tables": OWN,
            "somebody: running tables": STRANGERS,
            "Eve: followed": STRANGERS,
        },
        told={"Bob, Dan: castle": ("away 1 journeyman",)},
    ),
    Act(
        "leave a late table",
        LEFT,
        touches={
            "Bob: castle seat 1": SEAT,
            "Bob: castle story, castle view": AT_TABLE,
            "Bob: data, own home, own tables": OWN,
            "Eve: castle page": PRESENT,
            "somebody: home, running tables": STRANGERS,
            "Eve: account, followed": STRANGERS,
        },
        told={"Dan: castle": ("ended",), "Bob: castle": ("bot 1 journeyman",)},
    ),
    Act(
        "take the seat of somebody who left a late table",
        asks("Hal", f"{API}/claim", table="castle", token=lambda world: world.link("castle", 1)),
        first=(LEFT, a_while),
        touches={
            "Bob: castle seat 1": SEAT,
            "Bob: castle story, castle view": AT_TABLE,
            "Bob: own home, own tables": OWN,
            "Bob, Dan: data": OWN,
            "somebody: home, running tables": STRANGERS,
            "Eve: account, followed": STRANGERS,
        },
        told={"Bob: castle": ("sit 1 Hal",)},
    ),
    Act(
        "hand over while one's clock runs",
        asks("Cleo", f"{API}/away", table="wall", level="journeyman"),
        touches={
            "*: wall clock 2": CLOCK,
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 2": SEAT,
            "Ada, Bob: data, own tables": OWN,
            "somebody: running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "*: wall": ("away 2 journeyman",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "come back",
        asks("Ada", f"{API}/back", table="wall"),
        first=(AWAY,),
        touches={
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: own tables": OWN,
            "somebody: running tables": LISTED,
            "Eve: followed": FOLLOWED,
        },
        told={
            "*: wall": ("back 0",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "come back on the page",
        sends("Ada", f"{PAGE}/back", table="wall", seat=0),
        first=(AWAY,),
        touches={
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: own tables": OWN,
            "somebody: running tables": LISTED,
            "Eve: followed": FOLLOWED,
        },
        told={
            "*: wall": ("back 0",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "take a day off",
        asks("Cleo", f"{API}/rest", table="houses"),
        touches={
            "Dan: data, own tables": OWN,
            "Dan: houses clock 0": CLOCK,
            "Dan: houses story, houses view": AT_TABLE,
        },
        told={"*: houses": ("rest 0",)},
    ),
    Act(
        "take a day off on the page",
        sends("Cleo", f"{PAGE}/rest", table="houses", seat=0),
        touches={
            "Dan: data, own tables": OWN,
            "Dan: houses clock 0": CLOCK,
            "Dan: houses story, houses view": AT_TABLE,
        },
        told={"*: houses": ("rest 0",)},
    ),
    Act(
        "move",
        asks("Dan", f"{API}/moves", table="castle", move="+", version=number("castle", 1)),
        touches={
            "*: castle story, castle view": AT_TABLE,
            "Eve: castle from the beginning, castle page": AT_TABLE,
            "Bob: data, own home, own tables, turns": OWN,
        },
        told={
            "Bob, Dan: castle": ("move 1",),
            "Eve: castle": ("move 1", "move -1"),
        },
    ),
    Act(
        "move over MCP",
        over_mcp("play", move="+"),
        first=(show_token,),
        touches={
            "Bob, Eve: castle story, castle view": AT_TABLE,
            "Eve: castle from the beginning, castle page": AT_TABLE,
            "Bob: data, own home, own tables, turns": OWN,
        },
        told={
            "Bob, Dan: castle": ("move 1",),
            "Eve: castle": ("move 1", "move -1"),
        },
    ),
    Act("look over MCP", over_mcp("look", since=0), first=(show_token,)),
    Act("wait over MCP", over_mcp("wait", seconds=0), first=(show_token,)),
    Act("ask why not over MCP", over_mcp("why_not", move="+"), first=(show_token,)),
    Act("play a forbidden move over MCP", over_mcp("play", move="a1"), first=(show_token,)),
    Act(
        "move on the page",
        sends("Cleo", f"{PAGE}/move", table="wall", seat=2, word="4", version=number("wall", 2)),
        touches={
            "*: wall clock 0, wall clock 2": CLOCK,
            "*: wall page, wall story, wall view": AT_TABLE,
            "Ada, Bob: data, own tables": OWN,
            "Ada: turns": OWN,
            "somebody: home, running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={"*: wall": ("move 2",), "Cleo: wall page": ("table",)},
    ),
    Act(
        "enter what was rolled",
        asks("Cleo", f"{API}/chance", table="houses", move="*Wyg", version=number("houses", 0)),
        first=(BUILT,),
        touches={
            "Dan: houses clock 0": CLOCK,
            "Dan: houses story, houses view": AT_TABLE,
            "Dan: own tables": OWN,
        },
        told={"*: houses": ("move -1 Cleo",)},
    ),
    Act(
        "enter what was rolled on the page",
        sends(
            "Cleo",
            f"{PAGE}/chance",
            table="houses",
            scribe=0,
            word="*Wyg",
            version=number("houses", 0),
        ),
        first=(BUILT,),
        touches={
            "Dan: houses clock 0": CLOCK,
            "Dan: houses story, houses view": AT_TABLE,
            "Dan: own tables": OWN,
        },
        told={"*: houses": ("move -1 Cleo",)},
    ),
    Act(
        "ask to take back",
        QUESTION,
        touches={
            "*: wall clock 2": CLOCK,
            "*: wall page, wall story, wall view": AT_TABLE,
            "Ada, Bob: data, own tables": OWN,
            "somebody: running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "*: wall": ("ask 2",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "take back on the page",
        sends("Bob", f"{PAGE}/undo", table="wall", seat=1, version=number("wall", 1)),
        touches={
            "*: wall clock 1": CLOCK,
            "*: wall story, wall view": AT_TABLE,
            "Eve: account, followed": FOLLOWED,
            "Eve: wall page": AT_TABLE,
            "Ada, Cleo: data, own tables": OWN,
            "somebody: home, running tables": LISTED,
        },
        told={
            "*: wall": ("undo 1",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "refuse",
        asks("Ada", f"{API}/consent", table="wall", agree=False),
        first=(QUESTION,),
        touches={
            "*: wall clock 2": CLOCK,
            "*: wall page, wall story, wall view": AT_TABLE,
            "Bob, Cleo: own tables": OWN,
            "Cleo: turns": OWN,
            "somebody: running tables": LISTED,
            "Eve: followed": FOLLOWED,
        },
        told={
            "*: wall": ("refuse 0",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "agree on the page",
        sends("Ada", f"{PAGE}/consent", table="wall", seat=0, agree=1),
        first=(QUESTION,),
        touches={"*: wall page, wall story, wall view": AT_TABLE},
        told={
            "*: wall": ("agree 0",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "end a game by other rules",
        asks("Hal", f"{API}/end", table="strange"),
        touches={"Fay, Gil: data, own tables, turns": OWN, "Gil: strange page": OWN},
    ),
    Act(
        "end a game by other rules on the page",
        sends("Hal", f"{PAGE}/end", table="strange"),
        touches={"Fay, Gil: data, own tables, turns": OWN, "Gil: strange page": OWN},
    ),
    Act(
        "play again",
        asks("Eve", f"{API}/rematch", table="old"),
        touches={"Fay: old story, old view": AT_TABLE, "Fay, Gil: data, own tables, turns": OWN},
    ),
    Act(
        "play again on the page",
        sends("Eve", f"{PAGE}/rematch", table="old"),
        touches={"Fay: old story, old view": AT_TABLE, "Fay, Gil: data, own tables, turns": OWN},
    ),
    Act("report a player", asks("Ada", f"{API}/reports", table="wall", seat=1, about="name")),
    Act("report a player on the page", sends("Ada", f"{PAGE}/report", table="wall", what="name-1")),
    Act("ask for hints", sends("Cleo", f"{PAGE}/hints", table="wall", seat=2)),
    Act(  # no bot knows anything here; what is played otherwise is a move like others
        "have a move chosen",
        sends("Cleo", f"{PAGE}/choose", table="wall", seat=2, version=number("wall", 2)),
        status=422,
    ),
    Act("go on after a moment", sends("Ada", f"{PAGE}/seen", table="wall", seat=0, number=3)),
    Act("have looked", sends("Ada", f"{PAGE}/looked", table="wall")),
    Act("ask for the chances", sends("Eve", f"{PAGE}/chances", table="old")),
    Act(
        "say something",
        SAID,
        touches={"Dan: castle page": AT_TABLE},
        told={"Bob, Dan: castle": ("chat Bob wow",)},
    ),
    Act(
        "say something as a spectator on the page",
        sends("Hal", f"{PAGE}/chat", table="castle", face="wow"),
        touches={"Eve: castle page, late chat": AT_TABLE},
        told={"Eve: castle": ("chat Hal wow",)},
    ),
    Act(
        "report what was said",
        asks("Dan", f"{API}/chat/reports", table="castle", number=said),
        first=(SAID,),
    ),
    Act(
        "report what was said on the page",
        sends("Dan", f"{PAGE}/chat/report", table="castle", number=said),
        first=(SAID,),
    ),
)
