"""Links that show what they lead to: tags, pictures, and how many are drawn for whom."""

import asyncio
import gzip
import multiprocessing
import os
import re
import threading
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from tests.server.features.ending.test_game_end import finished
from tests.support.web_pages import table_of
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import GAMES
from mauerwerk.server.features.replay.pages import AS_MANY
from mauerwerk.server.features.sharing import pictures as cache
from mauerwerk.server.features.sharing.pages import rows_of
from mauerwerk.server.features.sharing.pictures import (
    MOST_WAITING,
    CardContent,
    Moving,
    Pictures,
    Still,
    card,
    render,
)
from mauerwerk.server.features.sharing.posters import GROWS, STANDS, Film, Studio, Words, filmed
from mauerwerk.server.games import web_game
from mauerwerk.server.http.errors import BusyError, HttpError
from mauerwerk.server.http.limits import Limiter
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.ui.names import Place

PUBLIC = "https://walls.example.org/games"


@pytest.fixture(autouse=True)
def painted(site: Running) -> None:
    """What would become pixels is the picture."""
    painted_at(site)


def painted_at(site: Running) -> None:
    """Have nothing drawn at this server that takes long."""
    site.app.state.host.service(Pictures).draw = lambda it: asyncio.to_thread(as_text, it)


def as_text(wanted: Still | Moving | Film) -> bytes:
    """What is to be drawn, as it is handed over."""
    return str(wanted.svg).encode() if isinstance(wanted, Still) else wanted.record.encode()


def tags(html: str) -> dict[str, str]:
    """What a page says of itself."""
    return dict(
        re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', html)
    )


def picture(site: Running, answer: httpx.Response) -> httpx.Response:
    """The picture that a page names."""
    found = tags(answer.text)["og:image"].replace("&amp;", "&")
    return site.client().get(found.removeprefix(site.address))


# --- Tags ------------------------------------------------------------------------------------


def test_a_finished_game_says_how_it_ended(site: Running) -> None:
    """To anybody who shows the link: title, result, and a picture with the places."""
    path = finished(site.browser("Ada")).partition("?")[0]
    page = site.anybody().get(path)
    said = tags(page.text)

    assert said["og:title"] == "Die Mauer"
    assert re.fullmatch(r"1\. Ada.* \d+, 2\. Ada.* \d+, 3\. Ada.* \d+", said["og:description"])
    assert said["og:url"] == f"{site.address}{path}"
    assert said["twitter:card"] == "summary_large_image"
    shown = picture(site, page)
    assert shown.headers["content-type"] == "image/png"
    assert "max-age" in shown.headers["cache-control"]
    assert "Die Mauer" in shown.text


def test_a_position_is_shared_as_it_was_looked_at(site: Running) -> None:
    """The tags of a replay lead to the same position, and its picture is of that one."""
    path = finished(site.browser("Ada")).partition("?")[0]
    page = site.client().get(f"{path}/replay?at=9&seat=1")

    assert tags(page.text)["og:url"].endswith("/replay?at=9&amp;seat=1")
    assert tags(page.text)["og:description"].startswith("Move 9 of ")
    assert "Move 9 of " in picture(site, page).text
    moving = site.client(accept_encoding="gzip").get(f"{path}/replay/game.svg")
    plain = site.client(accept_encoding="identity").get(f"{path}/replay/game.svg")
    assert moving.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert moving.content == plain.content
    assert moving.headers["content-type"] == "image/svg+xml"
    assert moving.text.startswith("mauer/1")
    assert f'href="{path}/replay/game.svg"' in page.text
    assert f'href="{path}/replay/picture.png?at=9&amp;seat=1"' in page.text


def test_a_link_to_the_replay_says_how_it_ended(site: Running) -> None:
    """That is the link which the page of a finished game offers; it names no position."""
    path = finished(site.browser("Ada")).partition("?")[0]
    page = site.client().get(f"{path}/replay")

    assert tags(page.text)["og:url"] == f"{site.address}{path}/replay"
    assert tags(page.text)["og:description"].startswith("1. Ada")
    assert "Move " not in picture(site, page).text


