"""Burgbaumeister: what a choice would do, what an event touched, and what is told again."""

from collections.abc import Collection, Sequence
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import Language, capital, points, sentence
from mauerwerk.games.burgbaumeister import cards, events, notation, values
from mauerwerk.games.burgbaumeister.events import Event, Task, View
from mauerwerk.server.games.room import Preview, Recap, Touched


def preview(
    view: View,
    action: values.Action,
    names: Sequence[str],
    language: Language,
    before: Sequence[Event] = (),
) -> Preview | None:
    """The consequence in words; the card itself stands as a ghost in the wall already."""
    match action:
        case values.Turn():
            return Preview(sentence="", act=language("Turn it"))
        case values.Add() | values.Insert():
            return _added(view, destroyed(before), language)
        case values.Leave():
            return Preview(sentence=language("It is turned face down again where it lies."))
        case values.Fire(number=number):
            return _fired(view, number, names, language)
        case values.HoldFire():
            return Preview(sentence=language("Nothing is destroyed, and the shot is lost."))
        case _:
            return None


def _added(view: View, gone: Collection[int], language: Language) -> Preview | None:
    found = consequence(view)
    if found is None:
        return None
    told = [
        sentence(gain_words(view, found, language)),
        after_words(view, found, language, gone),
        picture_words(view, found, language),
    ]
    return Preview(sentence=" ".join(filter(None, told)))


def _fired(view: View, number: int, names: Sequence[str], language: Language) -> Preview | None:
    found = lost_by(view, number)
    if found is None:
        return None
    victim, card, lost = found
    who, what = names[victim], notation.card_name(card, language)
    wall = view.walls[victim]
    told = [
        language(
            "{who} loses {card}, and with it {points}.",
            who=capital(who),
            card=what,
            points=points(lost, language),
        )
        if view.variant
        else ""
    ]
    if view.spell == victim and card.picture is values.Picture.WIZARD:
        told.append(language("The spell is lost with it."))
    if card is wall[-1]:
        before = wall[-2].number if wall[1:] else values.START_TOWER
        told.append(language("Then numbers above {number} fit that wall again.", number=before))
    return Preview(
        sentence=" ".join(filter(None, told)),
        act=language("Destroy it"),
        badges={f"card-{number}": f"\N{MINUS SIGN}{lost}"} if view.variant else {},
    )


# --- The consequence: points, what still fits, and what a picture does -----------------------


FEW = 3
"""As many numbers are named; of more only how many there are is said."""


class Consequence(Value):
    """A card in the place of a wall that it would take."""

    seat: Seat
    card: values.Card
    place: int
    """How many cards of the wall stand before it."""
    inserted: bool
    """Whether the wizard would put it there (BB-26)."""
    gain: int
    """How many points it is worth there."""


def consequence(view: View) -> Consequence | None:
    """What becomes of the card that lies face up, if it is added; None where it fits nowhere."""
    if view.task is not Task.DECIDE or view.turned is None or view.player is None:
        return None
    card, seat = view.turned.card, view.player
    if card is None:
        return None
    wall = view.walls[seat]
    inserted = bool(wall) and card.number < wall[-1].number
    if inserted and view.spell != seat:
        return None
    place = sum(each.number < card.number for each in wall)
    gain = _worth([*wall, card]) - _worth(wall)
    return Consequence(seat, card, place, inserted, gain)


def lost_by(view: View, number: int) -> tuple[Seat, values.Card, int] | None:
    """Whose card this is, and how many points the wall would lose with it (BB-27)."""
    for seat, wall in enumerate(view.walls):
        for card in wall:
            if card.number == number:
                rest = [each for each in wall if each is not card]
                return Seat(seat), card, _worth(wall) - _worth(rest)
    return None


def _worth(wall: Sequence[values.Card]) -> int:
    pictures = {card.number: card.picture for card in wall if card.picture}
    return cards.points(tuple(card.number for card in wall), pictures)


def destroyed(told: Sequence[Event]) -> frozenset[int]:
    """The numbers that cannons are known to have taken out of the game (BB-24)."""
    return frozenset(event.card.number for event in told if isinstance(event, events.Fired))


