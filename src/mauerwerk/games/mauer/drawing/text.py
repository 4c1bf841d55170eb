"""Die Mauer as text for a terminal, and the words that both drawings use."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat, ranked
from mauerwerk.core.language import ENGLISH, Language, signed
from mauerwerk.core.svg.fitting import columns, cut, rows, wrap
from mauerwerk.games.mauer import legality, notation, rules
from mauerwerk.games.mauer.events import Closed, Task, Thinking, View
from mauerwerk.games.mauer.values import End, Piece, Plan, penalties

_COLUMNS: Final = 80
_NAME: Final = 20
_FEW_ROUNDS: Final = 6


def text(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """The table drawn for a terminal, 80 columns wide."""
    blocks = [
        f"{notation.TITLE}. {when(view, language)}",
        "\n".join(_courses(view, language)),
        "\n".join(_sheet(view, names, language)),
        "\n".join(_own_hand(view, language)),
    ]
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(line.rstrip() for line in lines)


# --- Words -----------------------------------------------------------------------------------


def when(view: View, language: Language) -> str:
    """Which round, and which turn of the game."""
    if view.task is Task.NOTHING:
        return language("The game is over")
    return language(
        "Round {round} of {rounds}, turn {turn}",
        round=len(view.scores) + 1,
        rounds=view.rounds,
        turn=view.turns + 1,
    )


def places(view: View) -> tuple[int, ...]:
    """The ranks as the score sheet stands."""
    return ranked(rules.totals(view.scores, len(view.counts)))


def fist_words(view: View, seat: Seat, language: Language) -> str:
    """What is seen of a fist, as a word or two; the viewer is spoken to."""
    fist = view.fists[seat]
    own = seat == view.seat
    match fist:
        case Thinking() if seat in view.waiting:
            return language.about("you", "thinking") if own else language("thinking")
        case Thinking():
            return language.about("you", "waiting") if own else language("waiting")
        case Closed():
            return language.about("you", "ready") if own else language("ready")
        case Plan(piece=None):
            return language("empty fist")
        case Plan() if _guessed(view, seat):
            return language.about("you", "guessed it") if own else language("guessed it")
        case Plan() as plan:
            return notation.plan_name(plan, language)


def _guessed(view: View, seat: Seat) -> bool:
    """Whether this rival's open fist shows what the master builder planned (DM-14)."""
    if view.task is Task.PLAN or view.master is None or seat == view.master:
        return False
    fist = view.fists[seat]
    return isinstance(fist, Plan) and fist.piece is not None and fist == view.fists[view.master]


# --- The wall --------------------------------------------------------------------------------

_TOWER: Final = ("▄ ▄ ▄", "┌───┐", "│   │", "│ T │", "│   │", "└───┘")
_GATE: Final = ("", "▄ ▄ ▄ ▄", "┌─────┐", "│  C  │", "│ ┌─┐ │", "└─┘ └─┘")
_GROUND: Final = "▔"


def _block(piece: Piece) -> tuple[str, ...]:
    """A piece in six lines: towers higher than gates, gates higher than walls."""
    match piece:
        case Piece.TOWER:
            return _TOWER
        case Piece.GATE:
            return _GATE
        case _:
            merlons = int(piece.value)
            inside = 2 * merlons - 1
            return (
                "",
                "",
                " ▄" * merlons,
                f"┌{'─' * inside}┐",
                f"│{piece.value:^{inside}}│",
                f"└{'─' * inside}┘",
            )


def _courses(view: View, language: Language) -> list[str]:
    """The wall, in as many courses as it needs; arrows where the viewer may build."""
    open_ends: tuple[End, ...] = ()
    if view.piece is not None and view.seat is not None and view.seat in view.waiting:
        open_ends = legality.sites(view.wall, view.piece)
    blocks = [_block(piece) for piece in view.wall]
    if End.LEFT in open_ends:
        blocks.insert(0, ("", "", "", "", " < ", ""))
    if End.RIGHT in open_ends:
        blocks.append(("", "", "", "", " > ", ""))
    widths = [max(map(len, block)) for block in blocks]
    lines: list[str] = []
    for row in rows(widths, _COLUMNS - 4):
        margin = " " * ((_COLUMNS - sum(widths[place] for place in row)) // 2)
        course = [
            margin + "".join(f"{blocks[place][level]:{widths[place]}}" for place in row)
            for level in range(6)
        ]
        lines += [line for line in course if line.strip()]
        lines.append(_GROUND * _COLUMNS)
    return lines or [language("Nothing is built yet.").center(_COLUMNS), _GROUND * _COLUMNS]


# --- Fists, scores, hand ---------------------------------------------------------------------


def _sheet(view: View, names: Sequence[str], language: Language) -> list[str]:
    """A line for each seat: the stone, whom we wait for, name, fist, pieces left, scores."""
    over = view.task is Task.NOTHING
    scores = [str(score) for points in view.scores for score in points]
    wide = max(2, *map(len, scores)) + 1 if scores else 3
    wide = wide + 1 if view.rounds <= _FEW_ROUNDS else wide
    room = min(_NAME, _COLUMNS - (31 if over else 30) - wide * view.rounds)
    head = (
        ["", language("left over"), ""]
        if over
        else ["", language("fist"), f"{language('left'):>5}"]
    )
    rounds = [str(number) for number in range(1, view.rounds + 1)]
    ends = f"{language('sum'):>6}" + f"{language('rank'):>6}" * over
    lines = [_line("", head, room, rounds, wide) + ends]
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        stone = "M" if seat == view.master and not over else " "
        waited = ">" if seat in view.waiting else " "
        name = cut(names[seat], room - 6 * (seat == view.seat))
        fist = fist_words(view, seat, language)
        if over:
            left = " ".join(piece.value for piece in view.hands[seat] or ())
            fist = left or language("nothing")
        points = [str(each[seat]) for each in view.scores]
        points += ["·"] * (view.rounds - len(points))
        cells = [signed(name, language, own=seat == view.seat), fist, "" if over else f"{count:>5}"]
        line = _line(stone + waited, cells, room, points, wide)
        total = rules.totals(view.scores, len(view.counts))[seat]
        lines.append(f"{line}{total:>6}" + f"{places(view)[seat]:>6}" * over)
    legend = [language("M master builder's stone")] * (view.master is not None and not over)
    legend += [language("> whom we wait for")] * any(seat >= 0 for seat in view.waiting)
    return [*lines, "   ".join(legend)] if legend else lines


def _line(who: str, cells: Sequence[str], room: int, points: Sequence[str], wide: int) -> str:
    name, fist, left = cells
    spaces = " " * (room - columns(name))
    scores = "".join(f"{score:>{wide}}" for score in points)
    return f"{who:4}{name}{spaces} {cut(fist, 14):14}{left}{scores}"


def _own_hand(view: View, language: Language) -> list[str]:
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is None or view.task in {Task.LOT, Task.NOTHING}:
        return []
    cost = sum(penalties(view.penalties)[piece] for piece in hand)
    held = " ".join(piece.value for piece in hand)
    told = language(
        "Your pieces: {pieces} (cost if the round ended now: {cost})", pieces=held, cost=cost
    )
    return [*wrap(told, _COLUMNS)]
