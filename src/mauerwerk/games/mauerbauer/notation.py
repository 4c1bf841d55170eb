"""Mauerbauer on paper: a word per action, and sentences for actions, events and questions."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.errors import NotAWordError, not_an_action
from mauerwerk.core.game import NATURE, Seat, ranked
from mauerwerk.core.language import ENGLISH, Language, message, sentence, shares, won
from mauerwerk.games.mauerbauer import board, events, guild, naming, scoring, values
from mauerwerk.games.mauerbauer.events import Event, Task, View

NAME: Final = "mauerbauer"
TITLE: Final = "Mauerbauer"

CLAUSES: Final[Mapping[str, str]] = {
    "MB-4": "a wall goes on a line of the board, and this is none; its left end comes first",
    "MB-8": "lots decide who begins, then everybody is dealt cards",
    "MB-10": "a turn is a wall, then the dice, then towers and houses, then the city",
    "MB-11": "a wall goes on a free line, and there is a wall on this one",
    "MB-12": "no wall goes inside a closed city",
    "MB-14": "you may roll before building once per turn, if the table allows it",
    "MB-19": "towers come before houses, the rolled tower before the free one, "
    "the first die's house before the other",
    "MB-21": "the rolled tower, or any other if it is out, goes on a free end of the new wall",
    "MB-22": "a tower of any colour in supply goes on the other end of the new wall",
    "MB-25": "each die's house goes beside the new wall, one on either side",
    "MB-28": "a house that one of the dice allows goes beside the new wall",
    "MB-40": "the city just closed is joined with one closed city that shares a wall, or with none",
    "MB-43": "clockwise, everybody plays one or two of their cards, or discards one",
    "MB-45": "cards are being drawn",
    "MB-47": "players who are furthest behind may swap cards, one after the other",
    "MB-72": "clockwise, everybody may choose a city and play up to two of their cards",
    "MB-73": "the game is over",
}


def write(action: values.Action, /) -> str:
    """One word per action.

    `h3-j3` build, `!` roll early, `Bh3` tower, `r3h` house, `&3h` `&-` join, `city-7` play,
    `-city-7` discard, `^city-7` swap, `.` done, `=3h` `=-` choose; nature's are `@2` appoint,
    `+city-7` deal, `*Br?` `*r?` roll.
    """
    match action:
        case values.Appoint(seat=seat):
            return f"@{seat}"
        case values.Deal(card=card):
            return f"+{card.value}"
        case values.RollEarly():
            return "!"
        case values.Build(line=line):
            return line
        case values.Roll(tower=tower, houses=houses):
            faces = "".join("?" if face is None else face.value for face in houses)
            return f"*{tower.value if tower else ''}{faces}"
        case values.PlaceTower(point=point, tower=tower):
            return f"{tower.value}{point}"
        case values.PlaceHouse(field=field, colour=colour):
            return f"{colour.value}{field}"
        case values.Join(city=city):
            return f"&{city or '-'}"
        case values.Play(card=card):
            return str(card.value)
        case values.Discard(card=card):
            return f"-{card.value}"
        case values.Swap(card=card):
            return f"^{card.value}"
        case values.Done():
            return "."
        case values.Choose(city=city):
            return f"={city or '-'}"
        case _:
            raise not_an_action(action)


_FIXED: Final[Mapping[str, values.Action]] = {
    write(action): action
    for action in (
        *(
            kind(card)
            for kind in (values.Play, values.Discard, values.Swap, values.Deal)
            for card in guild.KINDS
        ),
        *(values.Appoint(Seat(seat)) for seat in range(4)),
        *values.FULL_ROLLS,
        *values.HOUSE_ROLLS,
        *(values.Join(None), values.Choose(None), values.RollEarly(), values.Done()),
    )
}
"""The words that are the same on every board."""

_POINT: Final = "[a-z][1-9][0-9]?"
_FIELD: Final = "[1-9][0-9]?[a-z]"
_BUILD: Final = re.compile(f"{_POINT}-{_POINT}", re.ASCII)
_TOWER: Final = re.compile(f"[WGB]{_POINT}", re.ASCII)
_HOUSE: Final = re.compile(f"[ygbpr]{_FIELD}", re.ASCII)
_CITY: Final = re.compile(f"[&=]{_FIELD}", re.ASCII)


def parse(word: str, /) -> values.Action:
    """Read what `write` wrote; whether this board has such a line or field, the rules tell."""
    if word in _FIXED:
        return _FIXED[word]
    first, rest = word[:1], word[1:]
    if _BUILD.fullmatch(word):
        return values.Build(board.Line(word))
    if _TOWER.fullmatch(word):
        return values.PlaceTower(board.Point(rest), values.Tower(first))
    if _HOUSE.fullmatch(word):
        return values.PlaceHouse(board.Field(rest), values.Colour(first))
    if _CITY.fullmatch(word):
        return values.Join(board.Field(rest)) if first == "&" else values.Choose(board.Field(rest))
    expected = message("there are h3-j3 ! Bh3 r3h &3h &- city-7 -city-7 ^city-7 . =3h and =-")
    raise NotAWordError(word, expected)


# --- Actions ---------------------------------------------------------------------------------


def say(action: values.Action, language: Language = ENGLISH, /) -> str:
    """The action as a player would say it."""
    match action:
        case values.Appoint(seat=seat):
            return language("let seat {seat} begin", seat=seat + 1)
        case values.RollEarly():
            return language("roll before building, for a point")
        case values.Build(line=line):
            return language("build from {start} to {end}", **ends(line))
        case values.Roll():
            return language("roll {roll}", roll=naming.roll_name(action, language, naming.OBJECT))
        case values.PlaceTower(point=point, tower=tower):
            piece = naming.tower_name(tower, language, naming.OBJECT)
            return language("put {piece} on {point}", piece=piece, point=point)
        case values.PlaceHouse(field=field, colour=colour):
            piece = naming.house_name(colour, language)
            return language("put {piece} on field {field}", piece=piece, field=field)
        case values.Join(city=city):
            if city is None:
                return language("join no city")
            return language("join the city of field {field}", field=city)
        case values.Done():
            return language("done")
        case values.Choose(city=city):
            if city is None:
                return language("choose no city")
            return language("choose the city of field {field}", field=city)
        case values.Deal() | values.Play() | values.Discard() | values.Swap():
            return _say_card(action, language)


def _say_card(
    action: values.Deal | values.Play | values.Discard | values.Swap, language: Language
) -> str:
    card = naming.card_name(action.card, language)
    match action:
        case values.Deal():
            return language("deal {card}", card=card)
        case values.Play():
            return language("play {card}", card=card)
        case values.Discard():
            return language("discard {card}", card=card)
        case values.Swap():
            return language("swap out {card}", card=card)


def ends(line: board.Line) -> dict[str, str]:
    """Where a line begins and ends."""
    start, end = line.split("-")
    return {"start": start, "end": end}


# --- Events ----------------------------------------------------------------------------------


def tell(event: Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case events.Appointed(seat=seat):
            return sentence(language("{name} will go first", name=names[seat]))
        case events.Reshuffled(cards=cards):
            return language.many(
                cards,
                "The discard pile of {number} card was shuffled.",
                "The discard pile of {number} cards was shuffled.",
            )
        case events.EndDecided(ending=ending):
            return language(
                "The game is about to end: {why}.", why=naming.ending_name(ending, language)
            )
        case events.PalacesBuilt(colours=colours):
            built = naming.new_palaces(colours, language)
            return language("The houses became {palaces}.", palaces=built)
        case events.Cleared(walls=walls, towers=towers):
            return sentence(_cleared(len(walls), len(towers), language))
        case events.TurnPassed(builder=builder):
            return language("The dice went to {name}.", name=names[builder])
        case events.GameEnded(points=points):
            total = shares(names, points, language)
            return language("The game is over. Points: {points}.", points=total)
        case (
            events.Drawn()
            | events.Played()
            | events.Discarded()
            | events.Swapped()
            | events.Finished()
            | events.Chosen()
        ):
            return sentence(_tell_card(event, names[event.seat], language))
        case (
            events.RolledEarly()
            | events.Built()
            | events.Rolled()
            | events.TowerPlaced()
            | events.HousePlaced()
        ):
            return sentence(_tell_building(event, names[event.seat], language))
        case events.Closed() | events.Joined():
            return sentence(_tell_city(event, names[event.seat], language))


def _tell_building(
    event: events.RolledEarly
    | events.Built
    | events.Rolled
    | events.TowerPlaced
    | events.HousePlaced,
    name: str,
    language: Language,
) -> str:
    match event:
        case events.RolledEarly(lost=0):
            return language("{name} rolled before building and lost nothing", name=name)
        case events.RolledEarly(lost=lost):
            return language.many(
                lost,
                "{name} rolled before building and lost {number} point",
                "{name} rolled before building and lost {number} points",
                name=name,
            )
        case events.Built(line=line):
            return language("{name} built a wall from {start} to {end}", name=name, **ends(line))
        case events.Rolled(roll=roll):
            return language(
                "{name} rolled {roll}",
                name=name,
                roll=naming.roll_name(roll, language, naming.OBJECT),
            )
        case events.TowerPlaced(point=point, tower=tower):
            piece = naming.tower_name(tower, language, naming.OBJECT)
            return language("{name} put {piece} on {point}", name=name, piece=piece, point=point)
        case events.HousePlaced(field=field, colour=colour):
            piece = naming.house_name(colour, language)
            return language(
                "{name} put {piece} on field {field}", name=name, piece=piece, field=field
            )


def _tell_city(event: events.Closed | events.Joined, name: str, language: Language) -> str:
    match event:
        case events.Closed(fields=fields):
            return language.many(
                len(fields),
                "{name} closed a city of {number} field",
                "{name} closed a city of {number} fields",
                name=name,
            )
        case events.Joined(other=other):
            if other is None:
                return language("{name} did not join the city", name=name)
            return language("{name} joined the city of field {field}", name=name, field=other)


def _tell_card(
    event: events.Drawn
    | events.Played
    | events.Discarded
    | events.Swapped
    | events.Finished
    | events.Chosen,
    name: str,
    language: Language,
) -> str:
    match event:
        case events.Drawn(card=card):
            if card is None:
                return language("{name} drew a card", name=name)
            return language("{name} drew {card}", name=name, card=naming.card_name(card, language))
        case events.Played(card=card, points=points):
            return language.many(
                points,
                "{name} played {card} for {number} point",
                "{name} played {card} for {number} points",
                name=name,
                card=naming.card_name(card, language),
            )
        case events.Discarded(card=card):
            return language(
                "{name} discarded {card}", name=name, card=naming.card_name(card, language)
            )
        case events.Swapped(card=card):
            return language(
                "{name} swapped out {card}", name=name, card=naming.card_name(card, language)
            )
        case events.Finished():
            return language("{name} finished", name=name)
        case events.Chosen(city=city):
            if city is None:
                return language("{name} chose no city", name=name)
            return language("{name} chose the city of field {field}", name=name, field=city)


def _cleared(walls: int, towers: int, language: Language) -> str:
    stood = [
        *([language.many(walls, "{number} wall", "{number} walls")] if walls else []),
        *([language.many(towers, "{number} tower", "{number} towers")] if towers else []),
    ]
    return language("{pieces} went back to the supply", pieces=language.listed(stood))


# --- Questions -------------------------------------------------------------------------------

_QUESTIONS: Final[Mapping[Task, str]] = {
    Task.BUILD: message("It is your turn. Where do you build?"),
    Task.FREE_TOWER: message("Which tower goes on the other end?"),
    Task.SCORE: message("Play a card, or discard one and draw two."),
    Task.ADD: message("Do you play another card?"),
    Task.SWAP: message("You are furthest behind. Which cards do you swap?"),
    Task.CHOOSE: message("The last scoring: which city do you choose?"),
    Task.FINISH: message("The last scoring: you may play up to two cards."),
}


def ask(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What the table waits for, as a question to the viewer; at the end, who won."""
    if view.task is Task.NOTHING:
        keys = [(-points, -count) for points, count in zip(view.points, view.counts, strict=True)]
        winners = [name for name, rank in zip(names, ranked(keys), strict=False) if rank == 1]
        return won(winners, max(view.points), language)
    if NATURE in view.waiting:
        return language("The dice and the cards decide.")
    if view.seat not in view.waiting:
        return _doing(view, names[view.waiting[0]], language)
    if view.roll is not None:
        return _ask_to_place(view, view.roll, language)
    match view.task:
        case Task.JOIN:
            return _ask_to_join(view, language)
        case Task.SCORE if view.ending is not None:  # nobody draws any more (MB-71)
            return language("Play a card, or discard one for nothing.")
        case Task.SWAP if _shares_last_place(view):
            return language("You share last place. Which cards do you swap?")
        case Task.FINISH if view.seat in {each.seat for each in view.laid}:
            return language("The last scoring: do you play another card?")
        case _:
            return language(_QUESTIONS[view.task]) if view.task in _QUESTIONS else ""


