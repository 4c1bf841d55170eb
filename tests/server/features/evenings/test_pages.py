"""The pages of an evening: what its host, its guests and others see and can do."""

import asyncio
import re
from collections.abc import Awaitable
from typing import TypeVar

import pytest
from tests.support.evenings import QUICK, played
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import TIMEOUT, Player, Running

from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.server.features.evenings.service import LoadedEvening
from mauerwerk.server.features.evenings.values import Evening, Person, Round, RoundTable
from mauerwerk.server.features.evenings.view_model import EveningPage, columns_of, lasts_of
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.log import Ending, Kind
from mauerwerk.server.tables.requests import Submission

_Made = TypeVar("_Made")


def done(site: Running, work: Awaitable[_Made]) -> _Made:
    """What a coroutine of the server answers."""
    assert site.loop is not None

    async def wait() -> _Made:
        return await work

    return asyncio.run_coroutine_threadsafe(wait(), site.loop).result(TIMEOUT)


def begun(host: Player, *others: Player, games: tuple[str, ...] = ()) -> str:
    """The path of a new evening with these people and games."""
    path = sent(
        host, "/evening", title="Friday at Ada's", format="mixed", seconds_per_move="300"
    ).path
    for other in others:
        sent(other, f"{path}/join")
    for game in games:
        sent(host, f"{path}/games", game=game, size="0")
    return path


def test_an_empty_evening_says_what_to_do(site: Running) -> None:
    """The host invites, then chooses."""
    page = look(ada := site.browser("Ada"), begun(ada))

    assert "Invite people, then choose the games." in page.text
    assert f'value="{site.address}{page.path}"' in page.html
    assert "Ranking" not in page.text
    assert '<meta property="og:title" content="Friday at Ada&#39;s">' in page.html


def test_how_long_a_whole_game_takes() -> None:
    """Not a round of it, which would be taken for one of the evening."""
    assert lasts_of(Round("mauer"), ENGLISH) == "about 40 min"
    assert not lasts_of(Round("mauer", {"rounds": "1"}), ENGLISH)
    assert lasts_of(Round("mauerbauer", {"board": "small"}), ENGLISH) == "about 45 min"


def test_somebody_who_has_the_link_takes_part(site: Running) -> None:
    """Without an account: with a name; who was there is not asked again."""
    ada, new = site.browser("Ada"), site.browser()
    path = begun(ada)
    page = look(new, path)
    assert "Ada invites you" in page.text
    assert "Ada is choosing the games." in page.text
    page = sent(new, f"{path}/join", name="Ben")
    assert "Take part" not in page.text
    assert "Ben" in look(ada, path).text
    page = sent(new, f"{path}/leave")
    assert "Back again?" in page.text


FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}"


def test_a_refused_name_loses_nothing(site: Running) -> None:
    """The reason stands beside the field, with all that was filled in."""
    said = "combined emoji are not possible"
    path = begun(site.browser("Ada"))
    page = sent(new := site.browser(), f"{path}/join", name=FAMILY)
    assert page.answer.status_code == 422
    joining = page.main.partition('class="panel joining"')[2].partition("</section>")[0]
    assert said in joining
    assert page.form("/join").fields["name"] == FAMILY
    assert "Ben" in page.send("/join", name="Ben").text

    filled = {"title": "Friday", "format": "swiss", "seconds_per_move": "0"}
    page = sent(new := site.browser(), "/evening", name=FAMILY, **filled)
    assert page.answer.status_code == 422
    assert said in page.main
    form = next(form for form in page.forms if "title" in form.fields)
    assert form.fields == {"name": FAMILY, **filled}
    assert sent(new, "/evening", **{**filled, "name": "Ben"}).path.startswith("/e/")


