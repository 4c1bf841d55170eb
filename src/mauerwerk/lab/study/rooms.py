"""What a study counts and shows of each game: what all games have, and what a room adds."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Protocol

from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup, Step
from mauerwerk.core.language import ENGLISH, Language, capital
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.games import GAMES
from mauerwerk.lab.study import burgbaumeister, figures, mauer, mauerbauer, tally
from mauerwerk.lab.study.figures import Distribution, Mean, Part, Quantile, Row, Section, Within


class Count(Protocol):
    """Counts in one game as it is played; by default nothing."""

    def see(self, before: Any, step: Step[Any, Any], /) -> None:  # noqa: ANN401 - the game's own
        """Count the next move."""
        del before, step

    def row(self, _over: Any, _outcome: Outcome, /) -> tally.Row:  # noqa: ANN401 - the game's own
        """The game's own columns, once the game is over."""
        return {}


class _NoCount(Count):
    pass


class StudyRoom(Protocol):
    """What is counted and shown of a game, in addition to what is of all of them.

    The defaults are those of a game without a room. A room may also have a function `pictured`, see
    below.
    """

    @property
    def CLAUSES(self) -> Mapping[str, str]:
        """The clauses that are counted, and what happens when one applies.

        Their columns, such as `clause/DM-14`, come after the room's own.
        """
        return {}

    @property
    def MEANINGS(self) -> Mapping[str, str]:
        """What the stems of its own columns mean."""
        return {}

    @property
    def ENDINGS(self) -> Mapping[str, str]:
        """A phrase for each of the game's endings."""
        return {}

    @property
    def ENDINGS_NOTE(self) -> str:
        """What readers should know about the endings; may be empty."""
        return ""

    def began(self, _state: Any, seat: Seat, /) -> Seat:  # noqa: ANN401 - the game's own
        """The seat that begins the game, in the first state in which a seat decides: this one."""
        return seat

    def Count(self, _setup: Setup[Any], /) -> Count:
        """A new count, for one game."""
        return _NoCount()

    def columns(self, _setup: Setup[Any], /) -> tuple[str, ...]:
        """Its own columns, in their order."""
        return ()

    def sections(self, _setup: Setup[Any], _language: Language, /) -> tuple[figures.Chapter, ...]:
        """Its own sections, in their order."""
        return ()


class _NoRoom(StudyRoom):
    pass


ROOMS: Final = Registry[StudyRoom](
    "mauerwerk.studies",
    {
        "mauer": mauer,
        "burgbaumeister": burgbaumeister,
        "mauerbauer": mauerbauer,
    },
    fault=lambda _name, room: lacking(room, StudyRoom, "study room"),
)
"""The study room of every game that has one, by the game's word."""


def room_of(game: AnyGame) -> StudyRoom:
    """The game's own room, or one that adds nothing."""
    return ROOMS.get(game.NAME, _NoRoom())


def columns_of(game: AnyGame, setup: Setup[Any]) -> tuple[str, ...]:
    """All columns of such a game, in their order."""
    room = room_of(game)
    return (
        *tally.common_columns(setup.seats, game.ENDINGS),
        *room.columns(setup),
        *(f"clause/{clause}" for clause in room.CLAUSES),
    )


def figures_of(game: str, setup: Setup[Any]) -> Iterator[figures.Figure]:
    """All figures that a study of this game shows."""
    for chapter in sections(game, setup):
        if isinstance(chapter, Section):
            yield from (figure for row in chapter.rows for figure in row.figures)


@lru_cache
def pairs_of(game: str, setup: Setup[Any]) -> tuple[tally.Pair, ...]:
    """The columns of which one is divided by the other in some figure."""
    asked = (
        (each.above, each.below)
        for each in figures_of(game, setup)
        if isinstance(each, figures.Quotient | figures.Rate)
    )
    return tuple(dict.fromkeys(asked))