_DOING: Final[Mapping[Task, str]] = {
    Task.BUILD: message("{who} is choosing a line for a wall."),
    Task.SCORE: message("The city is scored: {who} plays a card or discards one."),
    Task.ADD: message("The city is scored: {who} may play another card."),
    Task.SWAP: message("{who} is furthest behind and may swap cards."),
    Task.CHOOSE: message("The last scoring: {who} is choosing a city."),
    Task.FINISH: message("The last scoring: {who} may play up to two cards."),
}


def _doing(view: View, who: str, language: Language) -> str:
    if view.roll is not None and view.task is not Task.BUILD:
        rolled = naming.roll_name(view.roll, language, naming.OBJECT)
        if view.task in {Task.ROLLED_TOWER, Task.FREE_TOWER}:
            return language("{who} rolled {roll} and is placing a tower.", who=who, roll=rolled)
        return language("{who} rolled {roll} and is placing a house.", who=who, roll=rolled)
    if view.task is Task.SWAP and _shares_last_place(view):
        return language("{who} shares last place and may swap cards.", who=who)
    if view.task is Task.JOIN:
        return language("{who} closed a city and may join it with another.", who=who)
    return language(_DOING[view.task], who=who)


def _shares_last_place(view: View) -> bool:
    """Whether several players have the fewest points (MB-47)."""
    return view.points.count(min(view.points)) > 1