def test_the_host_alone_sees_start_swap_and_add(site: Running) -> None:
    """The others see who starts; strangers may watch."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    path = begun(ada, ben, games=("mauerbauer",))
    mine = look(ada, path)
    for form in ("/start", "/swap", "/games", "/format"):
        assert f'action="{path}{form}"' in mine.html
        for other in (ben, site.browser(), site.browser("Clara")):
            assert f'action="{path}{form}"' not in look(other, path).html
    assert "Ada starts the round." in look(ben, path).text
    assert sent(ben, f"{path}/start", round="0").answer.status_code == 403
    assert sent(site.browser(), f"{path}/start", round="0").answer.status_code == 401


def test_the_host_lets_somebody_go_also_in_the_last_round(site: Running) -> None:
    """Those for whom a bot plays already are not listed; whoever is back at their table is."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    path = begun(ada)
    assert f'action="{path}/leave" class="two"' not in look(ada, path).main, "there is nobody"
    sent(ben, f"{path}/join")
    sent(ada, f"{path}/games", game="mauerbauer", size="0")
    page = sent(ada, f"{path}/start", round="0")
    assert '<option value="1">Ben</option>' in page.main
    assert "A bot finishes your game" in look(ben, path).text

    assert "Ben bot" in sent(ada, f"{path}/leave", person="1").text
    assert '<option value="1">' not in look(ada, path).main
    found = re.search(r'href="/t/([^"?]+)"', page.main)
    assert found is not None
    seat = ben.table_view(found[1])["seat"]
    assert ben.post(f"/api/tables/{found[1]}/back", seat=seat).status_code == 200
    assert '<option value="1">Ben</option>' in look(ada, path).main


def test_what_is_refused_is_said_beside_it(site: Running) -> None:
    """In one sentence that says what to do."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    path = begun(ada, ben, games=("mauerbauer",))
    page = sent(ada, f"{path}/swap", one="1", other="1")
    assert page.answer.status_code == 409
    swap = re.search(r'<details[^>]*id="swap"[^>]*>.*?</details>', page.main, re.DOTALL)
    assert swap is not None
    assert " open" in swap[0].partition(">")[0]
    assert "Choose two different people." in swap[0]
    page = sent(ada, f"{path}/start", round="4")
    assert "The programme has changed meanwhile; look again." in page.text
    assert sent(ada, f"{path}/games", game="chess").answer.status_code == 409
    assert look(ada, "/e/nothing").answer.status_code == 404


def test_a_size_that_the_game_does_not_have(site: Running) -> None:
    """The form stays open with what was chosen, and says which sizes there are."""
    path = begun(ada := site.browser("Ada"))
    page = look(ada, path).send("/games", game="mauerbauer", size="6")
    add = page.main.partition('<details class="pops up" id="add" open>')[2].partition("</details>")
    assert "Mauerbauer is for 2 to 4 seats, not 6." in add[0]
    assert page.form("/games").fields == {"game": "mauerbauer", "size": "6"}
    assert "1 game." in page.send("/games", size="4").text


def test_a_round_that_cannot_be_started_says_why(site: Running) -> None:
    """On the page of the evening, which is as it was; the others see nothing of it."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    path = begun(ada, ben, games=("mauerbauer",))
    before = look(ben, path).main
    host = site.app.state.host
    done(site, moderation.close(host.store, closed=True))
    page = look(ada, path).send("/start")
    done(site, moderation.close(host.store, closed=False))
    assert page.answer.status_code == 403
    assert "This server takes no new tables at the moment." in page.main
    assert look(ben, path).main == before
    assert ">Play</a>" in page.send("/start").main

    page = sent(ben, f"{path}/start", round="0")
    assert "Only the host of the evening can do that." in page.main


def test_a_game_goes_off_the_programme_once(site: Running) -> None:
    """The host may have the form open in two windows, where both name the first game."""
    ada = site.browser("Ada")
    path = begun(ada, games=("mauer", "mauer", "burgbaumeister"))
    page = look(ada, path)
    page.send("/games/drop")
    again = page.send("/games/drop")
    assert again.answer.status_code == 409
    assert "The programme has changed meanwhile; look again." in again.main
    assert "Take Die Mauer off the programme" in again.text
    again.send("/games/drop")
    assert "Take Burgbaumeister off the programme" in look(ada, path).text
    assert "The programme has changed meanwhile; look again." in page.send("/start").main


