"""All seats of many games at once, as a vector environment of Gymnasium.

`gymnasium.make_vec` makes one once `mauerwerk.adapters.gymnasium` is imported.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mauerwerk.adapters.encoding import Features
from mauerwerk.adapters.setting import Setting, setting_of
from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.rewards import Rewards


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
        self._setting: Final[Setting] = setting_of(game, seats, remember=remember, **options)
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
        entropy = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self.batch: Final = Batch(
            self._setting.game,
            setup,
            num_envs // taken,
            entropy,
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
        return {"action_mask": self._flat(masks), "asked": self._flat(self.batch.to_act)}

    def _flat(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Games and seats on one axis; an array of its own, if copies are wanted."""
        flat = array.reshape(self.num_envs, *array.shape[2:])
        return flat.copy() if self._copy and np.shares_memory(flat, array) else flat

    def choose(self) -> npt.NDArray[np.int16]:
        """Uniform choices for all who are asked; -1 for the others."""
        self.batch.choose()
        chosen: npt.NDArray[np.int16] = self._flat(self.batch.actions)
        return chosen
