"""Burgbaumeister, the way between values and records: setups, states and beliefs."""

from collections.abc import Iterable
from typing import Any, Final, assert_never, get_args

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister import values
from mauerwerk.games.burgbaumeister.beliefs import Belief, known
from mauerwerk.games.burgbaumeister.cards import EXTRA, KINDS, LETTERS, STANDARD, shown
from mauerwerk.kernels.burgbaumeister import rules
from mauerwerk.kernels.burgbaumeister.observation import picture_codes
from mauerwerk.kernels.contract import NATURE, Array, Record

_PHASES: Final[tuple[type[values.State], ...]] = get_args(values.State)
"""In the order of their numbers."""
_ENDINGS: Final = tuple(values.Ending)


def pack_setup(setup: Setup[values.Options], /) -> Array:
    """The setup as an array of one record."""
    burgbaumeister.start(setup)
    options = setup.options
    if not options.stall:
        raise SetupError("with stall=no the game need not end, so no kernel plays it (BB-12)")
    packed_setup = np.zeros(1, rules.SETUP)
    out = packed_setup[0]
    out["seats"] = setup.seats
    out["first"] = NATURE if options.first == "lot" else options.first
    out["variant"] = options.variant
    out["chaotic"] = options.depot == "chaotic"
    out["aid"] = options.memory_aid
    out["full_wall"], out["most_idle"] = options.wall, options.idle
    out["all_cards"] = all_cards(options)
    if not options.variant:
        return packed_setup
    faces = shown(options)
    out["pictures"] = picture_codes(setup)
    for field, worth in (("ones", 1), ("twos", 2), ("threes", 3)):
        out[field] = cards(n for n, picture in faces.items() if EXTRA.get(picture) == worth)
    for field, kind in (
        ("knights", values.Picture.KNIGHT),
        ("damsels", values.Picture.DAMSEL),
        ("cannons", values.Picture.CANNON),
        ("towers", values.Picture.TOWER),
        ("wizards", values.Picture.WIZARD),
    ):
        out[field] = cards(n for n, picture in faces.items() if picture is kind)
    return packed_setup


def random_setup(draw: Chance, /) -> Setup[values.Options]:
    """A random setup; over time all options that change play occur."""
    seats = burgbaumeister.SEATS[draw(len(burgbaumeister.SEATS))]
    first = draw(seats + 1)
    options = values.Options(
        variant=draw(3) > 0,
        first="lot" if first == seats else first,
        depot="chaotic" if draw(3) == 0 else "rectangle",
        memory_aid=draw(3) == 0,
        pictures=STANDARD if draw(3) == 0 else _any_pictures(draw),
        **(_any_house_rules(draw) if draw(3) == 0 else {}),
    )
    return Setup(seats, options)


def _any_house_rules(draw: Chance) -> dict[str, Any]:
    """Other numbers of cards and turns, and some pictures off."""
    return {
        "cards": 1 + draw(len(values.CARDS)),
        "wall": 1 + draw(values.LONGEST_WALL),
        "idle": 1 + draw(values.MOST_IDLE_TURNS),
        **{name: draw(3) > 0 for name in KINDS},
    }


def all_cards(options: values.Options) -> int:
    """All cards of a table as a set of bits, and the places where they lie at first."""
    return (1 << options.cards) - 1


def _any_pictures(draw: Chance) -> str:
    """A table of pictures by chance that keeps to the counts (BB-21 to BB-26)."""
    numbers = list(values.CARDS)
    ravens = [("r", "rr")[draw(2)] for _ in range(5)]
    letters = [*"kq", *"nnn", *"ddd", *"ccc", *"tttt", "w", *ravens]
    assert set(letters) <= LETTERS.keys()
    return ",".join(f"{numbers.pop(draw(len(numbers)))}{letter}" for letter in letters)


def max_to_act(_setup: Setup[values.Options], /) -> int:
    """One after another."""
    return 1