def test_a_running_game_shows_what_a_spectator_sees(site: Running) -> None:
    """A player's own page names the same picture as anybody's, and no replay has one yet."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    mine, others = (tags(who.get(path).text) for who in (ada, site.anybody()))

    assert mine == others
    shown = site.anybody().get(f"{path}/picture.png")
    assert "max-age" not in shown.headers["cache-control"]
    assert ada.get(f"{path}/picture.png").text == shown.text
    for name in ("picture.png", "game.svg"):
        assert ada.get(f"{path}/replay/{name}").status_code == 409


def test_an_invitation_says_who_invites(site: Running) -> None:
    """Also in the language of the reader, and of the picture."""
    ada = site.browser("Ada")
    table = ada.open("hh" + "h", mine=[0])["table"]
    said = tags(site.client(accept_language="de").get(f"/t/{table}").text)

    assert said["og:description"] == "Ada lädt dich zum Spielen ein."
    assert said["og:image"].endswith(f"/t/{table}/picture.png?language=de")
    assert "Ada wartet" in site.client().get(f"/t/{table}/picture.png?language=de").text


def test_addresses_are_those_from_outside(tmp_path: Path) -> None:
    """A server behind a proxy is not found where it listens."""
    with serving(tmp_path, Settings(limits=Limits(requests=0), address=PUBLIC)) as site:
        table = site.guest().open("hhh")["table"]
        said = tags(site.anybody().get(f"/t/{table}").text)

    assert said["og:url"] == f"{PUBLIC}/t/{table}"
    assert said["og:image"].startswith(f"{PUBLIC}/t/{table}/picture.png?")


def test_without_the_extra_there_is_no_picture(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link still says what it leads to."""
    monkeypatch.setattr(cache, "can_draw", lambda: False)
    table = site.guest().open("hhh")["table"]
    said = tags(site.anybody().get(f"/t/{table}").text)

    assert "og:image" not in said
    assert said["twitter:card"] == "summary"
    assert site.anybody().get(f"/t/{table}/picture.png").status_code == 404


# --- Cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_card_has_room_for_long_names(name: str) -> None:
    """And for six players, and for a game with a long title."""
    rows = tuple(Place(seat + 1, Seat(seat), "Maximiliane " * 3, 104) for seat in range(6))
    made = card(GAMES[name], CardContent("Der Wettkampf der Burgbaumeister", "", rows, "", "logo"))

    assert "Maximiliane Maximiliane Maximiliane" not in made
    assert len(re.findall(r"Maximiliane", made)) >= 6


def test_a_poster_has_room_for_the_names_of_six() -> None:
    """They become smaller before they are cut, and the last points are still on the picture."""
    rows = tuple(Place(seat + 1, Seat(seat), "Clara", 104) for seat in range(6))
    game = GAMES["mauer"]
    studio = Studio(web_game("mauer", game.RULES), game, (), ENGLISH)
    made = studio.poster(None, Seat(0), Words("Clara won", rows=rows))

    assert made.count(">Clara<") == 6
    ((moved, scale),) = re.findall(r"translate\(([\d.]+) [\d.]+\) scale\((0\.\d+)\)", made)
    points = [each for each in re.findall(r"<text[^>]*>104<", made) if 'anchor="end"' in each]
    ends = [float(re.findall(r' x="([\d.]+)"', each)[0]) for each in points]
    assert len(ends) == 6
    assert float(moved) + float(scale) * max(ends) < 1200


def test_before_the_end_players_stand_in_the_order_of_their_seats() -> None:
    """Without places."""
    assert [row.rank for row in rows_of(None, ("Ada", "Ben"), ENGLISH)] == [0, 0]


