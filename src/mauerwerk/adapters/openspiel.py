"""The games in OpenSpiel, for its algorithms.

    game = openspiel.load("mauer", seats=3, rounds=1, first="lot")
    game = pyspiel.load_game("mauerwerk_mauer(players=3,options=rounds:1/first:lot)")

Both are the same; importing this module makes the names known. A parameter of OpenSpiel has one
type, and an option can be a number or a word, so that all options are one text.

Nature is the chance player. Players who choose together move one after the other, and what one
chose is hidden from the next, so that algorithms for sequential games apply.

An information state is what the seat sees and all that it was told since the game began, including
what is told only once. An observation is what it sees now; with `remember=True` its tensor also has
what a perfect memory knows.
"""

from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import quote, unquote

import msgspec
import numpy as np

from mauerwerk.adapters.memory import begin, resampled
from mauerwerk.adapters.setting import Setting, rewards_of, setting_of, word_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Value
from mauerwerk.games import GAMES

pyspiel: Any = import_module("pyspiel")

if TYPE_CHECKING:
    from collections.abc import Callable

    class SpielGame:
        """OpenSpiel's class, which has no types of its own: what is used of it here."""

        def __init__(self, *given: object) -> None:
            """By its type, numbers and parameters."""

    class SpielState:
        """OpenSpiel's class, likewise."""

        get_game: Callable[[], "Game"]

        def __init__(self, game: SpielGame) -> None:
            """In this game."""

else:
    SpielGame, SpielState = pyspiel.Game, pyspiel.State

PREFIX: Final = "mauerwerk_"

NO_OPTIONS: Final = frozenset({"game", "seats", "remember"})
"""What is agreed on otherwise, and must not come in among the options."""


class Game(SpielGame):
    """One of the games, with what its table agreed on."""

    KIND: ClassVar[Any]
    """The type that OpenSpiel knows it by."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        """Agree on a game. Raises SetupError where it cannot be played like this."""
        given = parameters or {}
        name, options = self.KIND.short_name.removeprefix(PREFIX), _read(given.get("options", ""))
        remember = bool(given.get("remember", False))
        self.setting: Final = setting_of(name, given.get("players"), remember=remember, **options)
        self.first: Final = begin(self.setting)
        super().__init__(self.KIND, _info(self.setting), given)

    def new_initial_state(self) -> "State":
        """The game before the first move."""
        return State(self)

    def make_py_observer(
        self,
        kind: Any = None,  # noqa: ANN401 - OpenSpiel's
        parameters: dict[str, Any] | None = None,
    ) -> "Observer":
        """An observer of what a seat sees, or of all that it knows."""
        if parameters:
            raise ValueError(f"observers have no parameters here, not {sorted(parameters)}")
        return Observer(self.setting, kind or pyspiel.IIGObservationType(perfect_recall=False))


class State(SpielState):
    """A game under way. All that Python keeps is a `Moment`, which need not be copied."""

    def __init__(self, game: Game) -> None:
        """Lay the table."""
        super().__init__(game)
        self._setting = game.setting
        self.moment = game.first

    def current_player(self) -> int:
        """The player to move; of those who choose together, the first who has not chosen yet."""
        asked = self.moment.asked
        if not asked:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if asked[0] == NATURE else asked[0]

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return not self.moment.asked

    def _legal_actions(self, player: int) -> list[int]:
        numbers = self._setting.numbers
        legal = self._setting.game.legal(self.moment.state, Seat(player))
        return sorted(numbers[action] for action in legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What nature may do; its numbers begin at 0 here."""
        setting = self._setting
        odds = setting.game.odds(self.moment.state)
        total = sum(odds.values())
        weights = {setting.numbers[action]: weight for action, weight in odds.items()}
        return [(n - setting.choices, weights[n] / total) for n in sorted(weights)]

    def _apply_action(self, number: int) -> None:
        setting, game = self._setting, self._setting.game
        seat = self.moment.asked[0]
        action = setting.actions[number + setting.choices * (seat == NATURE)]
        self.moment = self.moment.after(game, game.apply(self.moment.state, seat, action))

    def _action_to_string(self, player: int, number: int) -> str:
        setting = self._setting
        nature = player == int(pyspiel.PlayerId.CHANCE)
        return setting.game.write(setting.actions[number + setting.choices * nature])

    def returns(self) -> list[float]:
        """The share of the others that a seat beat, less the share that beat it."""
        outcome = self._setting.game.outcome(self.moment.state)
        return rewards_of(outcome) if outcome else [0.0] * len(self._setting.seats)

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":  # noqa: ANN401
        """A state that this player cannot tell from this one, sampled by the game's `beliefs`.

        It has no history, and the other players remember only what a spectator was told.
        """
        draw = Random(int(sampler() * (1 << 53))).randrange  # noqa: S311 - not a secret
        sampled = self.get_game().new_initial_state()
        sampled.moment = resampled(self._setting, self.moment, Seat(player), draw)
        return sampled

    def __str__(self) -> str:
        """Everything, secrets included, on one line."""
        return msgspec.json.encode(self.moment.state).decode()