def _ask_to_join(view: View, language: Language) -> str:
    return language.many(
        next(len(city.fields) for city in view.cities if city.name == view.city),
        "You closed a city of {number} field. With which city do you join it?",
        "You closed a city of {number} fields. With which city do you join it?",
    )


def _ask_to_place(view: View, roll: values.Roll, language: Language) -> str:
    faces = naming.roll_name(values.Roll(None, roll.houses), language, naming.OBJECT)
    match view.task:
        case Task.ROLLED_TOWER:
            assert roll.tower is not None
            return _ask_for_tower(view, roll, roll.tower, language)
        case Task.FIRST_HOUSE:
            return _ask_for_first_house(view, roll, faces, language)
        case Task.SECOND_HOUSE:
            return _ask_for_second_house(view, roll, faces, language)
        case Task.EDGE_HOUSE:
            return language("The dice show {roll}. Which house do you take?", roll=faces)
        case _:
            return language(_QUESTIONS[view.task]) if view.task in _QUESTIONS else ""


def _ask_for_tower(view: View, roll: values.Roll, tower: values.Tower, language: Language) -> str:
    """When the rolled colour is out, any other will do (MB-21, MB-23)."""
    if view.supply.towers[values.TOWERS.index(tower)]:
        return language(
            "The dice show {roll}. Where does {piece} go?",
            roll=naming.roll_name(roll, language, naming.OBJECT),
            piece=language(naming.THE_TOWER[tower]),
        )
    return language(
        "There is {none} left. Where does a tower of your choice go?",
        none=language(naming.NO_TOWER[tower]),
    )


