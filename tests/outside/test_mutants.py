"""Games that other people wrote, each with one thing wrong: a law finds it, and says where."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from tests.cli.asking import refused
from tests.outside import goofspiel, liars
from tests.outside.goofspiel import GOOFSPIEL, Goofspiel
from tests.outside.liars import LIARS, LiarsDice
from tests.support.amounts import amount

from mauerwerk.cli import commands
from mauerwerk.core import laws
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Step
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.core.observation import Observation, ObservationSpec, Part
from mauerwerk.games import GAMES
from mauerwerk.lab.check import broken_laws, who_is_told

FEW_DICE: Final = Setup(3, liars.Options(dice=2))
FEW_CARDS: Final = Setup(3, goofspiel.Options(cards=4))


@pytest.mark.parametrize(
    ("game", "setup"), [(LIARS, FEW_DICE), (GOOFSPIEL, FEW_CARDS)], ids=["liars", "goofspiel"]
)
@pytest.mark.parametrize("law", laws.LAWS)
def test_the_games_keep_all_laws(game: AnyGame, setup: Setup[Any], law: laws.Law) -> None:
    assert not list(broken_laws(game, setup, range(amount(1, 4, 100)), [law]))


class BidsAreOpen(Goofspiel):
    """Every card is told to everybody at once."""

    def seen(self, event: goofspiel.Event, seat: Seat | None, /) -> goofspiel.Event | None:
        """Otherwise than it should."""
        del seat
        return event


class OwnDiceMissing(LiarsDice):
    """Nobody can look under their own cup."""

    def view(self, state: liars.State, seat: Seat | None, /) -> liars.View:
        """Otherwise than it should."""
        return replace(super().view(state, seat), own=())


class OptionsUnchecked(LiarsDice):
    """Any number of players and dice will do."""

    def start(self, setup: Setup[Any], /) -> liars.State:
        """Otherwise than it should."""
        return self.begin(setup)


class TurnAlwaysZero(Goofspiel):
    """A record is one long line."""

    def turn(self, state: goofspiel.State, /) -> int:
        """Otherwise than it should."""
        del state
        return 0


class LegalReversed(Goofspiel):
    """Legal actions come in another order than their numbers."""

    def legal(self, state: goofspiel.State, seat: Seat, /) -> Sequence[goofspiel.Action]:
        """Otherwise than it should."""
        return tuple(reversed(super().legal(state, seat)))


class CrashInAsk(LiarsDice):
    """While another player thinks, there is nobody to name."""

    def ask(self, view: liars.View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """Otherwise than it should."""
        return super().ask(view, names if view.turn == view.seat else (), language)


class NatureForbidden(Goofspiel):
    """Only what players do is allowed."""

    def forbids(self, state: goofspiel.State, seat: Seat, action: goofspiel.Action, /) -> str:
        """Otherwise than it should."""
        return "GS-2" if seat == NATURE else super().forbids(state, seat, action)


class ForbiddenOdds(NatureForbidden):
    """It has odds all the same."""

    def odds(self, state: goofspiel.State, /) -> Mapping[goofspiel.Action, int]:
        """Otherwise than it should."""
        return GOOFSPIEL.odds(state)


class OddsAlways(Goofspiel):
    """Nature has odds while players choose."""

    def odds(self, state: goofspiel.State, /) -> Mapping[goofspiel.Action, int]:
        """Otherwise than it should."""
        return super().odds(state) or dict.fromkeys(self.LOTS, 1)


class HalfWeights(LiarsDice):
    """Odds are shares, not whole numbers."""

    def odds(self, state: liars.State, /) -> Mapping[liars.Action, int]:
        """Otherwise than it should."""
        halves: dict[liars.Action, Any] = dict(super().odds(state))
        return {each: weight / 2 for each, weight in halves.items()}


class OneWordTwice(Goofspiel):
    """A prize is written like the card of the same number."""

    def write(self, action: goofspiel.Action, /) -> str:
        """Otherwise than it should."""
        return super().write(action).removeprefix("p")


class SharedAction(Goofspiel):
    """What a player may do, nature may do as well."""

    CHOICES = (*GOOFSPIEL.CHOICES, goofspiel.Turn(1))

    def choices(self, setup: Setup[Any], /) -> Sequence[goofspiel.Action]:
        """As many as there are cards, and the prize."""
        return (*super().choices(setup), goofspiel.Turn(1))


def own_faces(_setup: Setup[Any], view: liars.View) -> Mapping[str, Sequence[int]]:
    """How many dice of each face one has."""
    return {"own": [view.own.count(face) for face in range(1, 7)]}


class LooseBounds(LiarsDice):
    """Learners are promised that nobody has more than one die of a face."""

    observation = Observation(ObservationSpec(Part("own", 6, "one's own dice")), own_faces)


MUTANTS: Final[list[tuple[AnyGame, Setup[Any], laws.Law, str]]] = [
    (
        BidsAreOpen(),
        FEW_CARDS,
        laws.others_learn_nothing_of_a_choice,
        r"is told what seat \d chose, while seat",
    ),
    (
        OwnDiceMissing(),
        FEW_DICE,
        laws.what_only_you_know_you_can_look_up,
        "cannot tell from its view",
    ),
    (OptionsUnchecked(), FEW_DICE, laws.setups_are_checked, "is not allowed, but the game starts"),
    (TurnAlwaysZero(), FEW_CARDS, laws.play_ends, "no turn was ever completed"),
    (LegalReversed(), FEW_CARDS, laws.actions_have_numbers, "not in the order of numbers"),
    (
        CrashInAsk(),
        FEW_DICE,
        laws.tables_can_be_drawn,
        r"IndexError: .* out of range \(liars.py, line \d+, in ask\)\nafter\nliars/1",
    ),
    (
        OneWordTwice(),
        FEW_CARDS,
        laws.words_are_words,
        r"is written for Bid\(card=(\d)\), but read as Turn\(prize=\1\)",
    ),
    (
        SharedAction(),
        FEW_CARDS,
        laws.actions_have_numbers,
        r"an action of players is one of nature, too: \[Turn\(prize=1\)\]",
    ),
    (NatureForbidden(), FEW_CARDS, laws.play_ends, "nature must act, and nothing is allowed to it"),
    (ForbiddenOdds(), FEW_CARDS, laws.play_ends, "`odds` has an action that GS-2 forbids"),
    (OddsAlways(), FEW_CARDS, laws.nature_has_odds, "nature is not asked, but `odds` is not empty"),
    (HalfWeights(), FEW_DICE, laws.play_ends, r"0\.5"),
    (LooseBounds(), FEW_DICE, laws.observations_keep_their_bounds, "own is out of its bounds"),
]


@pytest.mark.parametrize(
    ("mutant", "setup", "law", "said"), MUTANTS, ids=[type(each[0]).__name__ for each in MUTANTS]
)
def test_a_mutant_is_caught(mutant: AnyGame, setup: Setup[Any], law: laws.Law, said: str) -> None:
    """By the law that is about it."""
    found = list(broken_laws(mutant, setup, range(20), [law]))

    assert [each.law for each in found] == [law.__name__]
    assert re.search(said, found[0].said)


class DiceAreOpen(LiarsDice):
    """What is rolled is told to everybody. No law can know that it is a secret."""

    def seen(self, event: liars.Event, seat: Seat | None, /) -> liars.Event | None:
        """Otherwise than it should."""
        del seat
        return event


def test_a_secret_that_is_dealt_is_in_the_table_for_people() -> None:
    """Who is told what, by event and field."""
    right = {(each.event, each.field): each.who for each in who_is_told(LIARS, FEW_DICE, [1])}
    wrong = {(e.event, e.field): e.who for e in who_is_told(DiceAreOpen(), FEW_DICE, [1])}

    assert right["Rolled", "faces"] == "the player in `seat`"
    assert wrong["Rolled", "faces"] == "everybody"
    assert right["Lifted", "cups"] == "everybody"


@pytest.fixture
def _crashes() -> Iterator[None]:
    """A mutant in place of Liar's dice."""
    GAMES["liars"] = CrashInAsk()
    yield
    del GAMES["liars"]


