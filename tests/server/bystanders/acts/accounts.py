"""What people do about themselves: names, devices, data, notifications, the leaderboard."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from typing import Final

import sqlalchemy as sa
from tests.server.bystanders.law import (
    EVENING,
    FOLLOWED,
    FORGOTTEN,
    GONE,
    LISTED,
    ON_BOARD,
    OWN,
    SEAT,
    THEIRS,
    Act,
    asks,
    sends,
)
from tests.server.bystanders.world import BOB, NOBODY, World

from mauerwerk.server.features.accounts.store import Passkey, add_passkey
from mauerwerk.server.features.notifications.addresses import token_of
from mauerwerk.server.features.notifications.store import PREFERENCES

DEVICE: Final = {
    "endpoint": "https://push.example/bob",
    "key": urlsafe_b64encode(bytes(65)).decode(),
    "auth": urlsafe_b64encode(bytes(16)).decode(),
}
PUSHED: Final = sends("Bob", "/me/notifications/device", **DEVICE)
HOOKED: Final = sends(
    "Bob", "/me/notifications/address", kind="webhook", address="http://127.0.0.1:9/bob"
)
MAILED: Final = sends("Bob", "/me/notifications", pace="now", email=1, address="bob@post.example")


async def code(world: World) -> str:
    """A recovery code of Bob's."""
    await world["Bob"].send("/me/codes")
    found = re.search(r"<code>([^<]+)</code>", (await world["Bob"].get("/me/codes")).text)
    assert found
    return found[1]


async def link(world: World) -> None:
    """Bob has opened a link for another device, and somebody asks to join by it."""
    found = re.search(r"/me/join/([\w-]+)", (await world["Bob"].send("/me/link")).text)
    assert found
    world.notes["link"] = found[1]


async def token(world: World) -> str:
    """That link."""
    return world.notes["link"]


async def asked_code(world: World) -> str:
    """The number that both devices show."""
    page = (await world["Bob"].get("/me")).text
    found = re.search(r'name="code" value="([^"]+)"', page)
    assert found, page
    return found[1]


async def passkey(world: World) -> None:
    """Bob has a passkey."""
    made = Passkey("a passkey", BOB.id, b"key", 0, "Firefox")
    await world.host.store.write("test", lambda each: add_passkey(each, made))


def proof(column: str) -> Callable[[World], Awaitable[str]]:
    """What is in the links of e-mail to Bob."""

    async def read(world: World) -> str:
        wanted = sa.select(PREFERENCES.c[column]).where(PREFERENCES.c.guest == BOB.id)
        return str(await world.host.store.read(lambda each: each.scalar(wanted)))

    return read


AGAIN: Final = {"Bob: wall, castle": ("ended",)}
"""The cookie from before the first recovery codes is invalid: streams begin again with the new."""


async def address(world: World) -> str:
    """What ends the link by which Bob blocks his e-mail address."""
    return await token_of(world.host.store, "bob@post.example")


JOINED: Final = sends(NOBODY, "/me/join/{token}", token=token)
ALLOWED: Final = sends("Bob", "/me/link/answer", allow=1, code=asked_code)

