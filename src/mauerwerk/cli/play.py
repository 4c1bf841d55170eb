"""`mauerwerk play`: the page in the browser, for this machine only."""

import os
import sys
import webbrowser
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread
from typing import Final

import click

from mauerwerk.server import run as server
from mauerwerk.server.database.errors import InUseError, StorageError
from mauerwerk.server.http import static
from mauerwerk.server.http.settings import Settings

HERE: Final = "127.0.0.1"

ADDRESS: Final = "address"
"""The file beside the tables that says where their server is, as long as it runs."""

ALIVE_SECONDS: Final = 5.0
"""How long a server may take to say that it is alive."""


@click.command("play")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="[default: any free one]")
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    help="Keep tables here.  [default: a folder of yours]",
)
@click.option("--browser/--no-browser", default=True, help="Whether to open the page.")
def play(*, port: int, data: str | None, browser: bool) -> None:
    """Play on a page in your browser, with bots and with the people beside you.

    If it is running already, its page is opened.

    Example: mauerwerk play
    """
    folder = Path(data) if data else own_folder()
    static.check_scripts()
    try:
        waiting = server.listen(HERE, port)
    except OSError as fault:
        raise click.UsageError(f"cannot listen at port {port}: {fault.strerror or fault}") from None
    with waiting:
        address = server.address_of(waiting)

        try:
            table_host = server.host_at(folder)

            def ready() -> None:
                table_host.compile_search()
                (folder / ADDRESS).write_text(address, encoding="utf-8")
                click.echo(f"Mauerwerk is at {address} (Ctrl-C stops it)")
                if browser:
                    # With some browsers this call returns only when they are closed.
                    Thread(target=webbrowser.open, args=[address], daemon=True).start()

            server.serve(table_host, Settings(folder=str(folder), log=False), waiting, ready)
        except InUseError as fault:
            running = running_at(folder)
            if not running:
                raise click.UsageError(str(fault)) from None
            click.echo(f"Mauerwerk is running already, at {running}")
            if browser:
                webbrowser.open(running)
        except StorageError as fault:
            raise click.UsageError(str(fault)) from None
        else:
            (folder / ADDRESS).unlink(missing_ok=True)


def running_at(folder: Path) -> str:
    """Where the server of these tables is; empty where none says that it is alive."""
    try:
        address = (folder / ADDRESS).read_text(encoding="utf-8").strip()
        # Only a page of this machine is opened, whatever else is written there.
        port = int(address.removeprefix(f"http://{HERE}:"))
        with closing(HTTPConnection(HERE, port, timeout=ALIVE_SECONDS)) as connection:
            connection.request("GET", "/healthz")
            return address if connection.getresponse().status == HTTPStatus.OK else ""
    except (OSError, ValueError, OverflowError, HTTPException):
        return ""


def own_folder() -> Path:
    """The folder in which this system keeps the data of a user's programs."""
    try:
        home = Path.home()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        raise click.UsageError("there is no home folder for tables; name one: --data") from None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "mauerwerk"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "mauerwerk"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "mauerwerk"
