"""How long people wait for a notification while other push services do not answer.

python -m bench.slow_push [GUESTS]

Each of these guests has eight devices at services that take messages and never answer: all at one
address, or each at an address of its own. Ten other people have a device each at a service that
answers at once. All of them have to move. Printed is when the others were notified, in seconds
after all turns were due.
"""

import asyncio
import sys
import tempfile
import time
from base64 import urlsafe_b64encode
from itertools import islice

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.support.hosts import opened, set_up

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications.delivery import Push
from mauerwerk.server.features.notifications.schedule import GRACE, NotificationPreferences
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.notifications.store import Device, store_device, store_preferences
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.charter import Guest

OTHERS = 10
DEVICES = 8
"""As many as one person may have."""
PUSHES = Settings(sections=(Push(on=True, contact="mailto:me@walls.example", private=True),))


def said(key: bytes) -> str:
    """Bytes as browsers write them."""
    return urlsafe_b64encode(key).rstrip(b"=").decode()


KEY = said(
    ec.generate_private_key(ec.SECP256R1())
    .public_key()
    .public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
)


class Service:
    """Takes messages; if it is slow, it never answers."""

    def __init__(self, *, slow: bool) -> None:
        """Nothing has come yet."""
        self.slow = slow
        self.came: list[float] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one message."""
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.came.append(time.monotonic())
            if self.slow:
                await reader.read(-1)  # until the server gives up
            else:
                writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def be_asked(host: Host, guests: list[Guest]) -> None:
    """All of these have to move, three at each table."""
    left = iter(guests)
    while three := list(islice(left, 3)):
        filled = [*three, *guests[: 3 - len(three)]]
        table = await set_up(host, filled[0], "hoo", mine=(Seat(0),))
        for seat in (1, 2):
            await host.sit(table, Seat(seat), filled[seat])


async def subscribe(host: Host, guest: Guest, endpoints: list[str]) -> None:
    """Notify a guest at once, at these endpoints."""
    wanted = NotificationPreferences(guest.id, quiet_from=0, quiet_to=0)
    await store_preferences(host.store, wanted, host.now())
    for endpoint in endpoints:
        await store_device(host.store, guest.id, Device(endpoint, KEY, said(bytes(16))), host.now())


async def measure(count: int, *, one_address: bool) -> list[float]:
    """When each of the others was notified, in seconds after it was due."""
    slow, quick = Service(slow=True), Service(slow=False)
    servers = []
    for service in (slow, quick):
        server = await asyncio.start_server(service.serve, "0.0.0.0", 0)  # noqa: S104 - all of 127/8
        service.port = server.sockets[0].getsockname()[1]
        servers.append(server)
    attackers = [Guest(new_id(), f"A{each}") for each in range(count)]
    others = [Guest(new_id(), f"B{each}") for each in range(OTHERS)]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(folder, PUSHES) as host:
            for number, guest in enumerate(attackers):
                addresses = [
                    "127.1.0.1" if one_address else f"127.1.{number + 1}.{device + 1}"
                    for device in range(DEVICES)
                ]
                endpoints = [
                    f"http://{address}:{slow.port}/{number}/{device}"
                    for device, address in enumerate(addresses)
                ]
                await subscribe(host, guest, endpoints)
            for number, guest in enumerate(others):
                await subscribe(host, guest, [f"http://127.2.0.1:{quick.port}/{number}"])
            await be_asked(host, attackers)
            await be_asked(host, others)
            due = time.monotonic() + GRACE / 1_000
            async with asyncio.timeout(900):
                while len(quick.came) < OTHERS:  # noqa: ASYNC110 - it is measured in seconds
                    await asyncio.sleep(0.1)
            found = [came - due for came in quick.came]
            for task in tuple(host.service(Notifications)._sending):  # noqa: SLF001
                task.cancel()
    for server in servers:
        server.close()
    return sorted(found)


async def main() -> None:
    """Measure both attacks, and no attack."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    for what, guests, one_address in (
        ("no attack", 0, True),
        ("one slow address", count, True),
        ("an address for each device", count, False),
    ):
        found = await measure(guests, one_address=one_address)
        first, middle, last = found[0], found[OTHERS // 2], found[-1]
        line = f"{what}: first {first:.0f} s, median {middle:.0f} s, last {last:.0f} s"
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
