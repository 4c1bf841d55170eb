"""Finished games and figures: where, when, with whom, and nothing without its doubt."""

import asyncio

from tests.support.web_pages import look
from tests.support.web_server import TIMEOUT, Player, Running

from mauerwerk.core.language import ENGLISH
from mauerwerk.server.features.results.pages import figures
from mauerwerk.server.features.results.ratings import Skill
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.results.store import OwnLine

SHORT = {"rounds": "1", "stall": "1"}


def finished(site: Running, ada: Player, *others: Player) -> str:
    """A short game of Ada and others, which counts."""
    table: str = ada.open("hoo", mine=[0], options=SHORT)["table"]
    for other in others:
        assert other.post(f"/api/tables/{table}/sit").status_code == 200
    for seat, player in enumerate((ada, *others)):
        assert player.move(table, "-", seat=seat).status_code == 200
    assert site.loop is not None
    counting = site.app.state.host.service(ResultsWorker).count_all()
    asyncio.run_coroutine_threadsafe(counting, site.loop).result(TIMEOUT)
    return table


def test_finished_games_can_be_filtered(site: Running) -> None:
    """By game, and by who else played; nobody learns the id of another."""
    ada, bo, cy, di = (site.browser(name) for name in ("Ada", "Bo", "Cy", "Di"))
    first, second = finished(site, ada, bo, cy), finished(site, ada, cy, di)
    page = look(ada, "/me")
    replays = [f'href="/t/{table}/replay"' for table in (first, second)]

    assert [replay in page.main for replay in replays] == [True, True]
    assert "with Bo and Cy" in page.text
    ids = [player.get("/api/guests/me").json()["guest"] for player in (bo, cy, di)]
    assert not [each for each in ids if each in page.html]

    with_bo = page.html.partition(">With Bo<")[0].rpartition('value="')[2].rstrip('">')
    only = look(ada, f"/me?with={with_bo}").main
    assert [replay in only for replay in replays] == [True, False]
    none = look(ada, "/me?game=burgbaumeister")
    assert "No finished game matches." in none.text
    assert "1 to" not in none.text
    assert look(bo, f"/me?with={with_bo}").main.count("/replay") == 1


def test_few_games_say_nothing(site: Running) -> None:
    """Under ten games there is neither a share nor a band."""
    ada, bo, cy = (site.browser(name) for name in ("Ada", "Bo", "Cy"))
    finished(site, ada, bo, cy)
    page = look(ada, "/me")

    assert "too few games to say" in page.text
    assert "most likely" not in page.text


def plain(text: str) -> str:
    """The same with spaces at which a line may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def lines(wins: int, games: int, **more: int) -> list[OwnLine]:
    """Games of three people at Die Mauer."""
    return [
        OwnLine("mauer", 3, 3, 1 if won else 2, 20, gone=False, counts=dict(more))
        for won in [True] * wins + [False] * (games - wins)
    ]


def test_figures_have_their_doubt() -> None:
    """The share of wins with its interval, beside the even share; a rating with its own."""
    skill = {"mauer": Skill(26.0, 1.5)}
    (shown,) = figures(
        lines(13, 31, guesses=10, right=3, by_chance=2_000), skill, ENGLISH, people=True
    )

    assert (shown.wins, shown.games, plain(shown.share)) == (13, 31, "42 %")
    assert plain(shown.likely) == "most likely 26 to 60 % · even share 33 %"
    assert shown.points == "20.0"
    assert [(plain(line.value), plain(line.note)) for line in shown.more] == [
        ("30 %", "by chance 20 %")
    ]
    assert (shown.rating, shown.rating_likely) == ("1524", "most likely 1453 to 1595")


def test_games_with_bots_are_figures_of_their_own() -> None:
    """They are not mixed with games among people, and are not rated there."""
    alone = [OwnLine("mauer", 3, 1, 1, 20, gone=False, counts={})] * 12

    assert not figures(alone, {}, ENGLISH, people=True)
    assert [each.games for each in figures(alone, {}, ENGLISH, people=False)] == [12]
