"""What a player sees or knows, for OpenSpiel: as text and as a tensor."""

from importlib import import_module
from typing import Any, Protocol

import msgspec
import numpy as np

from mauerwerk.adapters.encoding import encoding_of
from mauerwerk.adapters.kernel_positions import can_recall
from mauerwerk.adapters.positions import Position, TextKey
from mauerwerk.adapters.setting import Setting
from mauerwerk.core.game import Seat, Value
from mauerwerk.kernels import kernel_of

pyspiel: Any = import_module("pyspiel")


class HasPosition(Protocol):
    """A state of OpenSpiel, as an observer needs it."""

    position: Position


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
            layout = self._layout()
            self.tensor = np.zeros(max(place.stop for place in layout.values()), np.float32)
            self.dict = {part: self.tensor[place] for part, place in layout.items()}

    def _layout(self) -> Any:  # noqa: ANN401 - a mapping of slices
        setting = self._setting
        if self._remember == setting.remember:
            return setting.encoding.layout
        kernel = kernel_of(setting.game.NAME, remember=True)
        return encoding_of(setting.game, setting.setup, kernel, remember=True).layout

    def set_from(self, state: HasPosition, player: int) -> None:
        """Write down what a player sees or knows."""
        features = state.position.features(Seat(player), remember=self._remember)
        self.tensor[:] = features[: len(self.tensor)]

    def string_from(self, state: HasPosition, player: int) -> str:
        """What a player sees or knows, as JSON: a line for the table now, then one for each event.

        Of private information, what a spectator does not see.
        """
        key = TextKey(Seat(player), self._recall, self._public, self._private)
        texts = state.position.texts
        if key not in texts:
            texts[key] = self._text(state.position, Seat(player))
        return texts[key]

    def _text(self, position: Position, player: Seat) -> str:
        game, viewer, moment = (
            self._setting.game,
            player if self._private else None,
            position.moment,
        )
        view = game.view(moment.state, viewer)
        if self._private and not self._public:
            return _besides(view, game.view(moment.state, None))
        seen = msgspec.json.encode(view).decode()
        return f"{seen}\n{moment.told_text(game, viewer)}" if self._recall else seen


def _besides(view: Value, public: Value) -> str:
    """The fields of a view that a spectator's does not have like this."""
    fields = {name: getattr(view, name) for name in view.__struct_fields__}
    own = {name: value for name, value in fields.items() if value != getattr(public, name)}
    return msgspec.json.encode(own).decode()