def pictured(game: AnyGame, setup: Setup[Any], language: Language) -> tuple[str, str, str] | None:
    """Word, title and drawing of what is played on, if it is not the printed one; None without."""
    draw = getattr(room_of(game), "pictured", None)
    drawn: tuple[str, str, str] | None = None if draw is None else draw(setup, language)
    return drawn


def sections(
    game: str, setup: Setup[Any], language: Language = ENGLISH
) -> tuple[figures.Chapter, ...]:
    """All that a study of this game shows, in this language."""
    rules, room, seats = GAMES[game], room_of(GAMES[game]), range(setup.seats)
    phrases = {reason: language(phrase) for reason, phrase in room.ENDINGS.items()}

    def length(column: str) -> tuple[Mean | Quantile, ...]:
        return (Mean(column), *(Quantile(column, part) for part in (0.05, 0.5, 0.95)))

    return (
        Section(
            name="seats",
            title=language("Seats"),
            note=language(
                "If it made no difference where one sits, every seat would win equally often. "
                "A win that is shared counts in parts."
            ),
            heads=(language("wins"), language("mean rank"), language("points"), language("moves")),
            rows=tuple(
                Row(
                    language("seat {number}", number=seat + 1),
                    (
                        Part(f"win/{seat}", tally.WIN),
                        *(Mean(f"{stem}/{seat}") for stem in ("rank", "points", "decisions")),
                    ),
                )
                for seat in seats
            ),
            even=1 / setup.seats,
        ),
        Section(
            name="order",
            title=language("Order of play"),
            note=language(
                "The same wins, counted from the player who began. If the first player is drawn, "
                "only this shows whether it is good to begin."
            ),
            heads=(language("wins"), language("points")),
            rows=tuple(
                Row(
                    language("position {number}", number=turn + 1) if turn else language("begins"),
                    (Part(f"win-by-turn/{turn}", tally.WIN), Mean(f"points-by-turn/{turn}")),
                )
                for turn in seats
            ),
            even=1 / setup.seats,
        ),
        Distribution(
            name="turns",
            title=language("Turns of a game"),
            note=language("How many games took how many complete turns."),
            column="turns",
            axis=language("turns"),
        ),
        Section(
            name="length",
            title=language("Length"),
            note=language("Moves are single decisions, those of nature included."),
            heads=(
                language("mean"),
                language("5 in 100 are at most"),
                language("half are at most"),
                language("95 in 100 are at most"),
            ),
            rows=(Row(language("turns"), length("turns")), Row(language("moves"), length("moves"))),
            drawn=(),
        ),
        Section(
            name="endings",
            title=language("How games end"),
            note=language(room.ENDINGS_NOTE) if room.ENDINGS_NOTE else "",
            heads=(language("games"),),
            rows=tuple(
                Row(capital(phrases.get(reason, reason)), (Part(f"reason/{reason}"),))
                for reason in rules.ENDINGS
            ),
        ),
        Distribution(
            name="gap",
            title=language("Between the first and the second"),
            note=language("How many points were between them at the end."),
            column="gap",
            axis=language("points"),
        ),
        Section(
            name="closeness",
            title=language("How close it was"),
            heads=(language("games"),),
            rows=(
                Row(language("The win is shared"), (Part("shared"),)),
                Row(language("First and second have equal points"), (Within("gap", 0),)),
                *(
                    Row(
                        language("At most {number} points between first and second", number=most),
                        (Within("gap", most),),
                    )
                    for most in (3, 10)
                ),
            ),
            drawn=(),
        ),
        Section(
            name="margins",
            title=language("Points between them"),
            heads=(
                language("mean"),
                language("half are at most"),
                language("95 in 100 are at most"),
            ),
            rows=tuple(
                Row(label, (Mean(column), Quantile(column, 0.5), Quantile(column, 0.95)))
                for label, column in (
                    (language("First and second"), "gap"),
                    (language("First and last"), "spread"),
                )
            ),
            drawn=(),
        ),
        *room.sections(setup, language),
    )
