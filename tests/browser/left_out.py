"""Tests that Firefox cannot run, and why: mostly what Playwright cannot do in it."""

from collections.abc import Mapping
from typing import Final

_TAPS: Final = "Playwright's taps do not reach a page in Firefox"
_DEVTOOLS: Final = "only Chromium has the protocol that it uses"
_OFFLINE: Final = "Playwright cannot cut a worker of Firefox off; test_firefox.py stops the server"
_STYLE: Final = "Playwright puts a style of its own into the page, which the policy forbids"

FIREFOX: Final[Mapping[str, str]] = {
    "test_first_page.py::test_the_first_page_is_light": _DEVTOOLS,
    "test_passkeys.py": _DEVTOOLS,
    "test_invited.py::test_a_friend_with_a_phone_sits_down": _TAPS,
    "test_mauer_moments.py::test_a_finger_sees_what_it_does_before_it_does_it": _TAPS,
    "test_whole_games.py::test_a_game_can_be_played_by_touch_alone": _TAPS,
    "test_hints.py::test_somebody_who_asks_is_told_what_to_do_and_why": _TAPS,
    "test_phone.py::test_a_page_that_was_read_is_there_without_a_network": _OFFLINE,
    "test_phone.py::test_pages_without_a_network_follow_the_reader": _OFFLINE,
    "test_phone.py::test_a_lesson_without_a_network": _OFFLINE,
    "test_senses.py::test_the_focus_can_be_seen": _STYLE,
    "test_viewports.py::test_edges_are_lines_where_there_are_no_colours": (
        "Playwright cannot ask Firefox for forced colours"
    ),
    "test_plain_forms.py::test_a_game_needs_no_script": (
        "Playwright cannot switch scripts off in Firefox"
    ),
    "test_connection.py::test_nobody_waits_for_an_answer_whose_board_is_there_already": (
        "Playwright does not fetch in Firefox what it has intercepted"
    ),
    "test_mauer_moments.py::test_a_closed_fist_is_only_a_fist": (
        "Firefox measures a symbol that is used with its empty margin; the picture is right"
    ),
    "test_moments.py::test_a_moment_goes_on_by_itself_when_its_ring_is_empty": (
        "not understood: with a stopped clock a hand keeps its number of cards there"
    ),
}
"""The beginnings of their names, each with a reason."""


def reason(nodeid: str) -> str:
    """Why Firefox leaves out a test; nothing, if it runs."""
    name = nodeid.rpartition("/")[2]
    return next((why for start, why in FIREFOX.items() if name.startswith(start)), "")
