"""The games on the command line: a sub-command for each, with its options; and `games`."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from mauerwerk.bots import networks, spec
from mauerwerk.cli.common import AS_JSON, print_json, text_of
from mauerwerk.core import options
from mauerwerk.core.game import AnyGame, Setup, shown
from mauerwerk.core.language import listed
from mauerwerk.games import GAMES

Body = Callable[..., None]
FILE_ENDINGS: Final = (".json", ".toml")
"""A word that ends like this is a file, whether it exists or not."""


class GameGroup(click.Group):
    """A command with a sub-command for each game there is when it is run."""

    def __init__(self, body: Body, *, seats_by_bots: bool) -> None:
        """`body` does it; its docstring is the help."""
        super().__init__(body.__name__, help=body.__doc__)
        self.body = body
        self.seats_by_bots = seats_by_bots

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all games."""
        del ctx
        return sorted(GAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The sub-command for a game. Raises UsageError where there is no such game."""
        del ctx
        if (game := GAMES.get(cmd_name)) is None:
            if cmd_name in GAMES.faults:
                raise GAMES.faults[cmd_name]
            known = listed(list(GAMES))
            raise click.UsageError(f"there is no game {shown(cmd_name)}, only {known}")
        return _command_for(game, self.body, self.help or "", seats_by_bots=self.seats_by_bots)


def game_command(*, seats_by_bots: bool = False) -> Callable[[Body], GameGroup]:
    """Make a command of a function of game and setup; `seats_by_bots`: as many seats as bots."""
    return partial(GameGroup, seats_by_bots=seats_by_bots)


def _command_for(game: AnyGame, body: Body, about: str, *, seats_by_bots: bool) -> click.Command:
    described = options.described(game.OPTIONS)

    def run(*, seats: int | None, **given: Any) -> None:
        bots: str = given.get("bots", "")
        chosen = {option.name: given.pop(option.name) for option in described}
        words = {
            name: option_word(game, name, word) for name, word in chosen.items() if word is not None
        }
        players = bots.count(",") + 1 if seats is None else seats
        setup = Setup(players, options.from_words(game.OPTIONS, words))
        game.start(setup)
        body(game, setup, **given)

    default = None if seats_by_bots else game.SEATS[:2][-1]
    seats = f"How many play: {game.SEATS[0]} to {game.SEATS[-1]}."
    own: list[click.Parameter] = [
        click.Option(
            ["--seats"],
            type=int,
            default=default,
            show_default=default is not None,
            help=f"{seats}  [default: one per bot]" if seats_by_bots else seats,
        )
    ]
    for option in described:
        about_option = f"{takes(game, option)}  [default: {option.default}]"
        own.append(click.Option([flag(option), option.name], metavar="WORD", help=about_option))
    example = about.replace(" GAME ", f" {game.NAME} ")
    shared: list[click.Parameter] = getattr(body, "__click_params__", [])
    return click.Command(
        game.NAME, callback=run, params=[*own, *reversed(shared)], help=f"{game.TITLE}. {example}"
    )


def flag(option: options.Option) -> str:
    """The name of an option on a command line."""
    return f"--{option.name.replace('_', '-')}"


def takes(game: AnyGame, option: options.Option) -> str:
    """The meaning of an option, and what can be given."""
    or_a_file = ", or a file" if option.name in game.FILES else ""
    return f"{option.meaning}: {option.allowed}{or_a_file}"


def option_word(game: AnyGame, option: str, word: str) -> str:
    """The word of an option, read from a file where it takes one and this looks like one."""
    path = Path(word)
    if option not in game.FILES or not (path.is_file() or path.suffix in FILE_ENDINGS):
        return word
    text = text_of(path.read_bytes(), word)
    made = game.FILES[option](text)
    with suppress(msgspec.MsgspecError):
        if title := msgspec.toml.decode(text, type=_Titled).title:
            titles()[made] = title
    return made


_TITLES: Final = f"{__name__}.titles"


def titles() -> dict[str, str]:
    """What the files given to this command call themselves, by the words made from them."""
    context = click.get_current_context(silent=True)
    given: dict[str, str] = {} if context is None else context.meta.setdefault(_TITLES, {})
    return given


class _Titled(msgspec.Struct):
    """A file of options in TOML, which may have a title."""

    title: str | None = None


BOTS_OPTION = click.option(
    "--bots",
    default="uniform",
    help=f"One name for all seats, or one per seat, separated by commas: {', '.join(spec.NAMES)}; "
    "a time to think after a colon, like uniform:0.2s; a memory, like greedy:memory=apprentice; "
    "a trained network by its file, net:FILE, or the game's own, net.",
)


def bots_at(words: str, seats: int) -> list[str]:
    """The name of a bot for each seat."""
    names = words.split(",")
    for name in names:
        spec.read(name)
    if len(names) not in {1, seats}:
        raise click.UsageError(f"name one bot for all or one for each of {seats} seats")
    return names * seats if len(names) == 1 else names


def any_seed(seed: int | None) -> int:
    """This seed, or a random one."""
    return secrets.randbits(64) if seed is None else seed


@click.command("games")
@AS_JSON
def games(*, as_json: bool) -> None:
    """List the games and their options.

    Example: mauerwerk games --json
    """
    if as_json:
        print_json([_described(game) for game in GAMES.values()])
        return
    for game in GAMES.values():
        seats = f"{game.SEATS[0]} to {game.SEATS[-1]} seats"
        click.echo(f"{game.NAME}: {game.TITLE}, {seats}, revision {game.RULES} of the rules")
        for option in options.described(game.OPTIONS):
            click.echo(f"  {flag(option):<13} {takes(game, option)}; default {option.default}")
        for name, said in networks.card(game).items():
            click.echo(f"  network: {name:<12} {said}")


def _described(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.NAME,
        "title": game.TITLE,
        "rules": game.RULES,
        "seats": list(game.SEATS),
        "options": options.described(game.OPTIONS),
        "network": networks.card(game),
    }