@pytest.mark.usefixtures("_crashes")
def test_check_names_law_seed_and_position() -> None:
    """A law in which the game crashes says so too; the exit code is 1."""
    command = ["check", "liars", "--dice", "1", "--games", "2", "--seed", "7"]
    told = CliRunner().invoke(commands, command)

    assert told.exit_code == 1
    assert "tables_can_be_drawn, seed 7: liars: IndexError" in told.output
    assert "\nafter\nliars/1 " in told.output
    assert "liars keeps 19 of 20 laws in 2 games of 3 seats" in told.output


class CrashInMove(Goofspiel):
    """It cannot be played."""

    def move(
        self, state: goofspiel.State, seat: Seat, action: goofspiel.Action, /
    ) -> Step[goofspiel.State, goofspiel.Event]:
        """Otherwise than it should."""
        return [super().move(state, seat, action)][seat + 2]


@pytest.fixture
def _stops() -> Iterator[None]:
    """A mutant in place of Goofspiel."""
    GAMES["goofspiel"] = CrashInMove()
    yield
    del GAMES["goofspiel"]


@pytest.mark.usefixtures("_stops")
def test_check_says_once_what_stops_all_laws() -> None:
    """With the line, and which laws could not be tried."""
    told = CliRunner().invoke(commands, ["check", "goofspiel", "--games", "1"])

    assert told.output.count("IndexError: list index out of range (test_mutants.py, line ") == 1
    assert "The same stops legal_moves_apply, illegal_moves_are_refused, " in told.output
    assert "goofspiel keeps 1 of 20 laws in 1 game of 3 seats" in told.output


