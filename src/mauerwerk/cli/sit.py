"""`mauerwerk sit` and `mauerwerk mcp`: a bot or a language model plays a seat by its link."""

import random
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

import click

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Player
from mauerwerk.bots.external import BotFault, ExternalBot, show_faults
from mauerwerk.cli.contests import FAILED, say_remarks
from mauerwerk.client import http, seats, values
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Sight


@click.command("sit")
@click.argument("link")
@click.option("--bot", "word", required=True, help="Any bot: master, package.module:Class, run:…")
@click.option("--name", default="Robo", help="What the bot is called there.")
def sit(link: str, *, word: str, name: str) -> None:
    """Let a bot play a seat at somebody's table, by the link to the seat or to the table.

    Example: mauerwerk sit http://127.0.0.1:8080/t/…/s/2/… --bot my_bots:Thrifty
    """
    spec.read(word)
    try:
        table = seats.table_at(link)
        spec.check([word], table.rules_of, table.setup)
        seat = seats.seat_at(link, name)
        with _handing_over(seat):
            seen = seat.look()
            click.echo(f"{name} has seat {seat.seat + 1} of {seen.game}, {len(seen.seats)} seats")
            say_remarks([word], seen.rules_of)
            last = _played(seat, seen, word)
    except http.ApiError as fault:
        raise click.UsageError(str(fault)) from None
    if last.outcome is None:
        click.echo(f"the game ended without a winner: {last.ended}")
        return
    rank, points = last.outcome.ranks[seat.seat], last.outcome.points
    scored = f", with {points[seat.seat]} points" if points else ""
    click.echo(f"{name} is number {rank} of {len(last.seats)}{scored}")


class _Honest:
    """A bot that plays no moves for a program that has failed."""

    def __init__(self, bot: ExternalBot) -> None:
        self._bot = bot

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:
        """What the program answers. Raises BotFault."""
        try:
            return self._bot.choose(sight, seconds)
        except BotFault as fault:
            self._bot.fault = fault
            raise


@contextmanager
def _handing_over(seat: seats.SeatAtTable) -> Generator[None, None, None]:
    """If the bot stops early, leave the seat to a bot of the server, and say how to come back."""
    try:
        yield
    except (http.ApiError, SetupError, click.exceptions.Exit, KeyboardInterrupt):
        with suppress(http.ApiError):  # the game has not begun, or nobody answers
            seat.away()
            click.echo("a bot of the server plays on in its place", err=True)
        click.echo(f"to come back: mauerwerk sit {seat.link} --bot …", err=True)
        raise


def _played(seat: seats.SeatAtTable, seen: values.TableView, word: str) -> values.TableView:
    """The last table view. Raises Exit if the bot is a program that fails."""
    draw = random.SystemRandom().randrange
    player = spec.sit(word, seen.rules_of, seen.setup, draw)
    if not isinstance(player.bot, ExternalBot):
        return seats.play_seat(seat, player)
    external = player.bot
    try:
        return seats.play_seat(seat, Player(_Honest(external), player.seconds))
    except BotFault:
        show_faults([external])
        raise click.exceptions.Exit(FAILED) from None


# --- A language model -----------------------------------------------------------------------------


@click.command("mcp")
@click.argument("link", envvar="MAUERWERK_LINK")
@click.option("--name", default="Agent", help="What the player is called, if the seat is free.")
def mcp(link: str, *, name: str) -> None:
    """Let a language model play a seat, by the link to the seat or to the table.

    It speaks the Model Context Protocol on stdin and stdout. The link can also be in the
    environment variable MAUERWERK_LINK, where other users of this machine do not see it.

    Example: mauerwerk mcp http://127.0.0.1:8080/t/…/s/2/…
    """
    from mauerwerk.cli import mcp_stdio  # noqa: PLC0415 - imports much that help does not need

    mcp_stdio.play(link, name)
