"""What a choice in Burgbaumeister would do, before it is made."""

from collections.abc import Collection, Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, points, sentence
from mauerwerk.games.burgbaumeister.events import Event, View
from mauerwerk.games.burgbaumeister.notation import card_name
from mauerwerk.games.burgbaumeister.values import (
    START_TOWER,
    Action,
    Add,
    Fire,
    HoldFire,
    Insert,
    Leave,
    Picture,
    Turn,
)
from mauerwerk.server.games.burgbaumeister.consequence import (
    after_words,
    consequence,
    destroyed,
    gain_words,
    lost_by,
    picture_words,
)
from mauerwerk.server.games.preview import Preview


def preview(
    view: View,
    action: Action,
    names: Sequence[str],
    language: Language,
    before: Sequence[Event] = (),
) -> Preview | None:
    """The consequence in words; the card itself stands as a ghost in the wall already."""
    match action:
        case Turn():
            return Preview(sentence="", act=language("Turn it"))
        case Add() | Insert():
            return _added(view, destroyed(before), language)
        case Leave():
            return Preview(sentence=language("It is turned face down again where it lies."))
        case Fire(number=number):
            return _fired(view, number, names, language)
        case HoldFire():
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
    who, what = names[victim], card_name(card, language)
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
    if view.spell == victim and card.picture is Picture.WIZARD:
        told.append(language("The spell is lost with it."))
    if card is wall[-1]:
        before = wall[-2].number if wall[1:] else START_TOWER
        told.append(language("Then numbers above {number} fit that wall again.", number=before))
    return Preview(
        sentence=" ".join(filter(None, told)),
        act=language("Destroy it"),
        badges={f"card-{number}": f"\N{MINUS SIGN}{lost}"} if view.variant else {},
    )