ACTS: Final = (
    Act(
        "have one's data deleted",
        asks("Gil", "/api/guests/me/forget", sure=True),
        touches={
            "*: old seat 2, open seat 1": FORGOTTEN,
            "*: old story, old view, open story, open view": FORGOTTEN,
            "Eve: account, old page, own tables, results": FORGOTTEN,
            "Fay: data, open page, own tables, turns": FORGOTTEN,
            "Hal: own tables, turns": FORGOTTEN,
            "Hal: private *": GONE,
            "somebody: home, open tables": LISTED,
            "Bob: own home": LISTED,
        },
        told={
            "Gil: open": ("ended",),
            "*: private": ("ended",),
            "Fay, somebody: open": ("stand 1",),
        },
    ),
    Act(
        "have one's data deleted in the middle of a game",
        sends("Ada", "/data/forget", sure=1, name="Ada"),
        touches={
            "*: wall page, wall story, wall view": FORGOTTEN,
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
        "have one's data deleted at a late table",
        asks("Dan", "/api/guests/me/forget", sure=True),
        touches={
            "*: castle story, castle view, castle seat 1": FORGOTTEN,
            "Eve: castle page, castle from the beginning": FORGOTTEN,
            "Cleo: houses page, houses story, houses view, houses seat 1": FORGOTTEN,
            "Bob, Cleo: data, own tables": OWN,
            "Cleo: turns": OWN,
            "Cleo: evening": EVENING,
            "Bob: own home": OWN,
            "somebody: home, running tables": LISTED,
            "Eve: account, followed": FOLLOWED,
        },
        told={
            "Dan: castle, houses": ("ended",),
            "Bob: castle": ("bot 1 journeyman",),
            "Cleo: houses": ("bot 1 journeyman",),
        },
    ),
    Act(
        "log out everywhere else",
        sends("Bob", "/me/log-out"),
        touches={"Bob's phone: *": THEIRS},
        told={"Bob, Bob's phone: wall": ("ended",), "Bob: castle": ("ended",)},
    ),
    Act("have recovery codes", sends("Bob", "/me/codes"), told=AGAIN),
    Act(
        "come back by a recovery code",
        sends(NOBODY, "/me/recover", code=code),
        touches={"Bob: data": THEIRS},
        told=AGAIN,
    ),
    Act("sign out a device", sends("Bob", "/me/sign-out", device="none")),
    Act("open a link for a device", sends("Bob", "/me/link")),
    Act("ask to join by it", JOINED, first=(link,), touches={"Bob: data": THEIRS}),
    Act("let a device in", ALLOWED, first=(link, JOINED)),
    Act(
        "be that device",
        sends(NOBODY, "/me/join/{token}/enter", token=token),
        first=(link, JOINED, ALLOWED),
        touches={"Bob: data": THEIRS},
    ),
    Act("begin to make a passkey", sends("Bob", "/me/passkey/options")),
    Act("make a passkey that is none", sends("Bob", "/me/passkey", credential="{}"), status=422),
    Act(
        "remove a passkey",
        sends("Bob", "/me/passkey/remove", passkey="a passkey"),
        first=(passkey,),
    ),
    Act(
        "remove a passkey of somebody else",
        sends("Ada", "/me/passkey/remove", passkey="a passkey"),
        first=(passkey,),
    ),
    Act("begin to sign in", sends(NOBODY, "/me/sign-in/options")),
    Act("sign in without a passkey", sends(NOBODY, "/me/sign-in", credential="{}"), status=403),
    Act(
        "be on the leaderboard",
        sends("Gil", "/leaderboard", listed=1),
        touches={"somebody: ratings": ON_BOARD, "Fay: leaderboard": ON_BOARD},
    ),
    Act(
        "be on the leaderboard no longer",
        sends("Eve", "/leaderboard", listed=0),
        touches={"somebody: ratings": ON_BOARD, "Fay: leaderboard": ON_BOARD},
    ),
    Act("change how one is notified", MAILED),
    Act(
        "confirm an address",
        sends(NOBODY, "/notifications/confirm/{proof}", proof=proof("proof")),
        first=(MAILED,),
        touches={"Bob: data": THEIRS},
    ),
    Act(
        "have no more e-mail",
        sends(NOBODY, "/notifications/stop/{stop}", stop=proof("stop")),
        first=(MAILED,),
        touches={"Bob: data": THEIRS},
    ),
    Act(
        "block one's address",
        sends(NOBODY, "/notifications/not-me/{address}", address=address),
        first=(MAILED,),
        touches={"Bob: data": THEIRS},
    ),
    Act(
        "block an address that nobody entered",
        sends(NOBODY, "/notifications/not-me/{address}", address="none"),
        first=(MAILED,),
        status=404,
    ),
    Act(
        "allow e-mail to one's address again",
        sends(NOBODY, "/notifications/allow/{address}", address=address),
        first=(MAILED,),
    ),
    Act("be notified on a device", PUSHED),
    Act(
        "be notified there no longer",
        sends("Bob", "/me/notifications/device/remove", endpoint=DEVICE["endpoint"]),
        first=(PUSHED,),
    ),
    Act(
        "remove a device of somebody else",
        sends("Ada", "/me/notifications/device/remove", endpoint=DEVICE["endpoint"]),
        first=(PUSHED,),
    ),
    Act("be notified at an address of one's own", HOOKED),
    Act(
        "have a test sent there",
        sends("Bob", "/me/notifications/test", kind="webhook"),
        first=(HOOKED,),
    ),
    Act("be notified later", sends("Bob", "/notifications/snooze"), first=(PUSHED,)),
)
