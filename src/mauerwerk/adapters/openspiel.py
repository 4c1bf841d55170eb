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
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import quote, unquote

import msgspec
import numpy as np

from mauerwerk.adapters.positions import Moment, Position, TextKey, can_recall, first_position
from mauerwerk.adapters.setting import Setting, setting_of, word_of
from mauerwerk.bots import table
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Value
from mauerwerk.games import GAMES
from mauerwerk.kernels import has_kernel, kernel_of
from mauerwerk.kernels.play.single import OVER

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

PLAYERS: Final = {
    NATURE: int(pyspiel.PlayerId.CHANCE),
    OVER: int(pyspiel.PlayerId.TERMINAL),
}
"""What OpenSpiel calls a mover that is not a seat."""

NO_OPTIONS: Final = frozenset({"game", "seats", "remember"})
"""What is agreed on otherwise, and must not come in among the options."""


# --- What a player sees or knows -------------------------------------------------------------


class Observer:
    """Writes what a seat sees, or all that it knows; see OpenSpiel's `observation.py`.

    The tensor of an information state is the observation that remembers: what a seat sees, and what
    follows from all that it was told. The text of an information state also has the order in which
    things happened.
    """

    def __init__(self, setting: Setting, kind: Any) -> None:  # noqa: ANN401 - OpenSpiel's
        """Make room for it. Only what a seat sees or knows has a tensor, and not parts of it."""
        self._setting = setting
        self._recall = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._remember = self._recall or setting.remember
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._public and self._private and (can_recall(setting) or not self._recall):
            layout = setting.encoded(remember=self._remember).layout
            self.tensor = np.zeros(max(place.stop for place in layout.values()), np.float32)
            self.dict = {part: self.tensor[place] for part, place in layout.items()}

    def set_from(self, state: "State", player: int) -> None:
        """Write down what a player sees or knows."""
        features = state.position.features(Seat(player), remember=self._remember)
        self.tensor[:] = features[: len(self.tensor)]

    def string_from(self, state: "State", player: int) -> str:
        """What a player sees or knows, as JSON: a line for the table now, then one for each event.

        Of private information, what a spectator does not see.
        """
        key = TextKey(Seat(player), self._recall, self._public, self._private)
        texts = state.position.texts
        if key not in texts:
            texts[key] = self._text(state.position, Seat(player))
        return texts[key]

    def _text(self, position: Position, player: Seat) -> str:
        game, moment = self._setting.game, position.moment
        viewer = player if self._private else None
        view = game.view(moment.state, viewer)
        if self._private and not self._public:
            return _besides(view, game.view(moment.state, None))
        seen = msgspec.json.encode(view).decode()
        return f"{seen}\n{moment.told_text(game, viewer)}" if self._recall else seen


def _besides(view: Value, public: Value) -> str:
    fields = {name: getattr(view, name) for name in view.__struct_fields__}
    own = {name: value for name, value in fields.items() if value != getattr(public, name)}
    return msgspec.json.encode(own).decode()


