"""`mauerwerk mcp`: a language model plays a seat, over the Model Context Protocol."""

import click


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
