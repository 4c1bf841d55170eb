#!/usr/bin/env python
"""A server for people who change it: `make dev`.

It is `mauerwerk play` at a fixed address, started again whenever a file in `src` changes: code,
templates, styles or translations. A page that is open connects again by itself; reload it to see a
changed template. Tables are kept in `build/dev`. Ctrl-C stops it.
"""

import shlex
import sys
import time
import webbrowser
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread
from typing import Final

import click
from watchfiles import Change, run_process

ROOT: Final = Path(__file__).parent
SOURCE: Final = ROOT / "src"
HERE: Final = "127.0.0.1"
QUIET_MS: Final = 200
"""Files that are saved together change within this time."""
PATIENCE: Final = 60.0
"""Seconds after which nobody waits for the first start any more."""


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True)
@click.option("--browser/--no-browser", default=True, help="Whether to open the page.")
def main(*, port: int, browser: bool) -> None:
    """Serve the page, and start again whenever the source changes."""
    command = [sys.executable, "-m", "mauerwerk", "play", "--no-browser"]
    command += ["--port", str(port), "--data", str(ROOT / "build" / "dev")]
    if browser:
        Thread(target=open_page, args=[port], daemon=True).start()
    run_process(
        SOURCE,
        target=shlex.join(command),
        target_type="command",
        callback=tell,
        debounce=QUIET_MS,
    )


def tell(changes: set[tuple[Change, str]]) -> None:
    """Say which files changed."""
    names = sorted({str(Path(path).relative_to(SOURCE)) for _, path in changes})
    click.echo(f"changed: {', '.join(names[:3])}{' …' if names[3:] else ''}; starting again")


def open_page(port: int) -> None:
    """Open the page as soon as the server is there."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            with closing(HTTPConnection(HERE, port, timeout=PATIENCE)) as connection:
                connection.request("GET", "/healthz")
                connection.getresponse()
        except (OSError, HTTPException):
            time.sleep(0.2)
        else:
            webbrowser.open(f"http://{HERE}:{port}")
            return


if __name__ == "__main__":
    main()