def test_pixels_have_the_size_that_previews_want() -> None:
    """1200 by 630, as the tags say."""
    made = card(GAMES["mauer"], CardContent("Die Mauer", "", (), "", "logo"))
    content = render(Still(str(made), 1200))

    assert content.startswith(b"\x89PNG")
    assert content[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")


# --- Limits ----------------------------------------------------------------------------------


async def drawn_by(pictures: Pictures, key: int) -> bytes:
    """A picture that only its key describes."""
    return await pictures.get(key, lambda: Still(f"{key}", 1), lambda: None)


@pytest.mark.anyio
async def test_a_picture_is_drawn_once() -> None:
    """For all who ask for it, at once or later."""
    pictures = Pictures()
    calls: list[Still | Moving | Film] = []

    def draw(wanted: Still | Moving | Film) -> bytes:
        calls.append(wanted)
        return as_text(wanted)

    pictures.draw = lambda wanted: asyncio.to_thread(draw, wanted)
    assert await asyncio.gather(*(drawn_by(pictures, 1) for _ in range(5))) == [b"1"] * 5
    assert await drawn_by(pictures, 1) == b"1"
    assert len(calls) == 1


@pytest.mark.anyio
async def test_old_pictures_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used goes first; one that fails is not kept."""
    monkeypatch.setattr(cache, "KEPT", 2)
    pictures = Pictures()
    calls: list[bytes] = []

    def draw(wanted: Still | Moving | Film) -> bytes:
        calls.append(as_text(wanted))
        if calls == [b"9"]:
            raise HttpError(503, "not now")
        return calls[-1]

    pictures.draw = lambda wanted: asyncio.to_thread(draw, wanted)
    with pytest.raises(HttpError):
        await drawn_by(pictures, 9)
    for key in (9, 1, 9, 2, 9, 1):
        await drawn_by(pictures, key)
    assert calls == [b"9", b"9", b"1", b"2", b"1"]


@pytest.mark.anyio
async def test_only_some_pictures_may_wait() -> None:
    """A crowd is told to come back later."""
    pictures = Pictures()
    pictures.draw = lambda wanted: asyncio.to_thread(as_text, wanted)
    asked = [drawn_by(pictures, key) for key in range(MOST_WAITING + 1)]
    answers = await asyncio.gather(*asked, return_exceptions=True)

    assert [type(each) for each in answers] == [bytes] * MOST_WAITING + [BusyError]


@pytest.mark.anyio
async def test_games_that_move_hold_up_no_links() -> None:
    """They take long, and are drawn beside the other pictures."""
    pictures, done = Pictures(), threading.Event()

    def draw(wanted: Still | Moving | Film) -> bytes:
        if isinstance(wanted, Moving):
            assert done.wait(TIMEOUT)
        return b"drawn"

    pictures.draw = lambda wanted: asyncio.to_thread(draw, wanted)
    moving = asyncio.create_task(
        pictures.get("game", lambda: Moving("", (), "en"), lambda: None, moves=True)
    )
    async with asyncio.timeout(TIMEOUT):
        assert await drawn_by(pictures, 1) == b"drawn"
    assert not moving.done()
    done.set()
    assert gzip.decompress(await moving) == b"drawn"  # once, and not for each who asks


def test_a_client_has_fewer_games_drawn_that_move() -> None:
    """One counts as many other pictures: there is none at all until that is paid."""
    limiter = Limiter(Limits(pictures=0.5))
    limiter.picture("ada", AS_MANY)
    for client, refused in (("ada", True), ("bob", False)):
        with pytest.raises(HttpError) if refused else nullcontext():
            limiter.picture(client)


def test_a_client_has_a_few_pictures_drawn(tmp_path: Path) -> None:
    """What is drawn already costs nothing."""
    with serving(tmp_path, Settings(limits=Limits(pictures=0.05))) as site:
        painted_at(site)
        tables = [site.guest().open("hhh")["table"] for _ in range(2)]
        got = [site.anybody().get(f"/t/{each}/picture.png") for each in (*tables, tables[0])]

    assert [each.status_code for each in got] == [200, 429, 200]


@pytest.mark.process
@pytest.mark.anyio
async def test_pictures_are_drawn_in_a_process_of_their_own() -> None:
    """A position as pixels, and a game that moves; where it fails, a reader is told so.

    The process draws one after the other, and lets everything else go first.
    """
    made = card(GAMES["mauer"], CardContent("Die Mauer", "", (), "", "logo"))
    async with Pictures() as pictures:
        assert (await pictures.draw(Still(str(made), 600))).startswith(b"\x89PNG")
        (first,) = multiprocessing.active_children()
        with pytest.raises(HttpError):
            await pictures.draw(Still("no drawing", 600))
        assert multiprocessing.active_children() == [first]
        nicer = min(19, os.getpriority(os.PRIO_PROCESS, 0) + cache.NICE)
        assert os.getpriority(os.PRIO_PROCESS, first.pid or 0) == nicer

        first.kill()
        first.join()
        assert (await pictures.draw(Still(str(made), 600))).startswith(b"\x89PNG")
        game = Moving("mauer/1 seats=3 first=0\n", ("Ada", "Ben", "Clara"), "de")
        assert (await pictures.draw(game)).startswith(b"<svg")
    assert multiprocessing.active_children() == []


GAME = "mauer/1 seats=3 rounds=1 first=lot stall=1\n~:@2\n0:T 1:4 2:4 1:>\n0:- 1:- 2:-\n"


def test_a_film_takes_ten_seconds_and_shows_who_won() -> None:
    """Whatever the length of the game; it is one picture without a script."""
    film = filmed(Film(GAME, ("Ada", "Bo", "Cem"), "en", "svg")).decode()

    assert f"animation:{GROWS + STANDS:g}s step-end infinite" in film
    assert "Bo won" in film
    assert "<script" not in film


def test_a_film_hides_what_was_in_a_fist() -> None:
    """Ada plans a tower or a gate, which nobody else sees before the fists are open."""
    begun = "mauer/1 seats=3 rounds=1 first=lot stall=1\n~:@2\n0:{}\n"
    films = {filmed(Film(begun.format(each), ("Ada", "Bo", "Cem"), "en", "svg")) for each in "TC"}

    assert len(films) == 1


@pytest.mark.slow
def test_a_film_is_a_gif_of_modest_size() -> None:
    """Under 3 MB."""
    film = filmed(Film(GAME, ("Ada", "Bo", "Cem"), "en", "gif"))

    assert film.startswith(b"GIF89a")
    assert len(film) < 3_000_000


def test_a_film_is_on_the_page_of_a_finished_game(site: Running) -> None:
    """As SVG or GIF, and nothing else."""
    ada = site.browser("Ada")
    path = finished(ada).partition("?")[0]

    for kind, media in (("gif", "image/gif"), ("svg", "image/svg+xml")):
        answer = ada.get(f"{path}/replay/film.{kind}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert ada.get(f"{path}/replay/film.mp4").status_code == 404
