"""The seats that `mauerwerk mcp` has taken: a client that starts it again has its seat again.

A link to a seat that nobody has works once: then the seat has a new one. It is kept in a file that
only this user can read, named by a digest of the link that was given.
"""

import hashlib
import os
from pathlib import Path
from typing import Final

import click

from mauerwerk.client import ApiError, SeatAtTable, seat_at

FORBIDDEN: Final = 403


def take(link: str, name: str) -> SeatAtTable:
    """The seat that this link has led to before, or now. Raises SetupError or ApiError."""
    path = _file_of(link)
    try:
        return seat_at(path.read_text(), name)
    except (OSError, ValueError):
        pass  # there is none, or it is not a link
    except ApiError as fault:
        if fault.status != FORBIDDEN:
            raise
    seat = seat_at(link, name)
    site, _, _ = link.partition("/t/")
    own = f"{site}/t/{seat.table}/s/{seat.seat}/{seat.token}"
    if own != link:
        _keep(path, own)
    return seat


def _keep(path: Path, own: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(own)
    except OSError as fault:
        click.echo(f"when it is started again, it will not find its seat: {fault}", err=True)


def _file_of(link: str) -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "mauerwerk" / "seats" / hashlib.sha256(link.encode()).hexdigest()
