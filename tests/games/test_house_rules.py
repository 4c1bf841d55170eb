"""House rules: every count of a game is an option, and the printed game is the default."""

from typing import Any

import pytest

from mauerwerk.core import options, record
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.cards import shown
from mauerwerk.games.burgbaumeister.values import Picture
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.values import deck_of, full_supply


def made(game: AnyGame, seats: int = 3, **words: str) -> Setup[Any]:
    """A setup with these options."""
    return Setup(seats, options.from_words(game.OPTIONS, words))


@pytest.mark.parametrize("name", GAMES)
def test_the_printed_game_is_written_as_before(name: str) -> None:
    """A record names house rules only where they differ, and so do words that are stored."""
    usual = GAMES[name].OPTIONS()
    house = {each.name for each in options.described(GAMES[name].OPTIONS) if each.house}

    assert house
    assert not house & set(options.in_head(usual))
    assert not house & set(options.to_words(usual))
    assert options.house_rules(usual) == {}


def test_a_record_of_other_rules_says_so_and_replays() -> None:
    """What was changed stands in its head."""
    setup = made(mauerbauer, walls="28", points="cities:2,city-1:4")
    kept = record.Record("mauerbauer", 1, setup)

    text = record.write(mauerbauer, kept)

    assert text.startswith(
        "mauerbauer/1 seats=3 first=lot board=default early=no walls=28 points=city-1:4,cities:2"
    )
    assert record.read(text, GAMES).setup == setup


def test_every_count_of_mauerbauer_can_be_changed() -> None:
    """Pieces, cards and colours of the box are as many as the options say."""
    setup = made(mauerbauer, walls="20", towers="4", houses="5", palaces="1", colours="2",
                 tower_colours="1", hand="2", deck="cities:0,city-7:1")  # fmt: skip
    supply = full_supply(setup.options)

    assert (supply.walls, supply.towers) == (20, (4, 0, 0))
    assert (supply.houses, supply.palaces) == ((5, 5, 0, 0, 0), (1, 1, 0, 0, 0))
    assert deck_of(setup.options).count(Card.CITIES) == 0
    assert deck_of(setup.options).count(Card.CITY_7) == 1
    assert len(deck_of(setup.options)) == 57


def test_cards_and_pictures_of_burgbaumeister_can_be_left_out() -> None:
    """Fewer cards have lower numbers, and a picture that is off shows nothing."""
    setup = made(burgbaumeister, 2, variant="yes", cards="20", ravens="no")
    faces = shown(setup.options)

    assert max(faces) <= 21
    assert not {Picture.RAVEN, Picture.TWO_RAVENS} & set(faces.values())
    assert len(burgbaumeister.legal(burgbaumeister.start(setup), 0)) == 20  # type: ignore[arg-type]


def test_a_wall_is_complete_when_the_options_say_so() -> None:
    """With walls of one card the first card ends the game (BB-10)."""
    setup = made(burgbaumeister, 2, wall="1")
    text = record.write(burgbaumeister, record.Record("burgbaumeister", 1, setup))
    played = record.read(f"{text}0:a1 ~:30 0:+\n", GAMES)

    *_, (_, last) = record.replay(burgbaumeister, played)

    assert burgbaumeister.outcome(last.state).reason == "nine"  # type: ignore[union-attr]


def test_pieces_of_die_mauer_cost_what_the_options_say() -> None:
    """A set can have a piece twice, and each kind its own price (DM-1, DM-24)."""
    setup = made(mauer, 3, pieces="TT1", penalties="T:7", rounds="1", stall="1")
    text = record.write(mauer, record.Record("mauer", 1, setup))
    played = record.read(f"{text}0:- 1:- 2:-\n", GAMES)

    *_, (_, last) = record.replay(mauer, played)

    assert mauer.outcome(last.state).points == (15, 15, 15)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("game", "words", "fault"),
    [
        (mauerbauer, {"walls": "0"}, "option walls can be 1 to 100, not 0"),
        (mauerbauer, {"points": "castle:2"}, "option points has numbers for city-1, "),
        (mauerbauer, {"points": "cities:21"}, "option points: cities can be 0 to 20"),
        (mauerbauer, {"deck": "cities"}, "option deck: cities can be 0 to 4"),
        (mauerbauer, {"hand": "15", "deck": "cities:0"}, "4 seats with 15 cards each need 60"),
        (mauer, {"penalties": "X:1"}, "option penalties has numbers for T, C, 6"),
        (mauer, {"pieces": "TTTT"}, "option pieces can be some of TC12346"),
        (burgbaumeister, {"cards": "46"}, "option cards can be 1 to 45, not 46"),
        (burgbaumeister, {"king": "maybe"}, "option king can be yes or no, not maybe"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    game: AnyGame, words: dict[str, str], fault: str
) -> None:
    """Bad input names the option and what it can be."""
    with pytest.raises(SetupError) as refused:
        game.start(made(game, 4, **words))

    assert str(refused.value).startswith(fault)
    assert "\n" not in str(refused.value)


def test_one_of_many_numbers_is_changed_by_its_name() -> None:
    """Those that are as printed are not named."""
    word = options.with_number(mauer.OPTIONS, "penalties", "printed", "T", "12")

    assert word == "T:12"
    assert options.with_number(mauer.OPTIONS, "penalties", word, "T", "15") == "printed"
    with pytest.raises(SetupError, match="option rounds is one value, without 'T'"):
        options.with_number(mauer.OPTIONS, "rounds", "4", "T", "1")
