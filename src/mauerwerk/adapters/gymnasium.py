"""The games as Gymnasium environments: one seat against bots, or all seats of many games at once.

    env = gymnasium.make("mauerwerk/mauer-v1", seats=4, seat=2, bots="uniform")
    envs = gymnasium.make_vec("mauerwerk/mauer-v1", num_envs=4096, seats=4)

Importing this module makes the names known; the number is the revision of the rules. What a seat
sees is the observation. What it may do is `info["action_mask"]`. Many games at once are played in a
kernel, so a game without one has only the first of the two.
"""

import random
import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mauerwerk.adapters.setting import (
    RENDER_MODES,
    Features,
    Illegal,
    Mask,
    RenderMode,
    number_of,
    refuse_illegal,
    refuse_render_mode,
    setting_of,
)
from mauerwerk.bots import external
from mauerwerk.bots.spec import check, sit
from mauerwerk.core.errors import SetupError, StaleMoveError
from mauerwerk.core.game import NATURE, AnyGame, Chance, Observer, Seat, draw_lot
from mauerwerk.games import GAMES
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.rewards import Rewards


class SeatEnv(gymnasium.Env[Features, np.int64]):
    """One seat. Bots play the others; each sees what its own seat sees, and no more."""

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012 - Gymnasium's

    def __init__(  # noqa: PLR0913 - a table is agreed on by keywords
        self,
        game: str,
        seats: int | None = None,
        *,
        seat: int = 0,
        bots: str | Sequence[str] = "uniform",
        illegal: Illegal = "raise",
        remember: bool = False,
        rewards: Rewards = "ranks",
        render_mode: RenderMode | None = None,
        **options: object,
    ) -> None:
        """Agree on a game and its players; raises SetupError where they are not allowed.

        `bots` is a word such as `uniform` or `search:50ms` for all other seats, or one for each,
        clockwise from the seat. An `illegal` action raises what the rules raise, or loses.
        Observations that `remember` also have what a perfect memory knows. The `rewards` are those
        of `mauerwerk.kernels.play.rewards`.
        """
        self._setting: Final = setting_of(game, seats, remember=remember, **options)
        if not self._setting.game.must_end(self._setting.setup):
            raise SetupError(f"{game} with these options need not end, so nobody learns it")
        if seat not in self._setting.seats:
            raise SetupError(f"seat can be 0 to {self._setting.seats[-1]}, not {seat!r}")
        refuse_illegal(illegal)
        refuse_render_mode(render_mode)
        self._setting.refuse_rewards(rewards)
        self._rewards: Final[Rewards] = rewards
        self._seat: Final = Seat(seat)
        self._bots: Final = self._words(bots)
        self._illegal: Final = illegal
        self.render_mode = render_mode
        self.observation_space = self._setting.observation_space
        self.action_space = self._setting.action_space
        self.layout: Final[Mapping[str, slice]] = self._setting.encoding.layout
        self._over = True

    def _words(self, bots: str | Sequence[str]) -> list[str]:
        others = len(self._setting.seats) - 1
        words = [bots] * others if isinstance(bots, str) else list(bots)
        if len(words) != others:
            raise SetupError(f"there are {others} other seats, and bots for {len(words)}")
        check(words, self._setting.game, self._setting.setup)
        return words

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin a game, and let the others play until this seat is asked."""
        super().reset(seed=seed)
        del options
        setting = self._setting
        self._nature = self._chance()
        seats = [(self._seat + step) % len(setting.seats) for step in setting.seats[1:]]
        self._players = {
            seat: sit(word, setting.game, setting.setup, self._chance())
            for seat, word in zip(seats, self._bots, strict=True)
        }
        self._observers = {seat: Observer(setting.game, Seat(seat)) for seat in seats}
        self._own = Observer(setting.game, self._seat)
        self._lost: list[Seat] = []
        """The seats of bots that have failed."""
        self._state: Any = setting.game.start(setting.setup)
        self._over = False
        self._go_on()
        return self._seen(), self._info()

    def _chance(self) -> Chance:
        """A source of chance that depends on the seed of the environment alone."""
        return random.Random(int(self.np_random.integers(1 << 62))).randrange  # noqa: S311

    def step(self, action: np.int64 | int) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Do this, and let the others play until this seat is asked again or the game is over."""
        if self._over:
            raise StaleMoveError("the game is over: begin the next one with reset()")
        setting = self._setting
        number = number_of(action)
        try:
            setting.check(self._seat, number, self._state)
        except ValueError as fault:
            if self._illegal == "raise":
                raise
            self._over = True
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": str(fault)}
        before = () if self._rewards == "ranks" else setting.points(self._state)
        self._apply(self._seat, setting.actions[number])
        self._go_on()
        rewards = setting.rewards(self._rewards, before, self._state, self._lost)
        reward = rewards[self._seat]
        info = self._info()
        if setting.game.outcome(self._state) is None:
            return self._seen(), reward, False, False, info
        self._over = True
        info |= setting.results(self._state, self._seat, self._lost)
        return self._seen(), reward, True, False, info

    def _go_on(self) -> None:
        """Let the others answer, one after the other; none is shown what another chose."""
        game = self._setting.game
        while asked := [seat for seat in game.to_act(self._state) if seat != self._seat]:
            seat = asked[0]
            if seat == NATURE:
                self._apply(seat, draw_lot(game.odds(self._state), self._nature))
            else:
                bot, seconds = self._players[seat]
                self._apply(seat, bot.act(self._observers[seat].sight(self._state), seconds))
                if seat not in self._lost and external.faults_of([bot]):
                    self._lost.append(seat)
                    external.show_faults([bot])

    def _apply(self, seat: Seat, action: Any) -> None:  # noqa: ANN401 - the game's own kind
        step = self._setting.game.apply(self._state, seat, action)
        for observer in self._observers.values():
            observer.follow(step)
        if self._setting.remember:
            self._own.follow(step)
        self._state = step.state

    def _seen(self) -> Features:
        return self._setting.features(self._state, self._seat, self._own.told)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def action_masks(self) -> Mask:
        """What this seat may do now; the name is one that learners with masks ask for."""
        return self._setting.mask(self._state, self._seat)

    def render(self) -> str | None:
        """The table as this seat sees it, as text or as a picture."""
        return self._setting.render(self._state, self._seat, self.render_mode)


