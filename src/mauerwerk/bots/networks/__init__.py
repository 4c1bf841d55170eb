"""The networks that come with the program: a file for each game that has one, with its card."""

from importlib.resources import files
from pathlib import Path

from mauerwerk.core.game import AnyGame


def shipped(game: AnyGame) -> Path | None:
    """The file of a game's own network, if there is one."""
    path = Path(str(files(__name__) / f"{game.NAME}.safetensors"))
    return path if path.is_file() else None