class Observer:
    """Writes what a seat sees, or all that it knows; see OpenSpiel's `observation.py`."""

    def __init__(self, setting: Setting, kind: Any) -> None:  # noqa: ANN401 - OpenSpiel's
        """Make room for it. Only what a seat sees has a tensor; memory is as long as a game."""
        self._setting = setting
        self._recall = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._public and self._private and not self._recall:
            self.tensor = np.zeros(setting.width, np.float32)
            layout = setting.encoding.layout
            self.dict = {part: self.tensor[place] for part, place in layout.items()}

    def set_from(self, state: State, player: int) -> None:
        """Write down what a player sees."""
        moment, setting, seat = state.moment, self._setting, Seat(player)
        told = moment.told(setting.game, seat) if setting.remember else ()
        self.tensor[:] = setting.encoding.features(moment.state, seat, told)

    def string_from(self, state: State, player: int) -> str:
        """What a player sees or knows, as JSON: a line for the table now, then one for each event.

        Of private information, what a spectator does not see.
        """
        game, viewer = self._setting.game, Seat(player) if self._private else None
        view = game.view(state.moment.state, viewer)
        lines = [msgspec.json.encode(view).decode()]
        if self._private and not self._public:
            lines = [_besides(view, game.view(state.moment.state, None))]
        elif self._recall:
            lines.append(state.moment.told_text(game, viewer))
        return "\n".join(lines)


def _besides(view: Value, public: Value) -> str:
    """The fields of a view that a spectator's does not have like this."""
    fields = {name: getattr(view, name) for name in view.__struct_fields__}
    own = {name: value for name, value in fields.items() if value != getattr(public, name)}
    return msgspec.json.encode(own).decode()


# --- What OpenSpiel wants to know before -----------------------------------------------------


def _info(setting: Setting) -> Any:  # noqa: ANN401 - OpenSpiel's
    if not setting.game.must_end(setting.setup):
        raise SetupError(
            f"{setting.game.NAME} with these options need not end, so nobody searches it"
        )
    longest = setting.game.longest(setting.setup)
    if longest is None:
        raise SetupError(f"{setting.game.NAME} gives no bound on its length; OpenSpiel needs one")
    return pyspiel.GameInfo(
        num_distinct_actions=setting.choices,
        max_chance_outcomes=len(setting.actions) - setting.choices,
        num_players=len(setting.seats),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=longest,
    )


def _type(game: AnyGame) -> Any:  # noqa: ANN401 - OpenSpiel's
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.NAME}",
        long_name=game.TITLE,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.SEATS[-1],
        min_num_players=game.SEATS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": game.SEATS[0], "options": "", "remember": False},
    )


def load(game: str, seats: int | None = None, *, remember: bool = False, **options: object) -> Any:  # noqa: ANN401 - OpenSpiel's
    """A game by its name, with options as keywords. Raises SetupError where it cannot be played."""
    setting = setting_of(game, seats, remember=remember, **options)
    _info(setting)
    # A board's word has slashes of its own, which must not be read as ends of options.
    words = {name: quote(word_of(value), safe="") for name, value in options.items()}
    text = "/".join(f"{name}:{word}" for name, word in words.items())
    parameters: dict[str, Any] = {"players": len(setting.seats), "options": text}
    if remember:
        parameters["remember"] = True
    return pyspiel.load_game(f"{PREFIX}{game}", parameters)


def _read(text: str) -> dict[str, str]:
    """Options from one text; what OpenSpiel would read as its own is quoted as in an address."""
    pairs = (word.partition(":") for word in text.split("/") if word)
    options = {name: unquote(word) for name, _, word in pairs}
    for name in NO_OPTIONS & options.keys():
        raise SetupError(f"{name} is no option: OpenSpiel has another place for it")
    return options


def register(game: AnyGame) -> None:
    """Make a game known to OpenSpiel, by a class of its own.

    OpenSpiel drops what it was given after Python is gone, which a plain function would not
    survive.
    """
    kind = _type(game)
    pyspiel.register_game(kind, type(game.NAME.capitalize(), (Game,), {"KIND": kind}))


for _game in GAMES.values():
    register(_game)