# --- All seats of many games -----------------------------------------------------------------


class SeatsVectorEnv(VectorEnv[Features, npt.NDArray[Any], npt.NDArray[Any]]):
    """The seats of many games in step, each a sub-environment: those of a game lie side by side.

    A seat that is not asked has an empty mask; what it answers is not looked at. When a game ends,
    all its seats end. The next step begins the next game there, whatever is answered.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's

    def __init__(  # noqa: PLR0913 - a table is agreed on by keywords
        self,
        game: str,
        num_envs: int,
        seats: int | None = None,
        *,
        copy: bool = True,
        remember: bool = False,
        rewards: Rewards = "ranks",
        threads: int = 1,
        **options: object,
    ) -> None:
        """Agree on a game; `num_envs` is a multiple of its seats.

        Without `copy`, what `step` returns is written over by the next: quicker, and for learners
        that have used it by then. Gymnasium is NumPy's; for a GPU there is the batch itself.
        Observations that `remember` also have what a perfect memory knows. The `rewards` are those
        of `mauerwerk.kernels.play.rewards`; a function gets a row for each game.
        """
        self._setting: Final = setting_of(game, seats, remember=remember, **options)
        if self._setting.kernel is None:
            raise SetupError(f"{game} has no kernel, so many games of it cannot be played at once")
        self._copy: Final = copy
        taken, setup = len(self._setting.seats), self._setting.setup
        if num_envs < 1 or num_envs % taken:
            raise SetupError(f"num_envs must be a multiple of the {taken} seats, not {num_envs}")
        self.num_envs = num_envs
        seen, done = self._setting.observation_space, self._setting.action_space
        self.single_observation_space, self.single_action_space = seen, done
        self.observation_space = batch_space(seen, num_envs)
        self.action_space = batch_space(done, num_envs)
        self.batch: Final = Batch(
            self._setting.game,
            setup,
            num_envs // taken,
            secrets.randbits(64),
            linger=True,
            remember=remember,
            rewards=rewards,
            threads=threads,
        )
        self.layout: Final = self.batch.layout
        self._never = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Features, dict[str, Any]]:
        """Begin all games: the first ones of a seed, or the next ones of the same."""
        del options
        if isinstance(seed, list):
            raise TypeError("one seed is enough: it begins a different game in every place")
        if seed is None:
            # As after the end of a game: no place ever has a number of another's.
            self.batch.numbers += self.batch.size
        self.batch.reset(seed)
        return self._flat(self.batch.observations), self._infos()

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Features, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """All who are asked do this. Raises ValueError if one of them may not; nothing changes."""
        batch, given = self.batch, np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers, not {given.dtype}")
        # What is no choice stays none: it must not come round to one in the 16 bits of the batch.
        batch.actions[:] = np.clip(given, -1, self._setting.choices).reshape(batch.actions.shape)
        batch.step()
        ended = np.repeat(batch.done, batch.seats)
        never = self._never.copy() if self._copy else self._never
        return (
            self._flat(batch.observations),
            self._flat(batch.rewards),
            ended,
            never,
            self._infos(),
        )

    def _infos(self) -> dict[str, Any]:
        masks = self.batch.masks.view(np.int8)
        return {"action_mask": self._flat(masks), "to_act": self._flat(self.batch.to_act)}

    def _flat(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Games and seats on one axis; an array of its own, if copies are wanted."""
        flat = array.reshape(self.num_envs, *array.shape[2:])
        return flat.copy() if self._copy and np.shares_memory(flat, array) else flat

    def choose(self) -> npt.NDArray[np.int16]:
        """Uniform choices for all who are asked; -1 for the others."""
        self.batch.choose()
        chosen: npt.NDArray[np.int16] = self._flat(self.batch.actions)
        return chosen


_register: Any = vars(gymnasium)["register"]  # its types are only partly known


def register(game: AnyGame) -> None:
    """Make a game known to Gymnasium, under its name and the revision of its rules."""
    _register(
        f"mauerwerk/{game.NAME}-v{game.RULES}",
        entry_point=partial(SeatEnv, game.NAME),
        vector_entry_point=partial(SeatsVectorEnv, game.NAME),
    )


for _game in GAMES.values():
    register(_game)
