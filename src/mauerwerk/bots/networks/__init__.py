"""The networks that come with the program: for some games a file, with its card."""

from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame


def shipped(game: AnyGame) -> Path | None:
    """The file of a game's own network, if there is one."""
    path = Path(str(files(__name__) / f"{game.NAME}.safetensors"))
    return path if path.is_file() else None


def file_of(name: str, game: AnyGame) -> Path:
    """The file of this name or, without one, of the game's own network. Raises SetupError."""
    path = Path(name) if name else shipped(game)
    if path is None:
        raise SetupError(f"there is no network for {game.NAME}; name one by its file: net:FILE")
    return path


def card(game: AnyGame) -> Mapping[str, str]:
    """What the game's own network says about itself; nothing if there is none."""
    path = shipped(game)
    if path is None or find_spec("numpy") is None:
        return {}
    from mauerwerk.kernels.networks.network import load  # noqa: PLC0415 - needs NumPy

    return load(path).card