def test_an_evening_from_the_first_round_to_the_ranking(site: Running) -> None:
    """Play, watch, the ranking with the reader as you, and "Start" that wakes."""
    ada, ben, clara = (site.browser(name) for name in ("Ada", "Ben", "Clara"))
    path = begun(ada, ben, clara)
    id_ = path.removeprefix("/e/")
    for _ in range(2):
        added = ada.post(f"/api/evenings/{id_}/games", game="mauer", options=QUICK)
        assert added.status_code == 200, added.text
    page = sent(ada, f"{path}/start", round="0")
    table = re.search(r'<a class="btn brick" href="(/t/[^"]+)">Play</a>', page.main)
    assert table is not None
    assert "Your turn" in page.text or "everybody chooses" in page.text
    assert re.search(r'<a class="btn" href="[^"]+\?seat=watch">', look(site.browser(), path).main)
    assert re.search(r"disabled[^>]*>Start round 2<", page.main)

    host = site.app.state.host
    done(site, played(host, table[1].removeprefix("/t/")))
    way_back = f'id="again" href="{path}"'
    assert way_back in look(ada, table[1]).main
    assert way_back not in look(site.browser(), table[1]).main, "only players learn the link"
    page = look(ada, path)
    assert re.search(r'<button class="btn brick" data-busy[^>]*>Start round 2<', page.main)
    assert re.search(r'<tr class="me"><td class="num">\d</td><th scope="row">.*?You', page.main)
    assert re.search(r'data-lead="(You are|Ben is|Clara is|[^"]+ are) now first', page.main)
    assert "Table 1: " in page.text
    assert "First place scores 3, second 2 (1 at a table of two), third 1;" in page.text
    api = ben.get(f"/api/evenings/{id_}").json()
    assert sum(line["total"] for line in api["ranking"]) == 6
    assert [each["you"] for each in api["people"]] == [False, True, False]
    assert path in look(ada, "/").html, "the home page leads there"


def test_a_game_that_was_ended_leads_back_to_the_evening(site: Running) -> None:
    """As one that is over does; another game with the same players would not belong to it."""
    ada = site.browser("Ada")
    path = begun(ada, site.browser("Ben"), games=("mauer",))
    page = sent(ada, f"{path}/start", round="0")
    table = re.search(r'<a class="btn brick" href="/t/([^"]+)">Play</a>', page.main)
    assert table is not None
    end = Submission("", frozenset({Kind.END}))
    host = site.app.state.host
    done(site, host.submit(table[1], end, lambda it: requests.end(it, Ending.HOST)))

    ended = look(ada, f"/t/{table[1]}").main
    assert f'<a class="btn brick" href="{path}">Back to the evening</a>' in ended
    assert f'<a class="btn" href="/t/{table[1]}/replay">' in ended
    assert "/rematch" not in ended


def test_no_page_names_an_id_of_a_guest(site: Running) -> None:
    """Whoever looks."""
    people = [site.browser(name) for name in ("Ada", "Ben", "Clara")]
    path = begun(*people, games=("mauer", "mauerbauer"))
    page = sent(people[0], f"{path}/start", round="0")
    ids = [person.get("/api/guests/me").json()["guest"] for person in people]
    for html in (page.html, look(site.browser(), path).html, people[1].get(f"/api{path}").text):
        assert not [each for each in ids if each in html]


def test_a_change_of_mind_shows_nowhere(site: Running) -> None:
    """What somebody holds in a fist, and whether they thought again, is not to be seen (DM-5)."""
    people = [site.browser(name) for name in ("Ada", "Ben", "Clara")]
    path = begun(*people)
    people[0].post(f"/api{path.replace('/e/', '/evenings/')}/games", game="mauer", options=QUICK)
    page = sent(people[0], f"{path}/start", round="0")
    found = re.search(r'href="/t/([^"?]+)"', page.main)
    assert found is not None
    table = found[1]
    player = next(each for each in people if each.table_view(table)["seat"] == 1)
    assert player.move(table, "T").status_code == 200
    before = look(site.browser(), path).main
    for word in ("4", "T") * 13:
        assert player.move(table, word).status_code == 200
    assert look(site.browser(), path).main == before


