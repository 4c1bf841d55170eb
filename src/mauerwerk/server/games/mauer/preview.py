"""Die Mauer: what a choice would do, what an event touched, and what is told again."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, capital, message
from mauerwerk.games.mauer import events, legality, notation, values
from mauerwerk.games.mauer.drawing.stage import stone_name
from mauerwerk.games.mauer.events import Event, Task, View
from mauerwerk.server.games.room import Preview, Recap, Touched

_ROOM: Final[Mapping[tuple[values.End, ...], str]] = {
    (): message("Then no tower and no gate fits anywhere."),
    (values.End.LEFT,): message("Then towers and gates fit at the left end only."),
    (values.End.RIGHT,): message("Then towers and gates fit at the right end only."),
    (values.End.LEFT, values.End.RIGHT): message("Then towers and gates fit at both ends."),
}


def preview(
    view: View,
    action: values.Action,
    names: Sequence[str],
    language: Language,
    _before: Sequence[Event] = (),
) -> Preview | None:
    """What an action of the viewer would do, as far as they can know."""
    match action:
        case values.Build(end=end):
            return Preview(_built(view, end, language), act=language("Build here"))
        case values.Plan():
            said = capital(_planned(view, action.piece, names, language))
            return Preview(said, act=language("Close the fist"))
        case values.Choose():
            return Preview(
                language("You build it at an end of your choice."), act=language("Choose it")
            )
        case values.Give(piece=piece) if view.master is not None:
            said = language(
                "{who} must take it. What is left of it in the end costs {points}.",
                who=names[view.master],
                points=values.penalties(view.penalties)[piece],
            )
            return Preview(capital(said), act=language("Give it"))
        case _:
            return None


def _built(view: View, end: values.End, language: Language) -> str:
    """What then fits at the ends; and whether it was the last piece (DM-9, DM-23)."""
    if view.piece is None:
        return ""
    wall = (view.piece, *view.wall) if end is values.End.LEFT else (*view.wall, view.piece)
    room = language(_ROOM[legality.sites(wall, values.Piece.TOWER)])
    if view.counts[view.waiting[0]] > 1:
        return room
    return language("It is the last piece of this hand, so this turn ends the round.")


def _planned(
    view: View, piece: values.Piece | None, names: Sequence[str], language: Language
) -> str:
    """What the fist means (DM-12 to DM-15, DM-18, DM-19)."""
    if view.master is None:
        return ""
    who = names[view.master]
    if view.seat == view.master:
        if piece is None:
            return language("If no other fist is empty, you choose a piece and build it.")
        if not legality.sites(view.wall, piece):
            return language("It fits nowhere now, so nobody would build.")
        return language("If nobody guesses it, you build it.")
    if piece is None:
        return language("If only you and {who} have empty fists, you give {who} a piece.", who=who)
    room = len(legality.sites(view.wall, piece))
    if legality.is_wall(piece) or not room:
        return (
            language("If {who} plans it too, you build it.", who=who)
            if room
            else language("It fits nowhere now, so nobody would build it.")
        )
    return language.many(
        room,
        "If {who} plans it too and nobody else does, you build it.",
        "If {who} plans it too and at most one other does, you build it.",
        who=who,
    )


# --- What an event touched, and what is told again -------------------------------------------


_TOLD: Final = (
    events.FistsOpened,
    events.NobodyBuilds,
    events.Chosen,
    events.Built,
    events.Given,
    events.RoundEnded,
)


def places(view: View, told: Sequence[Event]) -> list[tuple[str, ...]]:
    """The stones are counted back from the wall that stands: of a round before none is left."""
    left, right = view.left, len(view.wall) - view.left
    found: list[tuple[str, ...]] = []
    stands = True
    for event in reversed(told):
        touched: tuple[str, ...] = ()
        match event:
            case events.Built(end=values.End.LEFT) if stands:
                touched, left = (stone_name(-left),), left - 1
            case events.Built() if stands:
                touched, right = (stone_name(right - 1),), right - 1
            case events.FistsOpened(master=master):
                touched = (f"fist-{master}",)
            case events.RoundEnded():
                stands = False
            case _:
                pass
        found.append(touched)
    return found[::-1]


def recap(
    view: View, touched: Sequence[Touched], names: Sequence[str], language: Language
) -> list[Recap]:
    """The fists, and what came of them; one's own stones need no telling.

    In the middle of a turn all have just seen it.
    """
    if view.task is not Task.PLAN:
        return []
    return [
        Recap(seat, notation.tell(event, names, language), where)
        for event, where in touched
        if isinstance(event, _TOLD) and (seat := _doer(event)) != view.seat
    ]


def digest(told: Sequence[Event], names: Sequence[str], language: Language) -> str:
    """A turn: what was planned, and what came of it."""
    return " ".join(
        notation.tell(event, names, language) for event in told if isinstance(event, _TOLD)
    )


def _doer(event: Event) -> Seat | None:
    match event:
        case events.Built(seat=seat) | events.Chosen(seat=seat) | events.Given(giver=seat):
            return seat
        case _:
            return None
