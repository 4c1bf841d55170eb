"""Mauerbauer for the page: the board in the sea, dice and supply on the water, one's guild cards.

The board is one picture that fits its room; what is beyond its frame is water and plain land, so
that a page may show as much or as little of it as it has room for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, YOU, Language, capital, is_you, message
from mauerwerk.core.svg import Node, node, use
from mauerwerk.games.mauerbauer import events, guild, naming, notation, values
from mauerwerk.games.mauerbauer.board import Board, board_of
from mauerwerk.games.mauerbauer.drawing import geometry, ground, text
from mauerwerk.games.mauerbauer.drawing.board import flag, land
from mauerwerk.games.mauerbauer.drawing.hand import SAYS, kind_of, worth_of
from mauerwerk.games.mauerbauer.drawing.picture import answer, seat_words
from mauerwerk.games.mauerbauer.drawing.targets import Offers, on_board, several, targets
from mauerwerk.games.mauerbauer.events import Event, Task, View
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.server.games.room import Button, Parts, SeatLine
from mauerwerk.server.ui.markup import classes, explained, head, html, plate, pressed, sign, times

LOOK: Final = "mb"
SEATED: Final = False
ASIDE: Final = "side"
SYMBOLS: Final = (
    *(f"tower-{tower.name.lower()}" for tower in values.TOWERS),
    *(f"{kind}-{colour.name.lower()}" for kind in ("house", "palace") for colour in values.COLOURS),
    *("arms-west", "arms-middle", "arms-east", "wall-line", "boat"),
    *dict.fromkeys(card.art for card in guild.KINDS),
)

MANY: Final = 20
"""More places than these are drawn calmly."""
_FAR: Final = 420
"""Plain land goes on beyond anything a page shows."""


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[values.Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Event] = (),
    notes: Sequence[str] = (),  # noqa: ARG001 - the page has a list of seats for them
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (notation.write(action), notation.say(action, language)) for action in legal}
    return Parts(
        stage=html(
            node(
                "div",
                stage(view, offers, language),
                *dice(view, names, before, language),
                supply(view, language),
                class_="onboard",
                id="stage",
            )
        ),
        tray=html(*tray(view, offers, language, _laid_now(view, before))),
        aside=html(*scoring(view, names, before, language)),
        figure=html(*in_dock(view, language)),
        when=text.standing(view, language),
        seats=tuple(
            SeatLine(str(points), seat_words(view, Seat(seat), language))
            for seat, points in enumerate(view.points)
        ),
        buttons=_buttons(offers, language),
        act=_act(offers, language),
    )


def _buttons(offers: Offers, language: Language) -> tuple[Button, ...]:
    """The answers that are neither on the board nor in the hand."""
    elsewhere = _in_place(offers)
    answers = [action for action in offers if action not in elsewhere]
    return tuple(
        Button(word, answer(action, said, language), main=len(answers) == 1 and not elsewhere)
        for action in answers
        for word, said in [offers[action]]
    )


_ACTS: Final[Mapping[type[values.Action], str]] = {
    values.Build: message("Build here"),
    values.PlaceTower: message("Put it here"),
    values.PlaceHouse: message("Put it here"),
    values.Join: message("Join them"),
    values.Choose: message("Choose it"),
    values.Play: message("Play it"),
    values.Swap: message("Swap it"),
}
"""What confirms a choice on the board or in the hand."""


def _act(offers: Offers, language: Language) -> str:
    in_place = _in_place(offers)
    acts = [_ACTS[type(each)] for each in offers if each in in_place and type(each) in _ACTS]
    return language(acts[0]) if acts else ""


def _in_place(offers: Offers) -> set[values.Action]:
    """The answers that are pressed on the board or in the hand."""
    kinds = values.Placement | values.Play | values.Discard | values.Swap
    return {*on_board(offers), *(each for each in offers if isinstance(each, kinds))}


# --- The board -------------------------------------------------------------------------------

_WAVES: Final = (
    *((-60, 0.14), (-190, 0.12), (-176, 0.62), (-44, 0.5), (-110, 0.78), (-230, 0.86)),
    *((24, 0.74), (104, 0.84), (40, 0.95), (150, 0.7), (190, 0.93)),
)
"""Where there are waves: so far left or right of the board, and how far down."""


def stage(view: View, offers: Offers, language: Language, *more: Node) -> Node:
    """The board in the sea, with the flag on a city that is scored: narrow pages show that part."""
    board = board_of(view.board)
    city = next((city for city in view.cities if city.name == view.city), None)
    flags = [flag(board, city, view.builder)] if city and view.builder is not None else []
    return _board(view, offers, language, [*flags, *more], _cut(board, city))


def _cut(board: Board, city: values.City | None) -> str:
    """Which part of the board is in view, where not all of it is."""
    if city is None:
        return ""
    rows = [board.spots[point][1] for field in city.fields for point in board.corners[field]]
    if min(rows) == 0:
        return "high"
    return "low" if max(rows) == max(row for _, row in board.spots.values()) else ""


def _board(view: View, offers: Offers, language: Language, more: Sequence[Node], cut: str) -> Node:
    left, top, wide, high = geometry.size(board_of(view.board))
    left, wide, high = left - 12, wide + 24, high + 26
    waves = "".join(
        f"M{(left if aside < 0 else left + wide) + aside:.0f} {top + part * high:.0f}"
        "q7-6 14 0t14 0t14 0"
        for aside, part in _WAVES
    )
    aims = targets(view, offers, lambda place: opens(place, offers, language))
    picture = node(
        "svg",
        node(
            "path",
            d=waves,
            fill="none",
            stroke="var(--sea-2)",
            stroke_width=3,
            stroke_linecap="round",
        ),
        use("boat", left - 150, top + 0.26 * high, 70, 70, class_="boat"),
        land(view, aims, language, _FAR),
        ground.coordinates(board_of(view.board)),
        *more,
        class_=classes("board mauerwerk", len(offers) > MANY and "calm"),
        viewBox=f"{left:g} {top:g} {wide:g} {high:.1f}",
        preserveAspectRatio="xMidYMid meet",
    )
    chips = plates(offers, language)
    where = classes("stage", cut)
    return node("section", picture, *chips, class_=where, aria_label=language("Board"))


# --- Plates with the pieces that can be put on a place ---------------------------------------


def plates(offers: Offers, language: Language) -> list[Node]:
    """A plate of chips for each place that waits for a piece of one's choice."""
    return [_plate(place, answers, offers, language) for place, answers in several(offers).items()]


