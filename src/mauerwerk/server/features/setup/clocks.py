"""The clock of a new table: for a move, for each player's game, or days with time off."""

from typing import Final

from msgspec.structs import replace

from mauerwerk.core.language.translation import Language, message
from mauerwerk.server.features.setup.questions import Question, question
from mauerwerk.server.tables.charter import SLOW
from mauerwerk.server.tables.clocks import AWAKE, Clock
from mauerwerk.server.ui.dates import clock_of
from mauerwerk.server.ui.forms import Chip, Form

PACES: Final = (
    (0, message("As long as it takes")),
    (60, message("1 min")),
    (120, message("2 min")),
    (300, message("5 min")),
    (86_400, message("1 day")),
    (259_200, message("3 days")),
)
"""Seconds for a decision."""

TOTALS: Final = (
    ("t600", Clock(total=600, increment=10), message("10 min for the whole game")),
    ("t1500", Clock(total=1_500, increment=15), message("25 min for the whole game")),
)
"""Clocks for each player's whole game."""

DAYS_OFF: Final = (
    ("0", message("None"), ""),
    ("2", message("2 days"), message("2 days off")),
    ("7", message("7 days"), message("7 days off")),
)

NIGHTS: Final = (
    ("1", message("Yes"), ""),
    ("0", message("No, from 23 to 7"), message("nights do not count")),
)

FLAGS: Final = (
    ("0", message("A bot plays on"), ""),
    (
        "1",
        message("A bot plays on, and the seat comes last"),
        message("last place if time runs out"),
    ),
)
"""What it means that the time for the game is up."""

EVENING: Final = 23 * 60
"""The minute of the day at which a night begins, where the table is set up."""

MINUTES: Final = 24 * 60


def clock_question(form: Form, language: Language) -> Question:
    """How long players may take."""
    said = form.get("pace", "0")
    words = {str(seconds): language(text) for seconds, text in PACES}
    words |= {word: language(text) for word, _, text in TOTALS}
    chosen = said if said in words else "0"
    chips = tuple(Chip(word, text, word == chosen) for word, text in words.items())
    why = language("When the time is up, a bot plays on for that seat until its owner is back.")
    if chosen in {word for word, _, _ in TOTALS}:
        why = language(
            "Each player's clock runs while they must act. When it is up, a bot plays the game to "
            "its end."
        )
    return Question("pace", language("How long may a move take?"), chips, why)


def rest_questions(form: Form, language: Language) -> tuple[Question, ...]:
    """Days off and nights, where a move may take a day or more; what the end of a total means."""
    pace, clock = clock_in(form)
    if clock.total:
        lost = "1" if clock.forfeits else "0"
        return (
            question("flag", language("What happens when time runs out?"), FLAGS, lost, language),
        )
    if pace < SLOW:
        return ()
    off = form.get("days-off", "0")
    night = "0" if form.get("night") == "0" else "1"
    return (
        question(
            "days-off", language("How many days off does everybody get?"), DAYS_OFF, off, language
        ),
        question("night", language("Does the clock run at night?"), NIGHTS, night, language),
    )


def clock_in(form: Form) -> tuple[int, Clock]:
    """The seconds for a decision, and the rest of the clock, as the form has them."""
    said = form.get("pace", "0")
    for word, clock, _ in TOTALS:
        if word == said:
            return 0, replace(clock, forfeits=form.get("flag") == "1")
    pace = min(form.number("pace") or 0, PACES[-1][0])
    if pace < SLOW:
        return pace, Clock()
    zone = form.get("zone", "0")
    east = zone.lstrip("-")
    away = int(zone) if east.isdecimal() and int(east) < MINUTES else 0
    night = (EVENING + away) % MINUTES if form.get("night") == "0" else AWAKE
    return pace, Clock(days_off=min(form.number("days-off") or 0, 7), night=night)


def clock_told(form: Form, language: Language) -> str:
    """The clock in the summary of the table."""
    pace, clock = clock_in(form)
    if not pace and not clock.total:
        return language("no time limit")
    return clock_of(pace, clock, language)
