"""Things and words that fit: rows of things, and text cut or wrapped to the room it has."""

import unicodedata
from collections.abc import Callable, Sequence


def rows(widths: Sequence[float], room: float, gap: float = 0) -> tuple[range, ...]:
    """Break a line of things into as few rows as the room allows, about equally long.

    >>> rows([40, 40, 40, 40], room=130)
    (range(0, 2), range(2, 4))
    """
    broken = _filled(widths, room, gap)
    for less in range(int(room), 0, -8):
        tighter = _filled(widths, less, gap)
        if len(tighter) > len(broken):
            break
        broken = tighter
    return broken


def _filled(widths: Sequence[float], room: float, gap: float) -> tuple[range, ...]:
    starts: list[int] = []
    used = room
    for place, width in enumerate(widths):
        if used + gap + width > room:
            starts.append(place)
            used = -gap
        used += gap + width
    return tuple(map(range, starts, [*starts[1:], len(widths)]))


Width = Callable[[str], float]


def columns(words: str) -> int:
    """The columns a terminal gives these words: two for wide characters, none for accents.

    >>> [columns(words) for words in ("Emil", "長城", "e\N{COMBINING ACUTE ACCENT}")]
    [4, 4, 1]
    """
    return sum(
        0
        if unicodedata.combining(each) or unicodedata.category(each) in {"Mn", "Me", "Cf"}
        else 1 + (unicodedata.east_asian_width(each) in {"W", "F"})
        for each in words
    )


def ems(words: str) -> float:
    """About how wide these words are in a picture, in ems, whatever the reader's font is."""
    return sum(
        0.4 if each in " .,:;'|!ijltfrI()" else 1.0 if each in "mwMW@%" else 0.66 * columns(each)
        for each in words
    )


def cut(words: str, room: float, width: Width = columns) -> str:
    """These words on one line, and an ellipsis for what does not fit into the room.

    >>> cut("Friedrich Wilhelm", 10), cut("Ada", 10)
    ('Friedrich…', 'Ada')
    """
    line = _one_line(words)
    if width(line) <= room:
        return line
    used = width("…")
    for place, each in enumerate(line):
        used += width(each)
        if used > room:
            return line[:place].rstrip() + "…"
    return line


def wrap(words: str, room: float, width: Width = columns) -> tuple[str, ...]:
    """These words on as many lines as they need."""
    lines: list[str] = []
    for word in _one_line(words).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(cut(word, room, width))
    return tuple(lines)


def _one_line(words: str) -> str:
    return " ".join("".join(_shown(each) for each in words).split())


def _shown(character: str) -> str:
    """A character as it can be shown: no control codes, nothing that turns the line around."""
    match unicodedata.category(character):
        case "Cf":
            return character if character in "\u200c\u200d" else ""  # the joiners shape letters
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cs" | "Cn":
            return "\N{REPLACEMENT CHARACTER}"
        case _:
            return character