def _ask_for_first_house(view: View, roll: values.Roll, faces: str, language: Language) -> str:
    """The first die's house goes on either side (MB-25); when it is out, any other (MB-27)."""
    face = roll.houses[0]
    if face is None:
        return language("The dice show {roll}. Where does your free choice go?", roll=faces)
    if not _in_supply(view, face):
        return language(
            "There is {none} left. Where does a house of your choice go?",
            none=language(naming.NO_HOUSE[face]),
        )
    piece = naming.the_house(face, language, "first" if _is_double(roll) else "")
    return language("The dice show {roll}. Where does {piece} go?", roll=faces, piece=piece)


def _ask_for_second_house(view: View, roll: values.Roll, faces: str, language: Language) -> str:
    """The second die's house goes on the other side; often that leaves no choice (MB-25)."""
    face, field = roll.houses[1], view.field or ""
    if face is None:
        return language(
            "The dice show {roll}. Which house goes on field {field}?", roll=faces, field=field
        )
    if not _in_supply(view, face):
        return language(
            "There is {none} left. Which house goes on field {field}?",
            none=language(naming.NO_HOUSE[face]),
            field=field,
        )
    piece = naming.the_house(face, language, "second" if _is_double(roll) else "")
    goes = language("{piece} goes on field {field}", piece=piece, field=field)
    return f"{language('The dice show {roll}.', roll=faces)} {sentence(goes)}"


def _in_supply(view: View, colour: values.Colour) -> bool:
    return view.supply.houses[values.COLOURS.index(colour)] > 0


def _is_double(roll: values.Roll) -> bool:
    return roll.houses[0] == roll.houses[1]


_HAPPENED: Final[Mapping[type[Event], str]] = {
    events.Reshuffled: "MB-46",
    events.RolledEarly: "MB-14",
    events.Closed: "MB-31",
    events.PalacesBuilt: "MB-34",
    events.Cleared: "MB-35",
    events.Joined: "MB-40",
    events.Discarded: "MB-43",
    events.Swapped: "MB-47",
    events.Chosen: "MB-72",
    events.GameEnded: "MB-73",
}


def clause(event: Event, /) -> str:
    """The clause that explains an event; empty where none is needed.

    >>> clause(events.Played(0, guild.Card.CITIES, 4))
    'MB-64'
    """
    match event:
        case events.Played(card=card):
            return scoring.CLAUSE_OF[card]
        case events.EndDecided(ending=ending):
            return "MB-13" if ending is values.Ending.NO_LINE else "MB-70"
        case _:
            return _HAPPENED.get(type(event), "")
