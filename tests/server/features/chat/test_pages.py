"""Chat on pages and over the API: who hears what, in which language, and what nobody may say."""

import json
import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import pytest
from msgspec.structs import replace
from tests.support.web_pages import Page
from tests.support.web_server import UNLIMITED, Player, Running, serving

from mauerwerk.core.language import TITLES, language_of
from mauerwerk.server.features.chat import messages
from mauerwerk.server.features.chat.service import ChatSettings
from mauerwerk.server.features.moderation.state import Report
from mauerwerk.server.features.moderation.store import reports
from mauerwerk.server.http.identity import cleaned
from mauerwerk.server.ui.names import apart

ONE_ROUND = {"rounds": "1", "stall": "1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose host allows free text."""
    with serving(
        tmp_path_factory.mktemp("data"), replace(UNLIMITED, sections=(ChatSettings("free"),))
    ) as running:
        yield running


def table_of(site: Running, **more: object) -> tuple[str, Player, Player]:
    """A table at which Ada plays seat 0, and Bob seats 1 and 2."""
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = ada.open("ooo", mine=[0], options=ONE_ROUND, **{"chat": "free", **more})["table"]
    for seat in (1, 2):
        assert bob.post(f"/api/tables/{table}/sit", seat=seat).status_code == 200
    return table, ada, bob


def say(player: Player, table: str, form: str = "face", word: str = "smile") -> int:
    """Say something; the status of the answer."""
    return player.post(f"/api/tables/{table}/chat", form=form, content=word).status_code


def messages_for(player: Player, table: str) -> list[dict[str, Any]]:
    """What this player has heard."""
    heard: list[dict[str, Any]] = player.get(f"/api/tables/{table}/chat").json()["messages"]
    return heard


def heard(player: Player, table: str) -> list[str]:
    """The words that this player has heard."""
    return [each["content"] for each in messages_for(player, table)]


def kept(site: Running, table: str) -> list[Report]:
    """The reports about a table that wait for the host."""
    found: list[Report] = []
    site.write(lambda transaction: found.extend(reports(transaction)))
    return [each for each in found if each.table == table]


def test_everybody_reads_a_phrase_in_their_own_language(site: Running) -> None:
    """On the page and in what is added to it; a program gets the word."""
    table, ada, _ = table_of(site)
    said = ada.client.post(
        f"/t/{table}/chat",
        data={"phrase": "well-built", "seat": "0"},
        headers={"hx-request": "true"},
    )
    assert "Well built!" in said.text
    assert re.search(r"<b>You</b>", said.text)
    for language, words in (("de", "Gut gebaut!"), ("it", "Ben costruito!")):
        reader = site.client(accept_language=language)
        assert words in reader.get(f"/t/{table}").text
    assert heard(ada, table) == ["well-built"]


def test_a_table_that_waits_has_the_button_but_no_chat(site: Running) -> None:
    """The header stays when the game begins, and then the style shows what opens the chat."""
    ada = site.browser("Ada")
    table = ada.open("oob", mine=[0])["table"]
    for reader in (ada, site.browser("Mia")):
        page = reader.get(f"/t/{table}").text
        assert 'id="open-chat"' in page
        assert 'id="chat"' not in page
    assert site.browser("Bob").post(f"/api/tables/{table}/sit", seat=1).status_code == 200
    assert 'id="chat"' in ada.get(f"/t/{table}").text


def test_players_hear_spectators_after_the_end(site: Running) -> None:
    """Not on the page, nor over the API, nor in the stream, nor as a report; then everywhere."""
    table, ada, bob = table_of(site)
    mia = site.browser("Mia")
    with ada.listen(table, chat=True) as told:
        assert say(mia, table, "text", "Take the tower") == 201
        assert say(bob, table) == 201
        assert json.loads(told.block()["data"])["content"] == "smile"
    assert heard(mia, table) == ["Take the tower", "smile"]
    assert heard(ada, table) == ["smile"]
    assert "tower" not in ada.get(f"/t/{table}").text.split('id="chat"')[1]
    assert "Take the tower" not in ada.get(f"/t/{table}/chat").text
    (first, _) = messages_for(mia, table)
    said = {"number": first["number"]}
    assert ada.post(f"/api/tables/{table}/chat/reports", **said).status_code == 422
    for player, seats in ((ada, [0]), (bob, [1, 2])):
        for seat in seats:
            assert player.move(table, "-", seat=seat).status_code == 200
    assert heard(ada, table) == ["Take the tower", "smile"]
    assert "Take the tower" in ada.get(f"/t/{table}/chat").text


def test_numbers_do_not_count_what_one_may_not_hear(site: Running) -> None:
    """Players cannot tell how much spectators say; messages are in order all the same."""
    table, ada, bob = table_of(site)
    mia = site.browser("Mia")
    assert say(bob, table) == 201
    for _ in range(3):
        assert say(mia, table, "text", "Take the tower") == 201
    assert say(bob, table) == 201
    first, last = messages_for(ada, table)
    assert last["number"] - first["number"] == last["at"] - first["at"]
    numbers = [each["number"] for each in messages_for(mia, table)]
    assert (numbers, len(numbers)) == (sorted({*numbers}), 5)
    page = ada.get(f"/t/{table}").text
    assert re.findall(r'data-message="(\d+)"', page) == [
        str(each["number"]) for each in (first, last)
    ]
    after = ada.get(f"/api/tables/{table}/chat", after=first["number"]).json()["messages"]
    assert after == [last]


def test_a_page_that_was_away_hears_what_it_missed(site: Running) -> None:
    """By the number of the last message that it has: all that was said since, and nothing twice."""
    table, ada, bob = table_of(site)
    assert say(bob, table, "text", "Hello") == 201
    last = re.search(r'data-last="(\d+)"', ada.get(f"/t/{table}").text)
    assert last
    assert say(bob, table, "text", "Anybody there?") == 201
    with ada.client.stream("GET", f"/t/{table}/live?seat=0&heard={last[1]}") as stream:
        lines = stream.iter_lines()
        assert next(lines)
        assert say(bob, table, "text", "Good bye") == 201
        told = "".join(takewhile(lambda line: "Good bye" not in line, lines))
    assert "Anybody there?" in told
    assert "Hello" not in told


def test_what_may_be_said_depends_on_server_and_table(site: Running) -> None:
    """A table for phrases takes no text, and one without chat takes nothing and shows no tab."""
    phrases, ada, _ = table_of(site, chat="phrases")
    assert (say(ada, phrases), say(ada, phrases, "text", "Hello")) == (201, 422)
    assert "no free text" in ada.get(f"/t/{phrases}").text
    silent, ada, _ = table_of(site, chat="off")
    assert say(ada, silent) == 422
    assert 'id="tabs"' not in ada.get(f"/t/{silent}").text
    free, ada, _ = table_of(site, chat="free")
    assert say(ada, free, "text", "Hello") == 201


def test_five_in_ten_seconds_then_one_moment(site: Running) -> None:
    """A page says so in the reader's language, and others are not held up."""
    table, ada, bob = table_of(site)
    assert [say(ada, table) for _ in range(6)] == [201] * 5 + [429]
    sent = ada.client.post(
        f"/t/{table}/chat",
        data={"face": "smile"},
        headers={"hx-request": "true", "accept-language": "de"},
    )
    assert (sent.status_code, sent.text[:12]) == (429, "Einen Moment")
    assert say(bob, table) == 201


def test_a_message_is_reported_with_the_four_before_it(site: Running) -> None:
    """The host of the server reads the words; nobody reports themselves."""
    table, ada, bob = table_of(site)
    for word in ("one", "two", "three"):
        assert say(ada, table, "text", word) == 201
    for word in ("four", "five <b>", "six"):
        assert say(bob, table, "text", word) == 201
    fifth = messages_for(ada, table)[4]["number"]
    path = f"/t/{table}/chat/report"
    assert ada.client.post(path, data={"number": str(fifth)}).status_code == 204
    assert bob.post(f"/api/tables/{table}/chat/reports", number=fifth).status_code == 422
    (report,) = kept(site, table)
    assert (report.about, report.name, report.reporter_name) == ("chat", "Bob", "Ada")
    assert report.said.splitlines() == [
        "Ada: one",
        "Ada: two",
        "Ada: three",
        "Bob: four",
        "Bob: five <b>",
    ]


def test_a_text_is_one_line_without_anything_hidden(site: Running) -> None:
    """Direction marks and control characters go, stacked marks are thinned, HTML stays text."""
    table, ada, _ = table_of(site)
    assert say(ada, table, "text", "a\u202eb\nc\u0007 <script>") == 201
    assert heard(ada, table) == ["ab c <script>"]
    assert "<script>" not in ada.get(f"/t/{table}/chat").text
    assert say(ada, table, "text", "\u202e\u200b") == 422
    assert cleaned("e" + "\u0301" * 9, 99) == "é\u0301\u0301"


def test_nobody_is_taken_for_somebody_else() -> None:
    """A name that looks like one before it gets a number: case, other scripts, strokes."""
    assert apart(["Ada", "ADA"]) == ("Ada", "ADA 2")
    assert apart(["Ada", "\u0410d\u0430"])[1].endswith(" 2")
    assert apart(["Mina", "M1na", "Milo"]) == ("Mina", "M1na", "Milo")
    assert apart(["Ilona", "llona"]) == ("Ilona", "llona 2")
    assert apart(["Zoe", "Zoë"]) == ("Zoe", "Zoë")


def test_a_spectator_with_a_players_name_is_told_apart(site: Running) -> None:
    """Among spectators, and for players afterwards."""
    table, _, _ = table_of(site)
    other = site.browser("ADA")
    assert say(other, table) == 201
    assert "<b>ADA 2</b>" in site.browser("Mia").get(f"/t/{table}/chat").text


def test_no_page_says_who_a_guest_is(site: Running) -> None:
    """Speakers are told apart by a key that means nothing elsewhere."""
    table, ada, bob = table_of(site)
    say(bob, table)
    known = site.app.state.host.keys.guest_of
    (guest,) = {found.id for each in bob.client.cookies.values() if (found := known(each))}
    for path in (f"/t/{table}", f"/t/{table}/chat", f"/api/tables/{table}/chat"):
        assert guest not in ada.get(path).text


def test_every_phrase_and_face_is_translated() -> None:
    """So that nobody reads another language than their own."""
    for code in set(TITLES) - {"en"}:
        said = {language_of(code)(each) for each in messages.PHRASES.values()}
        assert not said & set(messages.PHRASES.values())


def test_what_can_be_said_is_the_same_whatever_is_held(site: Running) -> None:
    """No button depends on the table: the form is the same for all seats and positions."""
    table, ada, bob = table_of(site)

    def offered(player: Player) -> set[str]:
        panel = player.get(f"/t/{table}/chat").text
        return set(re.findall(r'name="(?:face|phrase)" value="([^"]+)"', panel))

    before = offered(ada)
    assert before == {*messages.FACES, *messages.PHRASES}
    assert ada.move(table, "T", seat=0).status_code == 200
    assert offered(ada) == offered(bob) == before


def test_it_works_without_a_script(site: Running) -> None:
    """A smile is a form, and leads back to the table; a spectator gets a name."""
    table, ada, _ = table_of(site)
    for player in (ada, site.browser()):
        sent = player.client.post(f"/t/{table}/chat", data={"face": "smile"}, follow_redirects=True)
        assert sent.status_code == 200
        assert "said-" in Page(player, sent).html