# --- Games and states ------------------------------------------------------------------------


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
        self.first: Final = first_position(self.setting)
        kind = _type(self.setting.game, recall=can_recall(self.setting))
        super().__init__(kind, _info(self.setting), given)

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

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name, as OpenSpiel loads it."""
        return _loaded, (str(self),)


class State(SpielState):
    """A game under way. All that Python keeps is a position, which need not be copied."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._setting = game.setting
        self.position = game.first

    @property
    def moment(self) -> Moment:
        """The state of the rules, and what led there."""
        return self.position.moment

    def current_player(self) -> int:
        """The player to move; of those who choose together, the first who has not chosen yet."""
        mover = self.position.mover
        return mover if mover >= 0 else PLAYERS[mover]

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.position.mover == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal(Seat(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What nature may do; its numbers begin at 0 here."""
        choices, odds = self._setting.choices, self.position.odds()
        total = sum(weight for _, weight in odds)
        return [(number - choices, weight / total) for number, weight in odds]

    def _apply_action(self, number: int) -> None:
        nature = self.position.mover == NATURE
        self.position = self.position.after(number + self._setting.choices * nature)

    def _action_to_string(self, player: int, number: int) -> str:
        setting = self._setting
        nature = player == PLAYERS[NATURE]
        return setting.game.write(setting.actions[number + setting.choices * nature])

    def returns(self) -> list[float]:
        """The share of the others that a seat beat, less the share that beat it."""
        return self.position.returns()

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":  # noqa: ANN401
        """A state that this player cannot tell from this one, sampled by the game's `beliefs`.

        It has no history, and the other players remember only what a spectator was told.
        """
        sampled = self.get_game().new_initial_state()
        sampled.position = self.position.resampled(Seat(player), int(sampler() * (1 << 53)))
        return sampled

    def __str__(self) -> str:
        """Everything, secrets included, on one line."""
        return msgspec.json.encode(self.moment.state).decode()


class RolloutEvaluator:
    """What a state is worth by rollouts, for OpenSpiel's MCTS and ISMCTS.

    It is OpenSpiel's `RandomRolloutEvaluator`, in one call of compiled code: all play uniformly to
    the end. Games without a kernel are played by the rules.
    """

    def __init__(self, n_rollouts: int = 1, random_state: Any = None) -> None:  # noqa: ANN401
        """This many rollouts for each state, by NumPy's `RandomState` or one of its own."""
        self.n_rollouts = n_rollouts
        self._random = random_state or np.random.RandomState()

    def evaluate(self, state: State) -> Any:  # noqa: ANN401 - an array
        """What each player wins on average."""
        seed = int(self._random.randint(1 << 63))
        return np.array(state.position.played_out(self.n_rollouts, seed))

    def prior(self, state: State) -> list[tuple[int, float]]:
        """All actions are equally likely, and nature's by their chances."""
        if state.position.mover == NATURE:
            return state.chance_outcomes()
        legal = state.position.legal(Seat(state.position.mover))
        return [(action, 1 / len(legal)) for action in legal]


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


def _type(game: AnyGame, *, recall: bool) -> Any:  # noqa: ANN401 - OpenSpiel's
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
        provides_information_state_tensor=recall,
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


def _loaded(text: str) -> Any:  # noqa: ANN401 - OpenSpiel's
    """A game by its text. Unpickling imports this module, which makes the name known."""
    return pyspiel.load_game(text)


def _read(text: str) -> dict[str, str]:
    """Options from one text; what OpenSpiel would read as its own is quoted as in an address."""
    pairs = (word.partition(":") for word in text.split("/") if word)
    options = {name: unquote(word) for name, _, word in pairs}
    for name in NO_OPTIONS & options.keys():
        raise SetupError(f"{name} is no option: OpenSpiel has another place for it")
    return options


def save_policy(path: Path, game: Any, policy: Any, made_by: str = "OpenSpiel") -> int:  # noqa: ANN401 - OpenSpiel's
    """Save a policy of OpenSpiel for such a game, so that the bot `table:FILE` plays it.

    The game must be small: all of its positions are visited. Returns the number of information
    states with a choice.
    """
    setting: Setting = game.setting
    found: dict[str, tuple[float, ...]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            player = state.current_player()
            sight = state.moment.sight(setting.game, Seat(player))
            key = table.key_of(sight)
            if len(sight.legal) > 1 and key not in found:
                shares = policy.action_probabilities(state)
                numbers = [setting.numbers[action] for action in sight.legal]
                weights = [max(float(shares.get(number, 0.0)), 0.0) for number in numbers]
                found[key] = tuple(weight / sum(weights) for weight in weights)
        waiting += [state.child(action) for action in state.legal_actions()]
    table.save(path, setting.game, setting.setup, found, made_by)
    return len(found)


def register(game: AnyGame) -> None:
    """Make a game known to OpenSpiel, by a class of its own.

    OpenSpiel drops what it was given after Python is gone, which a plain function would not
    survive.
    """
    recall = has_kernel(game.NAME) and hasattr(kernel_of(game.NAME), "memory")
    kind = _type(game, recall=recall)
    pyspiel.register_game(kind, type(game.NAME.capitalize(), (Game,), {"KIND": kind}))


for _game in GAMES.values():
    register(_game)
