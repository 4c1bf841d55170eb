"""Tests that Firefox cannot run, each with a reason that was tried out.

Playwright 1.62 drives Firefox ESR 153 over WebDriver BiDi, which cannot do all that it does in
Chromium. With `BROWSER=firefox LEFT_OUT=run` these tests run all the same: one that passes need not
be here any more.
"""

import os
from collections.abc import Mapping
from typing import Final

_FRAMES: Final = (
    "Playwright's click waits for a frame of animation, which a Firefox without scripts never has"
)
_TAPS: Final = "Playwright's tap causes no event in a page of Firefox, not even in an empty one"
_BODY: Final = "Playwright has no body of an intercepted request of Firefox"
_DEVTOOLS: Final = "Playwright has sessions of the DevTools protocol only with Chromium"

FIREFOX: Final[Mapping[str, str]] = {
    "test_first_page.py::test_the_first_page_is_light": _DEVTOOLS,
    "test_passkeys.py": _DEVTOOLS,
    "test_plain_forms.py": _FRAMES,
    "test_pocket.py::test_the_home_page_can_be_read_before_any_script": (
        "a profile of Firefox has scripts, although Playwright is told that it has none"
    ),
    "test_pocket.py::test_games_are_taken_along": (
        "Playwright hears of no download of Firefox whose content a page made itself"
    ),
    "test_pocket_games.py": (
        "Playwright's offline refuses requests that a service worker of Firefox would answer; with "
        "the server stopped, a whole game was played there"
    ),
    "test_puzzles.py::test_a_puzzle_needs_no_script": _FRAMES,
    "test_replay.py::test_a_replay_needs_no_script": _FRAMES,
    "test_learn.py::test_a_lesson_needs_no_script": _FRAMES,
    "test_home.py::test_a_choice_is_made_everywhere[no script]": _FRAMES,
    "test_board_editor.py::test_without_a_script_every_triangle_is_a_button": _FRAMES,
    "test_set_up.py::test_a_table_is_set_up_everywhere[no script]": _FRAMES,
    "test_invited.py::test_a_friend_with_a_phone_sits_down": _TAPS,
    "test_mauer_moments.py::test_a_finger_sees_what_it_does_before_it_does_it": _TAPS,
    "test_whole_games.py::test_a_game_can_be_played_by_touch_alone": _TAPS,
    "test_hints.py::test_somebody_who_asks_is_told_what_to_do_and_why": _TAPS,
    "test_teaching.py::test_on_a_phone_it_stands_in_the_dock": _TAPS,
    "test_teaching.py::test_a_first_move_is_chosen_for_somebody_new": _TAPS,
    "test_teaching.py::test_a_piece_that_was_tapped_explains_itself": _TAPS,
    "test_puzzles.py::test_a_puzzle_is_solved_by_touch": _TAPS,
    "test_mauerbauer_moments.py::test_cards_stay_where_they_are_while_one_plays": _TAPS,
    "test_dock.py::test_the_news_unfold_over_what_lies_below": _TAPS,
    "test_dock.py::test_a_late_press_on_go_on_does_nothing": _TAPS,
    "test_dock.py::test_taking_back_asks_once_the_fists_are_open": _TAPS,
    "test_dock.py::test_three_dots_turn_the_dock_over": _TAPS,
    "test_connection.py::test_nobody_waits_for_an_answer_whose_board_is_there_already": _BODY,
    "test_replay.py::test_a_choice_has_its_number_on_the_board_and_is_played_by_a": _BODY,
    "test_senses.py::test_the_focus_can_be_seen": (
        "Playwright adds a style to a page of Firefox for any screenshot, which the policy refuses"
    ),
    "test_mauer_moments.py::test_a_closed_fist_is_only_a_fist": (
        "Firefox has other boxes for symbols that are used; the pictures are alike"
    ),
}
"""The beginnings of their names, each with a reason."""


def reason(nodeid: str) -> str:
    """Why Firefox leaves out a test; nothing, if it runs."""
    if os.environ.get("LEFT_OUT") == "run":
        return ""
    name = nodeid.rpartition("/")[2]
    return next((why for start, why in FIREFOX.items() if name.startswith(start)), "")