def opens(place: str, offers: Offers, language: Language) -> tuple[str, str]:
    """The plate that a place opens, and what it asks."""
    return f"chips-{place}", _question(place, several(offers)[place], language)


def _question(place: str, answers: Sequence[values.Placement], language: Language) -> str:
    if isinstance(answers[0], values.PlaceTower):
        return language("Which tower on {point}?", point=place)
    return language("Which house on field {field}?", field=place)


def _plate(
    place: str,
    answers: Sequence[values.Placement],
    offers: Offers,
    language: Language,
) -> Node:
    chips = [
        (offers[answer][0], *_piece(answer, language)) for answer in sorted(answers, key=_rank)
    ]
    return plate(
        f"chips-{place}",
        _question(place, answers, language),
        language("Keys 1 to {number} choose, Esc goes back.", number=len(chips)),
        [(word, words, sign(symbol)) for word, words, symbol in chips],
    )


def _rank(answer: values.Placement) -> int:
    """Colours always come in the same order; those out of supply are no answers."""
    if isinstance(answer, values.PlaceTower):
        return values.TOWERS.index(answer.tower)
    return values.COLOURS.index(answer.colour)


def _piece(answer: values.Placement, language: Language) -> tuple[str, str]:
    if isinstance(answer, values.PlaceTower):
        tower = answer.tower
        return capital(naming.tower_name(tower, language)), f"tower-{tower.name.lower()}"
    colour = answer.colour
    return capital(naming.house_name(colour, language)), f"house-{colour.name.lower()}"


# --- On the water: dice and supply -----------------------------------------------------------


def dice(
    view: View, names: Sequence[str], before: Sequence[Event], language: Language
) -> list[Node]:
    """The last roll, and whose it was."""
    last = next((event for event in reversed(before) if isinstance(event, events.Rolled)), None)
    if view.roll is not None and view.builder is not None:
        last = events.Rolled(view.builder, view.roll)
    if last is None or view.last is None or view.task is Task.ROLL:
        return []
    seat, roll = last.seat, last.roll
    name = YOU if seat == view.seat else names[seat]
    whose = language("Your roll") if is_you(name) else language("{who}'s roll", who=name)
    return [
        node(
            "section",
            node("h2", whose, class_="cap"),
            _thrown(view, roll, f"die-{view.last[1]}", language),
            class_="sea-left cast-dice below",
            id="dice",
        )
    ]


def _thrown(view: View, roll: values.Roll, name: str, language: Language) -> Node:
    """The dice, which tumble for a new roll; one is pale when what it shows is placed."""
    drawn = _faces(roll, language)
    used = _USED.get(view.task, 0) if view.roll is not None else 0
    spent = min(used, bool(roll.tower)) + max(used - 1, 0)
    faces = [
        node("span", face, class_=classes("die", place < spent and "used"), id=f"{name}-{place}")
        for place, face in enumerate(drawn)
    ]
    return node("div", *faces, class_=classes("dice", view.roll is not None and "thrown"))


