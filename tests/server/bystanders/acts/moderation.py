"""What those who run the server decide."""

from typing import Final

from tests.server.bystanders.law import (
    AT_TABLE,
    CALLED,
    CLOCK,
    CLOSED,
    ENDED,
    FOLLOWED,
    GONE,
    LISTED,
    MET,
    OWN,
    PRESENT,
    RENEWED,
    SEAT,
    STRANGERS,
    THEIRS,
    VOIDED,
    Act,
    asks,
    sends,
)
from tests.server.bystanders.world import ADMIN as TOKEN
from tests.server.bystanders.world import BROWSER, HOST, World

ADMIN: Final = "/api/admin"

BLOCKED: Final = asks(HOST, f"{ADMIN}/blocks", kind="guest", what="ada")
REPORTED: Final = asks("Ada", "/api/tables/{table}/reports", table="wall", seat=1, about="name")
SIGNED_IN: Final = sends(BROWSER, "/admin/sign-in", token=TOKEN)


async def report(world: World) -> str:
    """The report that Ada made."""
    (found,) = (await world[HOST].get(f"{ADMIN}/reports")).json["reports"]
    return str(found["id"])


ACTS: Final = (
    Act(
        "end a game",
        asks(HOST, f"{ADMIN}/tables/{{table}}/end", table="wall"),
        touches={
            "*: wall clock 2": CLOCK,
            "*: wall page, wall story, wall view": AT_TABLE,
            "Ada, Bob, Cleo: data, own tables": OWN,
            "Cleo: turns": OWN,
            "somebody: home, running tables": LISTED,
            "Bob: own home": OWN,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "*: wall": ("end host",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "delete a table",
        asks(HOST, f"{ADMIN}/tables/{{table}}/delete", table="castle"),
        touches={
            "*: castle *": GONE,
            "Bob, Dan: own tables, data": GONE,
            "Eve: data, account, followed": GONE,
            "Dan: turns": GONE,
            "somebody: home, running tables": GONE,
            "Bob: own home": GONE,
        },
        told={
            "Bob, Dan: castle": ("end host",),
            "Eve: castle": ("move 1", "move -1", "end host"),
        },
    ),
    Act(
        "delete an old table",
        asks(HOST, f"{ADMIN}/tables/{{table}}/delete", table="old"),
        touches={
            "*: old *": GONE,
            "Eve, Fay, Gil: data, own tables": GONE,
            "Eve: account, results": GONE,
            "Gil: people to invite": MET,
            "Fay: record": GONE,
        },
    ),
    Act(
        "block a guest",
        BLOCKED,
        touches={
            "Ada: *": THEIRS,
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: data, own tables": OWN,
            "Bob: own home": OWN,
            "somebody: running tables": LISTED,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "Ada: wall": ("ended",),
            "Bob, Cleo, Eve, somebody, Bob's phone: wall": ("away 0 journeyman",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "block a guest who waits",
        asks(HOST, f"{ADMIN}/blocks", kind="guest", what="gil"),
        touches={
            "Gil: *": THEIRS,
            "*: open story, open view, private story, private view, open page": AT_TABLE,
            "*: open seat 1, private seat 0": SEAT,
            "Fay: data, own tables": OWN,
            "Bob: own home": LISTED,
            "somebody: home, open tables": LISTED,
        },
        told={
            "Fay, somebody: open": ("stand 1",),
            "Gil: open": ("ended",),
            "Gil: private": ("ended",),
            "Hal: private": ("stand 0",),
        },
    ),
    Act(
        "block a guest at a late table",
        asks(HOST, f"{ADMIN}/blocks", kind="guest", what="dan"),
        touches={
            "Dan: *": THEIRS,
            "Bob: castle story, castle view": AT_TABLE,
            "Cleo: houses page, houses story, houses view": AT_TABLE,
            "Bob, Cleo: castle seat 1, houses seat 1": SEAT,
            "Bob, Cleo: data, own tables": OWN,
            "Eve: castle page": PRESENT,
            "somebody: running tables": STRANGERS,
            "Eve: followed": STRANGERS,
        },
        told={
            "Dan: *": None,  # which ends, perhaps after a last word
            "Bob: castle": ("away 1 journeyman",),
            "Cleo: houses": ("away 1 journeyman",),
        },
    ),
    Act(
        "block a network",
        asks(HOST, f"{ADMIN}/blocks", kind="network", what="192.0.2.1"),
        touches={"Bob: *": THEIRS},
        told={"Bob: wall": ("ended",), "Bob: castle": ("ended",)},
    ),
    Act(
        "lift a block",
        asks(HOST, f"{ADMIN}/blocks/lift", kind="guest", what="ada"),
        first=(BLOCKED,),
        touches={"Ada: *": THEIRS},
    ),
    Act(
        "log a guest out",
        asks(HOST, f"{ADMIN}/guests/{{guest}}/log-out", guest="bob"),
        touches={"Bob, Bob's phone: *": THEIRS},
        told={"Bob, Bob's phone: wall": ("ended",), "Bob: castle": ("ended",)},
    ),
    Act(
        "rename a guest",
        asks(HOST, f"{ADMIN}/guests/{{guest}}/rename", guest="dan", name="Mason"),
        touches={
            "*: castle page, castle story, castle view, castle seat 1, houses seat 1": CALLED,
            "Cleo, Dan: houses story, houses view": CALLED,
            "Cleo: evening, houses page, turns": CALLED,
            "Bob, Cleo, Dan: data, own tables": CALLED,
            "somebody: home, running tables": CALLED,
            "Bob: own home": CALLED,
            "Eve: account, followed, castle from the beginning": CALLED,
        },
        told={"Bob, Dan: castle": ("rename 1 Mason",), "*: houses": ("rename 1 Mason",)},
    ),
    Act(
        "close",
        asks(HOST, f"{ADMIN}/close"),
        touches={"somebody: home": CLOSED, "Bob: own home": CLOSED},
    ),
    Act(
        "reopen",
        asks(HOST, f"{ADMIN}/reopen"),
        first=(asks(HOST, f"{ADMIN}/close"),),
        touches={"somebody: home": CLOSED, "Bob: own home": CLOSED},
    ),
    Act(
        "replace the secret",
        asks(HOST, f"{ADMIN}/secret", grace_days=14),
        touches={
            "*: castle page, wall page": RENEWED,
            "Cleo: evening, houses page": RENEWED,
            "Fay: leaderboard, open page": RENEWED,
            "Gil: people to invite, private page, strange page": RENEWED,
            "Eve: account, old page": RENEWED,
            "Bob: own home": RENEWED,
            "Bob's phone: link": RENEWED,
        },
    ),
    Act(
        "deal with a report",
        asks(HOST, f"{ADMIN}/reports/{{report}}/resolve", report=report),
        first=(REPORTED,),
        touches={"Ada: data": THEIRS},
    ),
    Act("sign in as a host", SIGNED_IN),
    Act("sign out as a host", sends(BROWSER, "/admin/sign-out"), first=(SIGNED_IN,)),
    Act(
        "block a guest on the page",
        sends(BROWSER, "/admin/do", do="block", kind="guest", what="ada"),
        first=(SIGNED_IN,),
        touches={
            "Ada: *": THEIRS,
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 0": SEAT,
            "Bob, Cleo: data, own tables": OWN,
            "Bob: own home": OWN,
            "somebody: running tables": LISTED,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "Ada: wall": ("ended",),
            "Bob, Cleo, Eve, somebody, Bob's phone: wall": ("away 0 journeyman",),
            "Cleo: wall page": ("table", "say"),
        },
    ),
    Act(
        "take a game out of the ratings",
        asks(HOST, f"{ADMIN}/tables/{{table}}/void", table="old"),
        touches={
            "Eve, Fay, Gil: data": VOIDED,
            "Eve: account, results": VOIDED,
            "somebody: ratings": VOIDED,
            "Fay: leaderboard": VOIDED,
        },
    ),
    Act(
        "end a game on the page",
        sends(BROWSER, "/admin/do", do="end", table="houses"),
        first=(SIGNED_IN,),
        touches={
            "*: houses story, houses view": AT_TABLE,
            "Cleo: houses page": AT_TABLE,
            "*: houses clock 0": CLOCK,
            "Eve: houses *": ENDED,
            "Cleo, Dan: data, own tables": OWN,
            "Cleo: turns": OWN,
        },
        told={"*: houses": ("end host",)},
    ),
)