@pytest.mark.usefixtures("_stops")
def test_what_is_not_translated_is_not_listed_of_a_game_that_stops(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line instead, and no trace."""
    said = refused(capsys, "check goofspiel --games 1 --untranslated de")

    assert "goofspiel: IndexError: list index out of range (test_mutants.py, line " in said


def test_check_prints_who_is_told_what() -> None:
    command = ["check", "goofspiel", "--cards", "3", "--games", "2"]
    told = CliRunner().invoke(commands, command)

    assert told.exit_code == 0, told.output
    assert "the player who moved" in told.output
    assert "goofspiel keeps 20 of 20 laws" in told.output


def test_check_lists_what_is_not_translated() -> None:
    """As entries of a catalogue, also for the sentences that address the reader."""
    command = ["check", "goofspiel", "--cards", "3", "--games", "2", "--untranslated", "de"]
    told = CliRunner().invoke(commands, command)

    for said in ("{name} laid a card", "you laid a card", "one lays a card from one's own hand"):
        assert f'msgid "{said}"\nmsgstr ""\n' in told.output
    assert "Waiting for" not in told.output


# --- What is done before the rules are asked -------------------------------------------------


def test_turns_and_ends_are_checked_before_the_rules() -> None:
    """A game writes only its own clauses."""
    state = LIARS.start(FEW_DICE)
    bid = LIARS.parse("1x1")

    assert LIARS.why_not(state, Seat(0), bid) == "turn"
    assert LIARS.why_not(state, NATURE, bid) == "turn"
    with pytest.raises(ValueError, match=r"^seat 1 may not play '1x1' here: it is not .* turn$"):
        LIARS.apply(state, Seat(0), bid)
    with pytest.raises(ValueError, match="liars is for 2 to 6 seats, not 9"):
        LIARS.start(Setup(9, liars.Options()))


def test_what_is_no_word_names_some_that_are() -> None:
    with pytest.raises(ValueError, match=r"'x' is not a move: one of !, 1x1, 1x2, .* …"):
        LIARS.parse("x")
