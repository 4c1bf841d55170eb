"""Die Mauer, the fists open: who shows what, who guessed it, and who builds."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language, is_you, message
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauer.drawing.hands import hand, palm
from mauerwerk.games.mauer.events import Closed, FistsOpened, NobodyBuilds, Task, View
from mauerwerk.games.mauer.notation import OBJECT, plan_name, tell
from mauerwerk.games.mauer.values import Plan
from mauerwerk.server.games.lid import lid
from mauerwerk.server.games.markup import html
from mauerwerk.server.games.mauer.board_slate import slate
from mauerwerk.server.games.mauer.board_stage import Player, Shown, fist, fists, item, stage, wall
from mauerwerk.server.games.mauer.board_tray import tray
from mauerwerk.server.games.moments import Happened, Moment

MOTION: Final = 1360
REST: Final = 4000

_LOOKING: Final = 300
_CLOSED: Final[Mapping[int, str]] = {
    3: message("All three fists are closed."),
    4: message("All four fists are closed."),
    5: message("All five fists are closed."),
    6: message("All six fists are closed."),
}

_SHOWS: Final = (message("{who} shows {piece}."), message("You show {piece}."))
_MASTER: Final = (
    message("{who}, master builder, shows {piece}."),
    message("You, the master builder, show {piece}."),
)
_TOO: Final = (
    message("{who} shows {piece} too and guessed it."),
    message("You show {piece} too and guessed it."),
)
_BUILDS: Final = (message("{who} builds {piece}."), message("You build {piece}."))
_FIRST: Final = (
    message("{who} builds {piece} first, then {others}."),
    message("You build {piece} first, then {others}."),
)
_NOTHING: Final = (message("{who} builds nothing."), message("You build nothing."))
_CHOOSES: Final = (
    message("{who} may choose a piece to build."),
    message("You may choose a piece to build."),
)
_GIVES: Final = (
    message("{who} gives {other} a piece in secret."),
    message("You give {rival} a piece in secret."),
)


def one(forms: tuple[str, str], who: str, language: Language, **more: str) -> str:
    """The sentence about somebody else, or the one for the reader."""
    about, reader = forms
    return language(reader, **more) if is_you(who) else capital(language(about, who=who, **more))


# --- What the fists mean ---------------------------------------------------------------------


class Opened(NamedTuple):
    """The open fists, and what follows from them."""

    event: FistsOpened
    names: Sequence[str]
    after: View
    guessers: tuple[Seat, ...]
    """Rivals who show the same as the master builder, clockwise from there (DM-14)."""

    nobody: NobodyBuilds | None

    @property
    def plan(self) -> Plan:
        """What the master builder shows."""
        return self.event.fists[self.event.master]

    @property
    def builders(self) -> tuple[Seat, ...]:
        """The seats that build this piece, in order (DM-13 to DM-15, DM-17)."""
        if self.after.task is not Task.BUILD:
            return ()
        return self.guessers if self.after.waiting[0] in self.guessers else (self.event.master,)


def _opened(happened: Happened, event: FistsOpened) -> Opened:
    master, fists_ = event.master, event.fists
    rivals = [Seat((master + step) % len(fists_)) for step in range(1, len(fists_))]
    nobody = next((each for each in happened.events if isinstance(each, NobodyBuilds)), None)
    # Where nobody builds, guessing has done nothing (DM-12, DM-20).
    guessers = () if nobody else tuple(seat for seat in rivals if fists_[seat] == fists_[master])
    return Opened(event, happened.names, happened.after, guessers, nobody)


# --- The moment ------------------------------------------------------------------------------


def reveal(happened: Happened, event: FistsOpened) -> Moment:
    """All palms open together, the master builder's piece and all that match it glow."""
    opened, language = _opened(happened, event), happened.language
    heading, more = _prompt(opened, language)
    return Moment(
        kind="reveal",
        content=_content(happened, opened),
        prompt=heading,
        more=more,
        says=" ".join(_says(opened, heading, more, language)),
        go_on=language("Go on"),
        rest=REST,
        motion=MOTION,
    )


def _content(happened: Happened, opened: Opened) -> str:
    """The table as it was, with the hands open; the shelf only shows what is in one's hand."""
    language = happened.language
    view = replace(happened.before, task=Task.BUILD, waiting=(), fists=opened.event.fists)
    items = [_hand(view, opened, Seat(seat), language) for seat in range(len(view.fists))]
    drawn = stage(fists(items), wall(view, {}, language), language=language)
    return html(drawn, *_below(happened, view))


def _below(happened: Happened, view: View) -> list[Node]:
    """What lies below the stage: one's own pieces, or what all at a device may see."""
    language = happened.language
    if happened.shared:
        return [lid(language), slate(view, happened.names, language)]
    return tray(view, {}, language)


