"""OpenSpiel's own tests of our games, and who may know what."""

from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.adapters.settings import TRIED, each_game, each_setting

from mauerwerk.adapters import openspiel
from mauerwerk.core.errors import SetupError
from mauerwerk.games.mauerbauer.board import plan_of

pyspiel: Any = import_module("pyspiel")

GOLDEN = Path(__file__).parent / "playthrough.txt"


def playthrough(game: str, actions: list[int] | None, seed: int) -> str:
    """OpenSpiel's text about a game; its module imports SciPy, for which only one worker waits."""
    module: Any = import_module("open_spiel.python.algorithms.generate_playthrough")
    text: str = module.playthrough(game, actions, seed=seed)
    return text


def positions(game: Any, seed: int) -> Any:  # noqa: ANN401 - states of OpenSpiel
    """A game by chance, position by position."""
    chance, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(actions, odds)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    yield state


@each_game
def test_openspiel_accepts_it(game: str, options: dict[str, Any]) -> None:
    """`random_sim_test` passes, copies and serialised states included."""
    loaded = openspiel.load(game, **options)

    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@each_setting
def test_a_game_has_a_name_that_loads_it(game: str, options: dict[str, Any]) -> None:
    """What OpenSpiel writes, it reads, whatever stands in an option."""
    loaded = openspiel.load(game, **options)
    again = pyspiel.load_game(str(loaded))

    assert again.setting.setup == loaded.setting.setup
    assert str(again) == str(loaded)


def test_an_option_can_be_any_text() -> None:
    """Commas and the like do not confuse OpenSpiel (BB-29)."""
    pictures = "2k,3r,5d,7n,10t,11rr,13c,17w,19r,20t,22n,25c,27d,29t,31rr,33q,36c,38t,40n,42d,45r"
    game = openspiel.load("burgbaumeister", variant=True, first="lot", pictures=pictures)

    assert str(game).startswith("mauerwerk_burgbaumeister(options=variant:yes/first:lot/pictures:")
    assert pyspiel.load_game(str(game)).setting.setup.options.pictures == pictures


def test_a_board_of_ones_own_can_be_loaded() -> None:
    """The rows of its word are joined by slashes, as options are."""
    board = plan_of("small").word
    game = openspiel.load("mauerbauer", 2, board=board, first=0)

    assert "/" in board
    assert game.setting.setup.options.board == board
    assert pyspiel.load_game(str(game)).setting.setup == game.setting.setup


@pytest.mark.parametrize("option", ["seats:4", "game:mauerbauer", "remember:yes"])
def test_what_is_no_option_is_refused(option: str) -> None:
    """Seats are OpenSpiel's players, the game is in the name, and remembering is no rule."""
    name = option.partition(":")[0]
    with pytest.raises(SetupError, match=f"{name} is no option"):
        pyspiel.load_game(f"mauerwerk_mauer(options={option})")


def replayed(text: str) -> str:
    """The playthrough that the actions in this one lead to."""
    lines = text.splitlines()
    actions = [int(line.removeprefix("action: ")) for line in lines if line.startswith("action: ")]
    again: str = playthrough(lines[0].removeprefix("game: "), actions, seed=2)
    return again


def test_a_golden_playthrough() -> None:
    """A golden file in OpenSpiel's format: a game with everything that its interface returns.

    `python tests/adapters/playthrough.py` writes it anew.
    """
    text = GOLDEN.read_text(encoding="utf-8")

    assert replayed(text) == text


@pytest.mark.parametrize(
    "name",
    [
        "mauer-lot",
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in ("burgbaumeister", "mauerbauer-small")
        ),
    ],
)
def test_a_playthrough_can_be_replayed(name: str) -> None:
    """OpenSpiel writes a whole game down, and its actions lead to the same text again."""
    game, options = TRIED[name]
    text = playthrough(str(openspiel.load(game, **options)), None, seed=1)

    assert replayed(text) == text


# --- Who knows what --------------------------------------------------------------------------


def test_who_chooses_later_does_not_know_what_was_chosen() -> None:
    """Whatever the first plans, the others know and see the same (DM-5)."""
    game = openspiel.load("mauer", seats=3)
    known: set[tuple[str, ...]] = set()
    for plan in range(8):
        state = game.new_initial_state()
        state.apply_action(plan)
        assert state.current_player() == 1
        known.add(
            tuple(
                say(player)
                for player in (1, 2)
                for say in (state.information_state_string, state.observation_string)
            )
        )

    assert len(known) == 1


def test_what_is_told_once_is_known_for_good() -> None:
    """A card that was turned back is in no view, but who sat there knows it (BB-9)."""
    game = openspiel.load("burgbaumeister", seats=2)
    known: dict[int, str] = {}
    seen: set[str] = set()
    for number in (0, 1):  # nature shows a 2 or a 3
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(number)
        state.apply_action(state.string_to_action(state.current_player(), "-"))
        known[number] = state.information_state_string(1)
        seen.add(state.observation_string(1))

    assert known[0] != known[1]
    assert len(seen) == 1


@each_game
def test_nobody_forgets_what_they_did(game: str, options: dict[str, Any]) -> None:
    """Perfect recall: after two different choices a player's information state differs."""
    loaded = openspiel.load(game, **options)
    for number, state in enumerate(positions(loaded, seed=2)):
        if state.is_terminal() or state.is_chance_node() or number % 9:
            continue
        player = state.current_player()
        after = {state.child(a).information_state_string(player) for a in state.legal_actions()}
        assert len(after) == len(state.legal_actions())


@each_game
def test_a_resampled_state_looks_the_same_to_that_player(
    game: str, options: dict[str, Any]
) -> None:
    """It is told the same, sees the same and may do the same; and the game can be played on."""
    loaded = openspiel.load(game, **options)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for number, state in enumerate(positions(loaded, seed=3)):
        if state.is_chance_node() or number % 23:
            continue
        for player in range(loaded.num_players()):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert other.legal_actions(player) == state.legal_actions(player)
            assert other.history() == []


def test_a_resampled_state_fills_in_what_is_hidden() -> None:
    """Seat 2 saw a gift but not which piece: it may have been any of seven (DM-19)."""
    game = openspiel.load("mauer", seats=3)
    state = game.new_initial_state()
    for word in ("-", "-", "4", "*T"):
        state.apply_action(state.string_to_action(state.current_player(), word))
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)

    hands = {
        state.resample_from_infostate(2, sampler).moment.state.table.hands[0] for _ in range(200)
    }
    own = {state.resample_from_infostate(1, sampler).moment.state.table.hands[0] for _ in range(20)}

    assert len(hands) == 7
    assert own == {state.moment.state.table.hands[0]}


def test_what_is_public_and_what_is_not() -> None:
    """Factored observations: a spectator's view, and what a seat sees in addition."""
    game = openspiel.load("mauer", seats=3, pieces="T1")
    state = game.new_initial_state()
    state.apply_action(0)
    kinds = {
        private: game.make_py_observer(
            pyspiel.IIGObservationType(
                public_info=not private,
                perfect_recall=False,
                private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
                if private
                else pyspiel.PrivateInfoType.NONE,
            )
        )
        for private in (True, False)
    }

    assert kinds[False].string_from(state, 0) == kinds[False].string_from(state, 2)
    assert '"hands":[["T","1"],null,null]' in kinds[True].string_from(state, 0)
    assert "wall" not in kinds[True].string_from(state, 0)


def test_a_game_that_need_not_end_is_refused() -> None:
    """OpenSpiel wants to know how long a game can be."""
    with pytest.raises(SetupError, match="need not end"):
        openspiel.load("mauer", stall="off")
