"""A game under way that is copied at no cost: the state, and what each viewer was told.

A `Moment` never changes; the next one refers back to it. What a viewer was told, and believes, is
computed on demand and kept, so that merely playing on does not pay for it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from mauerwerk.adapters.setting import Setting
from mauerwerk.core.game import AnyGame, Chance, Seat, Step
from mauerwerk.core.sight import Sight

Viewer = Seat | None


class Moment:
    """A state of the rules, who is asked, and all events that led there."""

    __slots__ = ("before", "beliefs", "events", "memory", "state", "texts", "to_act")

    def __init__(
        self,
        state: Any,  # noqa: ANN401 - the game's own kind
        to_act: tuple[Seat, ...],
        events: tuple[Any, ...] = (),
        before: "Moment | None" = None,
        memory: dict[Viewer, tuple[Any, ...]] | None = None,
    ) -> None:
        """A moment after another one, or a first one with what each viewer remembers."""
        self.state = state
        self.to_act = to_act
        self.events = events
        self.before = before
        self.memory = memory or {}
        self.texts: dict[Viewer, str] = {}
        self.beliefs: dict[Seat, Any] = {}

    def after(self, game: AnyGame, step: Step[Any, Any]) -> "Moment":
        """The moment to which a step leads."""
        return Moment(step.state, game.to_act(step.state), step.events, self)

    def told(self, game: AnyGame, viewer: Viewer) -> tuple[Any, ...]:
        """Every event since the start, less what this viewer could not notice."""
        moment, later = self._since(lambda each: viewer in each.memory)
        memory = moment.memory.get(viewer, ())
        return (*memory, *(event for each in later for event in each.noticed(game, viewer)))

    def told_text(self, game: AnyGame, viewer: Viewer) -> str:
        """The same as JSON, a line for each event."""
        moment, later = self._since(lambda each: viewer in each.texts)
        if viewer not in moment.texts:
            moment.texts[viewer] = _lines(moment.told(game, viewer))
        text = moment.texts[viewer]
        for each in later:
            text += _lines(each.noticed(game, viewer))
            each.texts[viewer] = text
        return text

    def belief(self, game: AnyGame, seat: Seat) -> Any:  # noqa: ANN401 - of the game's own kind
        """What this seat can infer, step by step as it was told."""
        beliefs = _beliefs_of(game)
        moment, later = self._since(lambda each: seat in each.beliefs)
        if seat not in moment.beliefs:
            moment.beliefs[seat] = beliefs.believe(moment.sight(game, seat))
        belief = moment.beliefs[seat]
        for each in later:
            belief = beliefs.after(belief, each.noticed(game, seat))
            each.beliefs[seat] = belief
        return belief

    def sight(self, game: AnyGame, seat: Seat) -> Sight[Any, Any, Any]:
        """All that this seat knows."""
        legal = tuple(game.legal(self.state, seat))
        return Sight(seat, game.view(self.state, seat), self.told(game, seat), legal)

    def noticed(self, game: AnyGame, viewer: Viewer) -> tuple[Any, ...]:
        """What of the last step this viewer was told."""
        seen = (game.seen(event, viewer) for event in self.events)
        return tuple(event for event in seen if event is not None)

    def _since(self, known: Callable[["Moment"], bool]) -> tuple["Moment", list["Moment"]]:
        """The last moment of which something is known, or the first, and all later ones."""
        later: list[Moment] = []
        moment = self
        while moment.before is not None and not known(moment):
            later.append(moment)
            moment = moment.before
        return moment, later[::-1]

    def __copy__(self) -> "Moment":
        return self

    def __deepcopy__(self, memo: object) -> "Moment":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Flatten the chain, which pickle would otherwise follow by recursion."""
        first, later = self._since(lambda _: False)
        steps = tuple((moment.state, moment.to_act, moment.events) for moment in later)
        return _rebuilt, ((first.state, first.to_act), first.memory, steps)


def _rebuilt(
    first: tuple[Any, tuple[Seat, ...]],
    memory: dict[Viewer, tuple[Any, ...]],
    steps: tuple[tuple[Any, tuple[Seat, ...], tuple[Any, ...]], ...],
) -> Moment:
    moment = Moment(*first, memory=memory)
    for step in steps:
        moment = Moment(*step, moment)
    return moment


def _lines(events: tuple[Any, ...]) -> str:
    return "".join(f"{msgspec.json.encode(event).decode()}\n" for event in events)


def _beliefs_of(game: AnyGame) -> Any:  # noqa: ANN401 - a module
    """What players of this game can infer. Raises NotImplementedError where it brings nothing."""
    if game.beliefs is None:
        raise NotImplementedError(f"{game.NAME} has no beliefs, so nothing hidden can be sampled")
    return game.beliefs


def begin(setting: Setting) -> Moment:
    """A game before the first move."""
    state = setting.game.start(setting.setup)
    return Moment(state, setting.game.to_act(state))


class Recollection(NamedTuple):
    """What everybody remembers at a table that one seat imagines, and the same as text."""

    memory: dict[Viewer, tuple[Any, ...]]
    texts: dict[Viewer, str]

    def moment(self, game: AnyGame, state: Any) -> Moment:  # noqa: ANN401 - the game's own kind
        """A moment without a history."""
        moment = Moment(state, game.to_act(state), memory=self.memory)
        moment.texts.update(self.texts)
        return moment

    def __reduce__(self) -> tuple[Any, ...]:
        """Texts can be written again."""
        return Recollection, (self.memory, {})


def recollected(setting: Setting, moment: Moment, seat: Seat) -> Recollection:
    """What this seat was told; the others remember what a spectator was told."""
    game = setting.game
    viewers: tuple[Viewer, ...] = (*map(Seat, setting.seats), None)
    memory = dict.fromkeys(viewers, moment.told(game, None))
    texts = dict.fromkeys(viewers, moment.told_text(game, None))
    memory[seat], texts[seat] = moment.told(game, seat), moment.told_text(game, seat)
    return Recollection(memory, texts)


def resampled(setting: Setting, moment: Moment, seat: Seat, draw: Chance) -> Moment:
    """A moment as it may be for all that this seat knows, by the chances of its belief.

    The seat remembers what it was told; the others, what a spectator was, and they see their hands.
    """
    game = setting.game
    belief, view = moment.belief(game, seat), game.view(moment.state, seat)
    state = _beliefs_of(game).sample(belief, view, setting.setup.options, draw)
    return recollected(setting, moment, seat).moment(game, state)
