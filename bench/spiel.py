"""OpenSpiel, for comparison: its games with uniform play, in C++ and from Python."""

import random
from importlib import import_module
from typing import Any

from bench.contest import Work

GAMES = ("goofspiel(players=4)", "hearts", "backgammon", "gin_rummy")
ROLLOUTS = 50


def _pyspiel() -> Any:  # noqa: ANN401 - without types
    return import_module("pyspiel")


def with_bots(name: str) -> Work:
    """`evaluate_bots` with its own uniform bots: the loop of a game is in C++."""
    spiel = _pyspiel()
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    length = _mean_length(game, game.new_initial_state())
    rng = random.Random(1)  # noqa: S311 - not a secret

    def work() -> tuple[int, int]:
        for _ in range(ROLLOUTS):
            spiel.evaluate_bots(game.new_initial_state(), bots, rng.getrandbits(30))
        return ROLLOUTS, round(ROLLOUTS * length)

    return work


def by_rollouts(name: str) -> Work:
    """`RandomRolloutEvaluator`, its leanest loop in C++, reached through a search of one node.

    Rollouts begin at the first player's decision, and their length is counted from there.
    """
    spiel = _pyspiel()
    game = spiel.load_game(name)
    if game.get_type().dynamics == spiel.GameType.Dynamics.SIMULTANEOUS:
        game = spiel.convert_to_turn_based(game)
    state = game.new_initial_state()
    rng = random.Random(1)  # noqa: S311 - not a secret
    while state.is_chance_node():
        _chance_moves(state, rng)
    length = _mean_length(game, state)
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = spiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)  # noqa: FBT003 - theirs

    def work() -> tuple[int, int]:
        search.mcts_search(state)
        return ROLLOUTS, round(ROLLOUTS * length)

    return work


def from_python(name: str, *, tensor: bool) -> Work:
    """Driven from Python, with legal actions and, optionally, the tensor of the player to act."""
    game = _pyspiel().load_game(name)
    rng = random.Random(1)  # noqa: S311 - not a secret
    known = game.get_type().provides_information_state_tensor

    def work() -> tuple[int, int]:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                _chance_moves(state, rng)
                decisions += 1
                continue
            several = state.is_simultaneous_node()
            seats = range(game.num_players()) if several else [state.current_player()]
            if tensor:
                for seat in seats:
                    _tensor(state, seat, known=known)
            chosen = [rng.choice(state.legal_actions(seat)) for seat in seats]
            if several:
                state.apply_actions(chosen)
            else:
                state.apply_action(chosen[0])
            decisions += len(chosen)
        return 1, decisions

    return work


def _tensor(state: Any, seat: int, *, known: bool) -> None:  # noqa: ANN401 - theirs
    """The information state of a seat, or its observation if the game has no information state."""
    if known:
        state.information_state_tensor(seat)
    else:
        state.observation_tensor(seat)


def _chance_moves(state: Any, rng: random.Random) -> None:  # noqa: ANN401 - theirs
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, weights)[0])


def _mean_length(game: Any, start: Any, games: int = 300) -> float:  # noqa: ANN401 - theirs
    """The number of decisions until the end of a game, those of all players counted."""
    rng = random.Random(2)  # noqa: S311 - not a secret
    decisions = 0
    for _ in range(games):
        state = start.clone()
        while not state.is_terminal():
            decisions += 1
            if state.is_chance_node():
                _chance_moves(state, rng)
            elif state.is_simultaneous_node():
                seats = range(game.num_players())
                state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in seats])
                decisions += game.num_players() - 1
            else:
                state.apply_action(rng.choice(state.legal_actions()))
    return decisions / games