def fitting(view: View, number: int, gone: Collection[int] = ()) -> tuple[int, ...]:
    """The higher numbers that may still be added after this one (BB-7)."""
    built = {card.number for wall in view.walls for card in wall}
    return tuple(
        each
        for each in values.CARDS[: view.cards]
        if each > number and each not in built and each not in gone
    )


# --- In words --------------------------------------------------------------------------------


def gain_words(view: View, found: Consequence, language: Language) -> str:
    """What it brings: `+4 points`; without the variant, how long the wall would be."""
    if view.variant:
        return language.many(found.gain, "+{number} point", "+{number} points")
    built = len(view.walls[found.seat]) + 1
    return language("card {number} of {most}", number=built, most=view.full_wall)


def after_words(
    view: View, found: Consequence, language: Language, gone: Collection[int] = ()
) -> str:
    """What comes after it, in a sentence."""
    wall = view.walls[found.seat]
    if len(wall) + 1 == view.full_wall:
        return language("With it the wall is complete.")
    last = max([card.number for card in wall] + [found.card.number, values.START_TOWER])
    numbers = fitting(view, last, gone)
    if not numbers:
        return language("After {number} nothing fits any more.", number=last)
    if len(numbers) <= FEW:
        return language.many(
            len(numbers),
            "After {last} only {numbers} fits.",
            "After {last} only {numbers} fit.",
            last=last,
            numbers=language.listed([f"{each}" for each in numbers]),
        )
    return language("After {last}, {count} numbers still fit.", last=last, count=len(numbers))


def picture_words(view: View, found: Consequence, language: Language) -> str:
    """What the picture does besides its points (BB-24 to BB-26); empty for most cards."""
    match found.card.picture:
        case values.Picture.CANNON if _has_targets(view, found.seat):
            return language("Its cannon may then destroy a card that is not safe.")
        case values.Picture.TOWER if found.place:
            return language.many(
                found.place,
                "It makes the card before it safe.",
                "It makes the {number} cards before it safe.",
            )
        case values.Picture.WIZARD:
            return language("Later the wizard may insert one card.")
        case _:
            return language("It uses up the wizard's spell.") if found.inserted else ""


def _has_targets(view: View, seat: Seat) -> bool:
    """Whether a cannon of this seat would have something to destroy (BB-24)."""
    return any(
        len(wall) > view.safe[other] for other, wall in enumerate(view.walls) if other != seat
    )


# --- What an event touched, and what is told again -------------------------------------------


def places(view: View, told: Sequence[Event]) -> list[tuple[str, ...]]:
    """Cards in walls, which lie open; which card was turned and left is memory (BB-9)."""
    return [_places(view, event) for event in told]


def _places(view: View, event: Event) -> tuple[str, ...]:
    match event:
        case events.Added(card=card) | events.Inserted(card=card):
            return (f"card-{card.number}",)
        case events.Fired(victim=victim):
            return ("tray" if victim == view.seat else f"wall-{victim}",)
        case _:
            return ()


def recap(
    view: View, touched: Sequence[Touched], names: Sequence[str], language: Language
) -> list[Recap]:
    """What the others did with the cards that they turned."""
    return [
        Recap(
            event.seat, notation.tell(event, names, language), where, _brief(event, names, language)
        )
        for event, where in touched
        if isinstance(event, _DONE) and event.seat != view.seat
    ]


_DONE: Final = events.Added | events.Inserted | events.Left | events.Fired | events.FireHeld
"""What can be done with a card that was turned."""


def digest(told: Sequence[Event], names: Sequence[str], language: Language) -> str:
    """A turn: what became of the card."""
    return " ".join(
        notation.tell(event, names, language) for event in told if isinstance(event, _DONE)
    )


def _brief(event: Event, names: Sequence[str], language: Language) -> str | None:
    """A card by its number alone."""
    match event:
        case events.Added(seat=seat, card=card):
            told = language("{name} added {number}.", name=names[seat], number=card.number)
        case events.Inserted(seat=seat, card=card):
            told = language("{name} inserted {number}.", name=names[seat], number=card.number)
        case events.Fired(seat=seat, card=card):
            told = language("{name} destroyed {number}.", name=names[seat], number=card.number)
        case events.Left(seat=seat):
            told = language("{name} left the card.", name=names[seat])
        case _:
            return None
    return capital(told)