_USED: Final = {Task.FREE_TOWER: 1, Task.FIRST_HOUSE: 1, Task.EDGE_HOUSE: 1, Task.SECOND_HOUSE: 2}
"""How many dice are used up, the tower die first; that die may have been left out (MB-20)."""


def in_dock(view: View, language: Language) -> list[Node]:
    """The dice once more beside the question, for a page on which the sea has no room for them."""
    if view.roll is None or view.last is None:
        return []
    thrown = _thrown(view, view.roll, f"dock-die-{view.last[1]}", language)
    return [node("div", thrown, class_="dock-dice", aria_hidden="true")]


def _faces(roll: values.Roll, language: Language) -> list[Node]:
    towers = [
        sign(f"tower-{tower.name.lower()}", words=naming.tower_name(tower, language))
        for tower in ([roll.tower] if roll.tower else [])
    ]
    houses = [
        node("b", "?", class_="num q", role="img", aria_label=language("a free choice"))
        if face is None
        else sign(f"house-{face.name.lower()}", words=naming.house_name(face, language))
        for face in roll.houses
    ]
    return [*towers, *houses]


def supply(view: View, language: Language) -> Node:
    """What is left of every piece; houses and palaces of a colour side by side.

    A page with one line for it shows their sums instead.
    """
    stock = view.supply
    houses, palaces = sum(stock.houses), sum(stock.palaces)
    all_houses = language.many(houses, "{number} house", "{number} houses")
    all_palaces = language.many(palaces, "{number} palace", "{number} palaces")
    walls = language.many(stock.walls, "{number} wall", "{number} walls")
    towers = [
        _stock(f"tower-{tower.name.lower()}", naming.counted(tower, left, language), left)
        for tower, left in zip(values.TOWERS, stock.towers, strict=True)
    ]
    pairs = [
        _stock(
            f"{piece}-{colour.name.lower()}", language.many(left, *words[colour]), left, piece[0]
        )
        for colour, *both in zip(values.COLOURS, stock.houses, stock.palaces, strict=True)
        for piece, words, left in (
            ("house", naming.HOUSES, both[0]),
            ("palace", naming.PALACES, both[1]),
        )
    ]
    piles = language("Draw pile {pile} · discards {cards}", pile=view.pile, cards=len(view.discard))
    return node(
        "section",
        node("h2", language("Supply"), class_="cap"),
        node(
            "div",
            _stock("wall-line", walls, stock.walls, "w"),
            node("div", *towers, class_="t3"),
            *pairs,
            _stock("house-red", all_houses, houses, "all"),
            _stock("palace-blue", all_palaces, palaces, "all"),
            class_="supply",
        ),
        node("p", piles, class_="piles"),
        class_="sea-right stock below",
        id="supply",
    )


def _stock(name: str, words: str, left: int, kind: str | None = None) -> Node:
    drawn = node(
        "div", sign(name, words=words), node("span", str(left), aria_hidden="true"), class_=kind
    )
    drawn.set("data-explains", f"piece-{name.partition('-')[0]}")
    return drawn


# --- The hand --------------------------------------------------------------------------------


def tray(
    view: View, offers: Offers, language: Language, laid: Sequence[tuple[guild.Card, str]] = ()
) -> list[Node]:
    """The viewer's cards, each kind once, with what it would score now.

    A place stays empty for each card that was just laid down, and says what became of it: the
    others stay where they are, so that nobody presses one that has just moved there.
    """
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is None or view.builder is None:
        return []
    worth = dict(zip(hand, view.worth, strict=True))
    count, gone = Counter(hand), dict(laid)
    cards = [
        _card(card, (worth[card], count[card]), view, offers, language)
        if card in count
        else node("li", node("div", gone[card], class_="gone"), class_="gcard")
        for card in dict.fromkeys(guild.in_order(*hand, *gone))
    ]
    # On a wide page: six in a row, eight, or many in two rows.
    crowd = "many" if len(cards) > 8 else "eight" if len(cards) > 6 else ""  # noqa: PLR2004
    says = head(language("Your guild cards"), language(SAYS[view.task is Task.NOTHING, False]))
    says[-1].set("data-then", language(_THEN[view.task is Task.BUILD]))
    return [
        node(
            "section",
            says,
            node("ul", *cards, class_=classes("hand", crowd)),
            class_="tray",
            id="tray",
            aria_label=language("Your guild cards"),
        )
    ]


def _laid_now(view: View, before: Sequence[Event]) -> list[tuple[guild.Card, str]]:
    """The cards that the viewer has laid down in a scoring in which they may play another."""
    if view.task not in {Task.ADD, Task.FINISH} or view.seat not in view.waiting:
        return []
    laid: list[tuple[guild.Card, str]] = []
    for event in reversed(before):
        if isinstance(event, events.Closed | events.Chosen | events.Joined):
            break
        if isinstance(event, events.Played) and event.seat == view.seat:
            laid.append((event.card, f"+{event.points}"))
    return laid