def _hand(view: View, opened: Opened, seat: Seat, language: Language) -> Node:
    """The fist that drops, the palm that it turns into, and a ribbon for a player who guessed."""
    plan, master = opened.event.fists[seat], opened.event.master
    guessed = seat in opened.guessers and plan.piece is not None
    blocked = seat == master and opened.nobody is not None
    kinds = ["match"] * (guessed or (seat == master and not blocked)) + ["grey"] * blocked
    closed = replace(view, task=Task.PLAN, fists=(Closed(),) * len(view.fists))
    palms = palm(plan.piece, seat, *kinds) if plan.piece else hand(view, seat, 0)
    drawn = [
        node("g", *hand(closed, seat, 0), class_="was", aria_hidden="true"),
        node("g", *palms, class_="opens"),
    ]
    shows = plan_name(plan, language) if plan.piece else language("empty fist")
    titles = [language("master builder"), language("master")] if seat == master else []
    lines = [f"{title} · {shows}" for title in titles] or [shows]
    ribbon = node("span", language("guessed!"), class_="ribbon")
    more = [node("div", ribbon, class_="rb", aria_hidden="true")] if guessed else []
    shown = Shown(drawn, lines[0], lines, more, ["now"] * (seat in opened.builders))
    return item(view, Player(seat, opened.names[seat], "", None), shown, language)


# --- Words -----------------------------------------------------------------------------------


def _prompt(opened: Opened, language: Language) -> tuple[str, str]:
    """What came of it, and who builds what, in order."""
    names, master = opened.names, opened.event.master
    guessed = [names[seat] for seat in opened.guessers]
    if opened.nobody is not None:
        return tell(opened.nobody, names, language), ""
    if opened.plan.piece is None:
        return _emptied(opened, guessed, language)
    order = _order(opened, language)
    if not guessed:
        return language("Nobody guessed it."), order
    heading = sentence(
        language("{names} guessed it", names=guessed)
        if guessed[1:]
        else language("{name} guessed it", name=guessed[0])
    )
    if master in opened.builders:
        room = language("There is not enough room for all of them.")
        return heading, f"{room} {order}"
    return heading, f"{order} {one(_NOTHING, names[master], language)}"


def _emptied(opened: Opened, guessed: Sequence[str], language: Language) -> tuple[str, str]:
    """The master builder's hand is empty (DM-18, DM-19)."""
    master = opened.names[opened.event.master]
    if not guessed:
        heading = one(_SHOWS, master, language, piece=language("an empty fist"))
        return heading, one(_CHOOSES, master, language)
    heading = sentence(language("{names} show empty fists", names=[master, *guessed]))
    return heading, one(_GIVES, guessed[0], language, other=master, rival=master)


def _order(opened: Opened, language: Language) -> str:
    first, *others = (opened.names[seat] for seat in opened.builders)
    piece = plan_name(opened.plan, language, OBJECT)
    if not others:
        return one(_BUILDS, first, language, piece=piece)
    then = language.listed([language.called(name) for name in others])
    return one(_FIRST, first, language, piece=piece, others=then)


def _says(opened: Opened, heading: str, more: str, language: Language) -> list[str]:
    """The fists, the master builder's first; then who builds, or why nobody does."""
    event, names = opened.event, opened.names
    shown = [
        language("an empty fist") if not plan.piece else plan_name(plan, language, OBJECT)
        for plan in event.fists
    ]
    said = [
        language("All fists are open."),
        one(_MASTER, names[event.master], language, piece=shown[event.master]),
    ]
    guessed = [names[seat] for seat in opened.guessers]
    if guessed and opened.plan.piece is not None:
        said.append(_too(guessed, shown[event.master], language))
    told = {event.master, *(opened.guessers if opened.plan.piece is not None else ())}
    said += [
        one(_SHOWS, names[seat], language, piece=shown[seat])
        for seat in range(len(names))
        if seat not in told
    ]
    if opened.nobody is not None:
        return [*said, heading]
    return [*said, more]


def _too(guessed: Sequence[str], piece: str, language: Language) -> str:
    """Who shows the same as the master builder."""
    if guessed[1:]:
        told = language("{names} show {piece} too and guessed it", names=guessed, piece=piece)
        return sentence(told)
    return one(_TOO, guessed[0], language, piece=piece)


# --- At a device that several share ----------------------------------------------------------


def look(happened: Happened) -> Moment:
    """Everybody looks at the closed fists; nobody's pieces are shown any more."""
    language, before = happened.language, happened.before
    seats = len(before.fists)
    view = replace(before, waiting=(), fists=(Closed(),) * seats)
    items = [
        fist(view, Player(Seat(seat), happened.names[seat], "", None), language)
        for seat in range(seats)
    ]
    ajar = [
        node("span", class_=f"ajar {side}".strip(), aria_hidden="true") for side in ("", "right")
    ]
    drawn = stage(*ajar, fists(items), wall(view, {}, language), language=language)
    heading, closed = language("Everybody look!"), language(_CLOSED[seats])
    return Moment(
        kind="look",
        content=html(drawn, *_below(happened, view)),
        prompt=heading,
        more=f"{closed} {language('Put the device where all can see it.')}",
        says=f"{heading} {closed}",
        go_on=language("Open the fists"),
        rest=0,
        motion=_LOOKING,
    )
