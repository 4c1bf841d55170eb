"""The story of a table: a turn folds into one line, and several swaps are one decision."""

import random
import re

import pytest
from tests.support.driven_table import DrivenTable, start_table

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.core.language import ENGLISH, Language, language_of
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import events
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.table.view_model import folded_history
from mauerwerk.server.games import web_game
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.history import HistoryLine, announced, history_at
from mauerwerk.server.ui.names import names_for


def told(
    driven: DrivenTable, viewer: int | None = 0, language: Language = ENGLISH
) -> tuple[HistoryLine, ...]:
    """The story as a seat reads it."""
    table, seat = driven.table, None if viewer is None else Seat(viewer)
    history = history_at(Snapshot(table, driven.seed), seat, language)
    names = names_for(table.players, seat, language)
    return folded_history(web_game(table.charter.game), table, seat, history, names, language)


def play_until_swaps(swaps: int) -> DrivenTable:
    """A game with a bot that swaps all that it may, until it has swapped this many in a row."""
    driven = start_table("mauerbauer", "hb", options={"board": "small", "first": "0"})
    chance = random.Random(2)
    in_row = 0
    while driven.table.status is Status.RUNNING and in_row < swaps:
        (seat,) = driven.table.waiting
        legal = driven.legal(seat)
        state = driven.table.state
        words = [
            word
            for word in legal
            if any(
                isinstance(event, events.Swapped)
                for event in mauerbauer.apply(state, seat, mauerbauer.parse(word)).events
            )
        ]
        word = chance.choice(words or legal)
        if seat == 1:
            driven.do(requests.play_for, Seat(1), word, driven.number(1))
        else:
            driven.move(0, word)
        in_row = in_row + 1 if words and seat == 1 else 0
    assert in_row == swaps
    return driven


def test_several_swaps_are_one_line() -> None:
    """Each card is still named, inside it."""
    driven = play_until_swaps(4)
    line = next(line for line in told(driven) if line.series)
    assert line.sentences[0].endswith(" swapped 4 cards.")
    assert len(line.inside) == 4
    assert all(" swapped out " in inside.sentences[0] for inside in line.inside)


def test_several_swaps_are_announced_once() -> None:
    """A screen reader reads one sentence."""
    driven = play_until_swaps(3)
    said = announced(mauerbauer, driven.history(0)[-3:], Seat(0), ENGLISH)
    assert len(said) == 1
    assert said[0].endswith(" swapped 3 cards.")


def test_the_next_of_several_swaps_needs_no_pause() -> None:
    """Neither for a bot that swaps on, nor for one that is done; for anybody else it does."""
    driven = play_until_swaps(2)
    assert requests.is_in_series(driven.table, Seat(1))
    assert not requests.is_in_series(driven.table, Seat(0))
    assert not requests.is_in_series(start_table("mauerbauer", "hb").table, Seat(0))


def test_a_turn_that_is_over_is_one_line() -> None:
    """It says what was built, closed and swapped; the turn that goes on is not folded."""
    driven = play_until_swaps(3)
    lines = told(driven)
    turns = [line for line in lines if line.inside and not line.series]
    assert turns
    for line in turns:
        assert " built a wall from " in line.sentences[0]
        assert line.mark
        assert any(" rolled " in inside.sentences[0] for inside in line.inside)
    here = driven.table.game.turn(driven.table.state)
    now = [
        play
        for place, play in enumerate(driven.table.plays)
        if place
        and driven.table.game.turn(driven.table.plays[place - 1].step.state) == here
        and play.seat != NATURE
    ]
    assert sum(bool(line.inside and not line.series) for line in lines[: len(now)]) == 0


def test_after_the_end_every_turn_is_folded() -> None:
    """Also the last one; all lines are there, inside others or not."""
    driven = start_table("mauerbauer", "hb", options={"board": "small", "first": "0"})
    chance = random.Random(7)
    while driven.table.status is Status.RUNNING:
        (seat,) = driven.table.waiting
        word = chance.choice(driven.legal(seat))
        if seat == 1:
            driven.do(requests.play_for, Seat(1), word, driven.number(1))
        else:
            driven.move(0, word)
    lines = told(driven)
    assert len(lines) < 3 * driven.table.game.turn(driven.table.state)
    assert len({line.number for line in lines}) == len(lines)


@pytest.mark.parametrize("code", ["de", "it"])
@pytest.mark.parametrize("game", ["mauer", "burgbaumeister", "mauerbauer"])
def test_readers_are_addressed_in_their_language(game: str, code: str) -> None:
    """Also in the one line of a turn that is over: `Du hast …`, and never `You hat …`."""
    driven = start_table(game, "hhh")
    chance = random.Random(4)
    for _ in range(60):
        if driven.table.deciding:
            seat = driven.table.deciding[0]
            driven.move(seat, chance.choice(driven.legal(seat)))
    lines = told(driven, 0, language_of(code))
    said = [words for line in lines for each in (line, *line.inside) for words in each.sentences]
    own = {"de": r"\bdu hast\b", "it": r"\bhai\b"}[code]
    assert any(re.search(own, words, re.IGNORECASE) for words in said)
    assert [words for words in said if re.search(r"\byou", words, re.IGNORECASE)] == []