_THEN: Final = {
    True: message("Points then, before the dice"),
    False: message("Points then"),
}
"""What the badges on the cards mean while a choice is previewed, by whether dice follow."""


_LONG: Final = 3
"""A number with more characters than these is set smaller."""
_LONGER: Final = 4
"""The same on a phone: a card of house rules may pay 12 for a house and 20 for a palace."""


def _card(
    card: guild.Card, scores: tuple[int, int], view: View, offers: Offers, language: Language
) -> Node:
    worth, count = scores
    when, shown, counts = worth_of(card, worth, view, language)
    city = is_city_card(card)
    band = node(
        "div",
        sign("i-city" if city else "i-country", "ic"),
        node("b", kind_of(card, language)),
        node("span", when, data_then=language("then")),
        class_="kind",
    )
    times = [node("b", f"{count}\N{MULTIPLICATION SIGN}", class_="times")] if count > 1 else []
    inside = (
        band,
        node(
            "div",
            sign(card.art),
            node(
                "b",
                shown,
                class_=classes(
                    "num", len(shown) > _LONG and "long", len(shown) > _LONGER and "longer"
                ),
                data_now=language("now"),
            ),
            class_="art",
        ),
        node("h3", naming.title_of(card, language)),
        node("b", naming.short_title(card, language), class_="short", aria_hidden="true"),
        *times,
    )
    name = f"card-{card.value}"
    offer = offers.get(values.Play(card)) or offers.get(values.Swap(card))
    if offer is None:
        said = f"{naming.title_of(card, language)}, {counts}"
        face = explained(node("div", *inside, id=name, class_="face"), name, said)
    else:
        word, said = offer
        said = f"{said}, {counts}" if values.Play(card) in offers else said
        face = explained(pressed(name, (word, said), *inside, class_="face", lettered=True), name)
    away = offers.get(values.Discard(card))
    discard = (
        [pressed(f"discard-{card.value}", away, language("Discard"), class_="btn")] if away else []
    )
    return node("li", face, *discard, class_=classes("gcard", city and "c"))


# --- A scoring -------------------------------------------------------------------------------


def scoring(
    view: View, names: Sequence[str], before: Sequence[Event], language: Language
) -> list[Node]:
    """What everybody laid down for the last city, seat by seat, until the next wall is built."""
    laid: list[events.Played | events.Discarded] = []
    closed = view.task in {Task.SCORE, Task.ADD, Task.CHOOSE, Task.FINISH, Task.NOTHING}
    for event in reversed(before):
        if isinstance(event, events.Closed | events.Built):
            closed = closed or isinstance(event, events.Closed)
            break
        if isinstance(event, events.Played | events.Discarded):
            laid.insert(0, event)
    if not closed or not laid:
        return []
    rows = [
        _laid(Seat(seat), names[seat], [each for each in laid if each.seat == seat], language)
        for seat in dict.fromkeys(each.seat for each in laid)
    ]
    return [
        node(
            "section",
            head(language("Scoring")),
            node("ol", *rows),
            class_="panel scoring",
            id="scoring",
        )
    ]


def _laid(
    seat: Seat, name: str, laid: Sequence[events.Played | events.Discarded], language: Language
) -> Node:
    scored = [each.points for each in laid if isinstance(each, events.Played)]
    titles = [
        f"{naming.card_name(each.card, language)} {each.points}"
        if isinstance(each, events.Played)
        else language("discarded {card}", card=naming.card_name(each.card, language))
        for each in laid
    ]
    who = capital(language.called(name))
    return node(
        "li",
        node("span", sign(f"mark-{seat + 1}"), class_="tile"),
        node("div", node("b", who), node("span", ", ".join(titles)), class_="who"),
        *([node("b", f"+{sum(scored)}", class_="num pts")] if scored else []),
        id=f"scored-{seat}",
    )


# --- What a seat holds, small ----------------------------------------------------------------


def hand(view: View, seat: Seat, language: Language) -> list[Node]:
    """What a seat holds, with what each card would score."""
    held = view.hands[seat] or ()
    worth = dict(zip(held, view.worth, strict=True))
    return [
        _held(card, count, worth_of(card, worth[card], view, language), language)
        for card, count in Counter(held).items()
    ]


def _held(card: guild.Card, count: int, worth: tuple[str, str, str], language: Language) -> Node:
    _, shown, counts = worth
    return node(
        "li",
        sign(card.art),
        node("span", naming.title_of(card, language)),
        *times(count),
        *([node("b", shown, class_="num", title=counts)] if shown else []),
        class_=classes("held", is_city_card(card) and "c"),
    )


def private(view: View) -> str:
    """Every choice is made with one's cards in sight; all look when a city has been scored."""
    return f"turn {view.turns}, scoring" if view.city else f"turn {view.turns}"