def cards(numbers: Iterable[int]) -> int:
    """Numbers as a set of bits."""
    return sum(1 << number - rules.LOWEST for number in numbers)


def _numbers_in(held: int) -> tuple[int, ...]:
    return tuple(number for number in values.CARDS if held >> number - rules.LOWEST & 1)


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _places_in(held: int) -> tuple[int, ...]:
    return tuple(place for place in values.PLACES if held >> place & 1)


def pack(setup: Setup[values.Options], state: values.State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for field in rules.STATE.names or ():
        out[field] = 0
    out["phase"] = _PHASES.index(type(state))
    match state:
        case values.Drawing() | values.Spreading():
            out["depot"] = out["lying"] = out["unseen"] = all_cards(setup.options)
            out["spell"], out["layout"] = rules.NOBODY, rules.RECTANGLE
            out["player"] = state.first if isinstance(state, values.Spreading) else 0
            return
        case values.Showing(place=place) | values.Deciding(place=place):
            out["place"] = place
        case values.Over(ending=ending):
            out["ending"] = _ENDINGS.index(ending)
        case values.Turning() | values.Firing():
            pass
        case _:
            assert_never(state)
    _pack_table(state.table, out)


def _pack_table(table: values.Table, out: Record) -> None:
    out["depot"], out["left"] = _bits(table.depot), _bits(table.left)
    gone = {*table.destroyed}.union(*table.walls)
    full = all_cards(table.options)
    out["lying"] = full & ~cards(gone)
    out["unseen"] = full & ~cards(number for number in table.numbers if number)
    for seat, wall in enumerate(table.walls):
        out["walls"][seat] = cards(wall)
    out["turns"], out["player"], out["idle"] = table.turns, table.player, table.idle
    out["spell"] = rules.NOBODY if table.spell is None else table.spell
    out["layout"] = rules.RECTANGLE if table.layout is None else table.layout
    out["shots"] = len(table.destroyed)
    out["destroyed"][: len(table.destroyed)] = table.destroyed
    out["numbers"][: len(table.numbers)] = [number or 0 for number in table.numbers]


def unpack(setup: Setup[values.Options], record: Record, /) -> values.State:
    """The state of the rules that a record stands for."""
    phase = _PHASES[int(record["phase"])]
    known: dict[str, Any] = {
        "seats": setup.seats,
        "options": setup.options,
        "first": Seat(int(record["player"])),
        "table": _unpack_table(setup, record),
        "place": int(record["place"]),
        "ending": _ENDINGS[int(record["ending"])],
    }
    return phase(**{name: known[name] for name in phase.__struct_fields__})


def _unpack_table(setup: Setup[values.Options], record: Record) -> values.Table:
    spell, spread = int(record["spell"]), int(record["layout"])
    return values.Table(
        options=setup.options,
        layout=None if spread == rules.RECTANGLE else spread,
        player=Seat(int(record["player"])),
        depot=_places_in(int(record["depot"])),
        numbers=tuple(
            number or None for number in record["numbers"].tolist()[: setup.options.cards]
        ),
        walls=tuple(_numbers_in(wall) for wall in record["walls"].tolist()[: setup.seats]),
        destroyed=tuple(record["destroyed"].tolist()[: record["shots"]]),
        spell=None if spell == rules.NOBODY else Seat(spell),
        left=_places_in(int(record["left"])),
        idle=int(record["idle"]),
        turns=int(record["turns"]),
    )


def pack_belief(_setup: Setup[values.Options], belief: Belief, /) -> Array:
    """The numbers that can be named, those taken included; the others nature will deal."""
    out = np.zeros(1, rules.BELIEF)
    out["left"] = _bits(belief.left)
    out["shots"] = len(belief.destroyed)
    out["destroyed"][0, : len(belief.destroyed)] = belief.destroyed
    out["numbers"][0, : len(belief.taken)] = [number or 0 for number in belief.taken]
    for place, number in known(belief).items():
        out["numbers"][0, place] = number
    return out