def test_the_page_asks_again_for_what_changes(site: Running) -> None:
    """Only that part, and on the big screen that of the big screen."""
    path = begun(ada := site.browser("Ada"))
    part = look(ada, path, hx_request="true")
    assert "<html" not in part.html
    assert 'hx-swap-oob="morph"' in part.html
    big = look(ada, f"{path}?screen=big")
    assert 'class="eve big"' in big.html
    assert f'hx-get="{path}?screen=big"' in big.html
    assert "Ada is choosing the games." in big.text  # everybody looks at it: nobody is `you`
    assert "Add a game" not in big.text


# --- What is said ----------------------------------------------------------------------------


def evening(*tables: RoundTable) -> LoadedEvening:
    """An evening of three with one round."""
    people = tuple(Person(n, f"g{n}", name) for n, name in enumerate(("Ada", "Ben", "Clara")))
    return LoadedEvening("x", Evening("", people, (Round("mauer", tables=tables, started=1),)), {})


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ((2, 1, 3), "Ben is now first."),
        ((1, 2, 3), "You are now first."),
        ((1, 1, 3), "You and Ben are now first together."),
    ],
)
def test_who_is_first_is_announced(ranks: tuple[int, ...], said: str) -> None:
    """As the reader would say it."""
    looked = evening(RoundTable("t", (0, 1, 2), over=True, ranks=ranks, points=(5, 6, 7)))
    assert EveningPage(looked, "g0", language_of("en")).page("")["lead"] == said


def test_the_ranking_says_for_whom_a_bot_played() -> None:
    """In every language."""
    over = RoundTable("t", (0, 1, 2), over=True, ranks=(1, 2, 3), points=(1, 2, 3), stand_ins=(1,))
    for code, said in (
        ("en", "a bot played in round 1"),
        ("de", "in Runde 1 hat ein Bot gespielt"),
        ("it", "nel round 1 ha giocato un bot"),
    ):
        page = EveningPage(evening(over), "", language_of(code)).page("")
        assert [row["note"] for row in page["rows"]] == ["", said, ""]


def test_a_table_that_was_deleted_is_said_to_be(site: Running) -> None:
    """Nobody is led to where it was, neither during the round nor later."""
    people = [site.browser(name) for name in ("Ada", "Ben", "Clara", "Dora")]
    path = begun(*people)
    sent(people[0], f"{path}/games", game="mauerbauer", size="2")
    page = sent(people[0], f"{path}/start", round="0")
    first, second = sorted(set(re.findall(r'href="/t/([^"?]+)', page.main)))
    host = site.app.state.host
    done(site, moderation.delete_table(host.store, first))
    page = look(people[0], path)
    assert "deleted" in page.text
    assert f"/t/{first}" not in page.html
    assert f"/t/{second}" in page.html

    done(site, moderation.delete_table(host.store, second))
    page = look(people[0], path)
    assert "Table 2: deleted" in page.text
    assert "/replay" not in page.main


def test_a_long_evening_shows_the_rounds_around_the_present_one() -> None:
    """The ranking has room for five on a phone."""
    over = RoundTable("t", (0, 1), over=True)
    done, now, later = (
        Round("mauer", tables=(over,)),
        Round("mauer", tables=(RoundTable("t", (0, 1)),)),
        Round("mauer"),
    )
    plans = (
        ((later,) * 3, range(3)),
        ((done, now, *(later,) * 6), range(5)),
        ((*(done,) * 5, now, *(later,) * 3), range(2, 7)),
        ((done,) * 8, range(3, 8)),
    )
    for rounds, shown in plans:
        assert columns_of(Evening("", (), rounds)) == shown


def test_a_page_of_an_evening_in_german(site: Running) -> None:
    """Nothing is left in English."""
    path = begun(site.browser("Ada"), site.browser("Ben"), games=("mauerbauer",))
    page: Page = look(site.browser(), path, accept_language="de")
    assert "Ada lädt dich ein" in page.text
    assert "Als Nächstes: Mauerbauer" in page.text
    assert "Ada startet die Runde." in page.text
