"""`mauerwerk tui`: one person at this terminal, bots at the other seats."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from math import inf
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Player
from mauerwerk.cli.contests import say_remarks
from mauerwerk.cli.per_game import BOTS_OPTION, any_seed, bots_at, game_command
from mauerwerk.core import record
from mauerwerk.core.errors import NotAWordError, cited
from mauerwerk.core.game import AnyGame, Ephemeral, Observer, Outcome, Seat, Setup, Sight
from mauerwerk.lab.match.match import chance, play

HELP = "Type one of the words (Enter, if there is only one); ? lists them, = shows the table, \
quit leaves."
BOT_NAMES = ("Ada", "Emil", "Jonas", "Lena", "Mira")


class LeftError(Exception):
    """The person has got up from the table."""


class Person:
    """A person at a terminal, who is asked what to do and told what happened, like any bot."""

    def __init__(
        self,
        game: AnyGame,
        names: Sequence[str],
        *,
        why_not: Callable[[Any], str],
        turn: Callable[[], int],
    ) -> None:
        """`why_not` names the clause that forbids the person an action now, `turn` counts on."""
        self._game = game
        self._names = names
        self._why_not = why_not
        self._turn = turn
        self._heard = 0
        self._shown = -1

    def act(self, sight: Sight[Any, Any, Any], _seconds: float, /) -> Any:
        """Tell the news, show the table once a turn, and ask until there is a legal answer."""
        if self._shown < self._turn():
            if any(isinstance(event, Ephemeral) for event in sight.told[: self._heard]):
                _wipe()
            self.hear(sight.told)
            self._show(sight)
            self._shown = self._turn()
        else:
            self.hear(sight.told)
        self._ask(sight)
        while True:
            match self._answer():
                case "" if len(sight.legal) == 1:
                    return sight.legal[0]
                case "":
                    click.echo(HELP)
                case "?":
                    for action in sight.legal:
                        click.echo(f"  {self._game.write(action):>5}  {self._game.say(action)}")
                case "=":
                    self._show(sight)
                    self._ask(sight)
                case "quit":
                    raise LeftError
                case word:
                    if action := self._understand(word, sight.legal):
                        return action

    def _understand(self, word: str, legal: Sequence[Any]) -> Any | None:
        """The legal action that was meant, whatever the case of its letters; else say why not."""
        for action in legal:
            if self._game.write(action).casefold() == word.casefold():
                return action
        try:
            clause = self._why_not(self._parse(word))
        except NotAWordError as fault:
            click.echo(f"{fault}. {HELP}")
        else:
            click.echo(f"Not now: {self._game.CLAUSES[clause]}{cited(clause)}.")
        return None

    def _parse(self, word: str) -> Any:
        """Read a word as it stands, or else in capitals, or else in small letters."""
        for spelling in (word, word.upper(), word.lower()):
            with suppress(NotAWordError):
                return self._game.parse(spelling)
        return self._game.parse(word)

    def hear(self, told: Sequence[Any]) -> None:
        """Tell what has happened since the last time; what happened several times running, once."""
        news = (self._game.tell(event, self._names) for event in told[self._heard :])
        for sentence, same in groupby(news):
            times = len(list(same))
            if sentence:
                click.echo(f"  {sentence}" if times == 1 else f"  {sentence} ({times} times)")
        self._heard = len(told)

    def _show(self, sight: Sight[Any, Any, Any]) -> None:
        click.echo(f"\n{self._game.text(sight.view, self._names)}\n")

    def _ask(self, sight: Sight[Any, Any, Any]) -> None:
        click.echo(self._game.ask(sight.view, self._names))
        words = "  ".join(self._game.write(action) for action in sight.legal)
        click.echo(
            fill(
                words,
                78,
                initial_indent="  ",
                subsequent_indent="  ",
                break_on_hyphens=False,
                break_long_words=False,
            )
        )

    def _answer(self) -> str:
        try:
            return str(click.prompt(">", prompt_suffix=" ", default="", show_default=False)).strip()
        except click.Abort:
            click.echo()
            raise LeftError from None


def _wipe() -> None:
    """Leave nothing on the screen, nor above it: what was told once is not to be read again."""
    if sys.stdout.isatty():
        click.echo("\033[3J", nl=False)
        click.clear()


def sit_down(
    game: AnyGame, setup: Setup[Any], seat: Seat, bots: Sequence[str], seed: int
) -> record.Record:
    """Play a whole game, or until the person leaves; return what was played."""
    names = names_at(setup.seats, seat)
    state: Any = game.start(setup)
    observer = Observer(game, seat)
    moves: list[record.Move] = []
    person = Person(
        game,
        names,
        why_not=lambda action: game.why_not(state, seat, action),
        turn=lambda: game.turn(state),
    )
    players = [
        Player(person, inf)
        if each == seat
        else spec.sit(bot, game, setup, chance(seed, 0, str(each)))
        for each, bot in enumerate(bots)
    ]
    click.echo(f"{game.TITLE}, {setup.seats} players. {HELP}")
    try:
        for move, step in play(game, setup, players, chance(seed, 0, "nature")):
            moves.append(move)
            observer.follow(step)
            state = step.state
    except (LeftError, KeyboardInterrupt):
        click.echo("You left the table; the game is not finished.")
    if outcome := game.outcome(state):
        person.hear(observer.told)
        click.echo(f"\n{game.text(game.view(state, seat), names)}\n")
        click.echo(result(outcome, names))
    return record.Record(game.NAME, game.RULES, setup, tuple(moves))


def names_at(seats: int, own: Seat) -> list[str]:
    """What to call everybody: the person `you`, the others by name."""
    others = iter(BOT_NAMES)
    return ["you" if seat == own else next(others) for seat in range(seats)]


def result(outcome: Outcome, names: Sequence[str]) -> str:
    """The ranking, one line per seat."""
    order = sorted(range(len(names)), key=lambda seat: (outcome.ranks[seat], seat))
    width = max(map(len, names))
    points = outcome.points or ("",) * len(names)
    lines = [
        f"{outcome.ranks[seat]}.  {names[seat]:<{width}}  {points[seat]:>4}".rstrip()
        for seat in order
    ]
    return "\n".join([f"The game is over ({outcome.reason}).", *lines])


@game_command()
@click.option("--seat", type=int, default=1, help="Where you sit; seats count from 1.")
@BOTS_OPTION
@click.option("--seed", type=int, help="Play the same game again.  [default: any]")
@click.option("--record", "file", type=click.Path(), help="Save the game as this new file.")
def tui(
    game: AnyGame, setup: Setup[Any], *, seat: int, bots: str, seed: int | None, file: str | None
) -> None:
    """Play at this terminal against bots.

    Example: mauerwerk tui GAME --seats 4
    """
    if seat - 1 not in range(setup.seats):
        raise click.UsageError(f"--seat can be 1 to {setup.seats}, not {seat}")
    own = Seat(seat - 1)
    names = bots_at(bots, setup.seats)
    others = [name for each, name in enumerate(names) if each != own]
    spec.check(others, game, setup)
    say_remarks(others, game)
    if file is None:
        sit_down(game, setup, own, names, any_seed(seed))
        return
    with Path(file).open("x", encoding="utf-8") as output:
        played = sit_down(game, setup, own, names, any_seed(seed))
        output.write(record.write(game, played))
