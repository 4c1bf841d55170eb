"""Language models as bots: what they are told, what they answer, and what becomes of failures."""

import io
import json
import re
import ssl
import time
from collections.abc import Generator
from typing import Any

import httpx
import msgspec
import pytest
from tests.support.fake_models import KEY, FakeModels, fake_models
from tests.support.positions import setup_of

from mauerwerk.adapters import language_model
from mauerwerk.adapters.language_model import (
    Chat,
    ModelError,
    ModelPlayer,
    StoppedError,
    move_in,
    run,
)
from mauerwerk.bots import spec
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Observer, Seat, Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.match.match import chance
from mauerwerk.server.games.rules_text import disguise_of, rules_text


@pytest.fixture(scope="module")
def served() -> Generator[FakeModels]:
    with fake_models() as models:
        yield models


@pytest.fixture
def models(served: FakeModels, monkeypatch: pytest.MonkeyPatch) -> FakeModels:
    """The server, which is known by the environment; no pause is long."""
    served.asked.clear()
    served.times.clear()
    monkeypatch.setenv(language_model.ADDRESS, served.address)
    monkeypatch.setenv(language_model.KEY, KEY)
    monkeypatch.setattr(language_model, "PAUSE", 0.01)
    return served


def game_line(game: AnyGame, setup: Setup[Any]) -> dict[str, Any]:
    """The line with which a game begins."""
    return {
        "type": "game",
        "game": game.NAME,
        "rules": game.RULES,
        "seats": setup.seats,
        "options": options.to_words(setup.options),
        "seed": 1,
    }


def question(game: AnyGame, setup: Setup[Any], seconds: float = 20.0) -> dict[str, Any]:
    """The line that asks the first seat that has to decide something, after nature has moved."""
    state = game.start(setup)
    observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    draw = chance(1, 1, "nature")
    while game.to_act(state)[0] < 0:
        odds = list(game.odds(state))
        step = game.apply(state, game.to_act(state)[0], odds[draw(len(odds))])
        for observer in observers:
            observer.follow(step)
        state = step.state
    sight = observers[game.to_act(state)[0]].sight(state)
    return {
        "type": "act",
        "seat": sight.seat,
        "seconds": seconds,
        "view": msgspec.to_builtins(sight.view),
        "told": msgspec.to_builtins(sight.told),
        "legal": [game.write(action) for action in sight.legal],
    }


def asked(model: str, seconds: float = 20.0, *, disguised: bool = False) -> dict[str, Any]:
    """What a model at a table of Die Mauer answers to its first question."""
    player = ModelPlayer(model, disguised=disguised)
    setup = setup_of(mauer, 3)
    assert player.answer(game_line(mauer, setup)) == {"ready": True}
    return player.answer(question(mauer, setup, seconds))


# --- What a model is told ----------------------------------------------------------------------


def test_a_model_is_told_the_rules_the_table_and_its_moves(models: FakeModels) -> None:
    answer = asked("fine")

    assert answer["word"] == "T"
    assert answer["spent"]["prompt_tokens"] == 1_000
    assert answer["spent"]["requests"] == 1
    (body,) = models.asked
    system, user = (message["content"] for message in body["messages"])
    assert rules_text(mauer) in system
    assert "You are Seat 1." in user
    assert "- `T` plan the tower" in user
    assert "Your pieces: T C 1 2 3 4 6" in user
    assert body["model"] == "fine"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_a_disguise_leaves_no_name_of_the_game(game: AnyGame) -> None:
    """Neither its title, nor its author, nor its pieces; different words stay different."""
    disguised = disguise_of(game)
    setup = setup_of(game, game.SEATS[0])
    prompter = language_model.Prompter(game, setup, disguised=True)
    line = question(game, setup)
    view = msgspec.convert(line["view"], game.VIEW)
    text = prompter.system() + prompter.question(Seat(line["seat"]), view, (), line["legal"])
    plain = rules_text(game)
    words = [word for word in ("wall", "tower", "Mauer", "Burg") if word.lower() in plain.lower()]

    assert words
    for word in (*words, game.TITLE, game.NAME, "Fackler", "Colovini", "Ehrhard", "Masons"):
        assert not re.search(word, text, re.IGNORECASE), word
    assert not re.search(r"\b(DM|BB|MB)-\d", text)
    assert len(set(re.findall(r"\bR-\d+:", text))) == len(
        set(re.findall(r"\b[A-Z]{2}-\d+:", plain))
    )
    assert disguised("Towers of a wall") != disguised("Walls of a tower")
    for word in line["legal"]:
        assert f"- `{word}` " in text


def test_a_game_without_other_words_cannot_be_disguised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare:
        rulebook = None

    monkeypatch.setattr("mauerwerk.server.games.rules_text.web_game", lambda *_: Bare())

    with pytest.raises(SetupError, match="mauer has no disguise"):
        disguise_of(mauer)


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ('{"move": "T"}', "T"),
        ('First {"move": "C"}, no: {"move": "T"}', "T"),
        ('```json\n{"why": "x", "move": "*C"}\n```', "*C"),
        ('{"move": "`-`"}', "-"),
        ('{"reason": "two {white} towers", "move": "T"}', "T"),
        ('{"move": "T", "why": "set {1,2}"}', "T"),
        ('{"why": {"a": 1}, "move": "T"}', "T"),
        ('{"move": "T", "others": [{"move": "C"}]} of {T, C}', "T"),
        ('{"answer": {"move": "T"}, "why": "two\nlines"}', "T"),
        ('{"why": ' * 1_500 + '{"move": "T"}', "T"),
        (" `T`\n", "T"),
        ("T", "T"),
        ("I play T", None),
        ("", None),
        ('{"move": 5}', None),
        ('{"move": "\\q"}', None),
        ('{ \n "why \\" {": "x", "move" : "T"}', "T"),
        pytest.param("{" * 130_000, None, id="braces"),
        pytest.param("{" * 130_000 + '"move": "T"}', "T", id="braces and a move"),
    ],
)
def test_the_last_move_in_an_answer_counts(said: str, move: str | None) -> None:
    assert move_in(said, ["T", "C", "-"]) == move


# --- What becomes of failures ------------------------------------------------------------------


def test_a_busy_server_is_asked_again_when_it_says(models: FakeModels) -> None:
    began = time.monotonic()

    answer = asked("busy-once")

    assert time.monotonic() - began >= 1
    assert answer["word"] == "T"
    assert answer["spent"]["retries"] == 1
    assert len(models.asked) == 2


def test_a_server_that_is_busy_for_too_long_costs_the_game(models: FakeModels) -> None:
    with pytest.raises(ModelError, match="no answer in time: the server is busy"):
        asked("busy", 2.0)
    assert len(models.asked) == 1


def test_a_slow_model_costs_the_game(models: FakeModels) -> None:
    began = time.monotonic()

    with pytest.raises(ModelError, match="no answer in time") as fault:
        asked("slow", 0.5)

    assert not isinstance(fault.value, StoppedError)
    assert time.monotonic() - began < 15
    assert len(models.asked) == 1


def test_an_answer_without_a_move_is_asked_about(models: FakeModels) -> None:
    answer = asked("silent-once")

    assert (answer["word"], answer["spent"]["unreadable"]) == ("T", 1)
    assert "There is no move in your answer." in models.asked[1]["messages"][-1]["content"]


def test_a_model_that_refuses_costs_the_game(models: FakeModels) -> None:
    with pytest.raises(ModelError, match="no move in 3 answers"):
        asked("refusing")
    assert len(models.asked) == 3


@pytest.mark.parametrize(
    ("model", "seconds", "spent"),
    [
        ("refusing", 20.0, {"requests": 3, "unreadable": 3, "prompt_tokens": 3_000}),
        ("slow", 0.5, {"requests": 1, "unreadable": 0, "prompt_tokens": 0}),
    ],
)
@pytest.mark.usefixtures("models")
def test_what_a_lost_game_has_cost_is_counted_once(
    model: str, seconds: float, spent: dict[str, int]
) -> None:
    """With the answer that loses it, and not again when the next game begins."""
    setup = setup_of(mauer, 3)
    game = game_line(mauer, setup)
    lines = [game, question(mauer, setup, seconds), {**game, "game": "chess"}]
    answers = io.StringIO()

    run(
        ModelPlayer(model, disguised=False),
        io.StringIO("".join(json.dumps(line) + "\n" for line in lines)),
        answers,
    )

    _, lost, refused = map(json.loads, answers.getvalue().splitlines())
    assert {name: lost["spent"].get(name, 0) for name in spent} == spent
    assert lost["spent"]["seconds"] > 0
    assert "no game chess" in refused["error"]
    assert refused["spent"] == {}


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("broken", r"the server fails \(500\), 5 times in a row"),
        ("malformed", "is not one of a chat, 5 times in a row"),
        ("elsewhere", r"no such model or no such path \(404\)"),
        ("endless", "is not one of a chat, 5 times in a row"),
        ("deep", "is not one of a chat, 5 times in a row"),
    ],
)
def test_what_fails_in_every_game_stops_the_match(models: FakeModels, model: str, why: str) -> None:
    with pytest.raises(StoppedError, match=why):
        asked(model)
    assert models.asked


def test_an_answer_with_half_a_character_is_asked_about(models: FakeModels) -> None:
    """It cannot be sent back as it is, which must not stop a match."""
    player = ModelPlayer("half-a-character", disguised=False)
    setup = setup_of(mauer, 3)
    player.answer(game_line(mauer, setup))

    first = player.answer(question(mauer, setup))
    second = player.answer({"type": "illegal", "word": "?", "clause": "", "why": "no such word"})

    assert (first["word"], second["word"]) == ("?", "T")
    assert models.asked[1]["messages"][2]["content"].startswith("Hm ?")


def test_an_answer_that_trickles_in_costs_the_game(models: FakeModels) -> None:
    """The time is that of the whole answer."""
    chat = Chat(models.address, KEY, "trickling")
    began = time.monotonic()

    with pytest.raises(ModelError, match="no answer in time"):
        chat.ask([{"role": "user", "content": ""}, {"role": "user", "content": ""}], began + 0.5)

    assert time.monotonic() - began < 5


def test_a_fault_of_the_encryption_does_not_name_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its own words do."""
    cause = ssl.SSLCertVerificationError(1, "certificate is not valid for 'secret.example'")
    cause.reason = "CERTIFICATE_VERIFY_FAILED"
    fault = httpx.ConnectError("secret.example")
    fault.__cause__ = cause

    def failing(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(httpx.Client, "stream", failing)

    with pytest.raises(StoppedError, match=r"cannot be reached: CERTIFICATE_VERIFY_FAILED$"):
        Chat("https://secret.example/v1", KEY, "fine").reach()


@pytest.mark.parametrize(
    ("address", "key", "why"),
    [
        ("", KEY, "put the address of the server into MAUERWERK_LLM_URL"),
        ("http://127.0.0.1:1/v1", KEY, "cannot be reached: Connection refused"),
        ("not an address", KEY, "cannot be reached"),
        (None, "sk-wrong", "the server refuses the key in MAUERWERK_LLM_KEY"),
        (None, "sk-wröng", "the key in MAUERWERK_LLM_KEY has characters that no key has"),
        (None, "sk-wrong\n", "the key in MAUERWERK_LLM_KEY has characters that no key has"),
    ],
)
def test_an_address_or_a_key_that_does_not_work_is_one_line(
    models: FakeModels, monkeypatch: pytest.MonkeyPatch, address: str | None, key: str, why: str
) -> None:
    """Before the first move, and without a word of either."""
    monkeypatch.setenv(language_model.ADDRESS, models.address if address is None else address)
    monkeypatch.setenv(language_model.KEY, key)
    lines = io.StringIO(json.dumps(game_line(mauer, setup_of(mauer, 3))) + "\n")
    answers = io.StringIO()

    run(ModelPlayer("fine", disguised=False), lines, answers)

    answer = json.loads(answers.getvalue())
    assert why in answer["error"]
    assert answer["stops"] is True
    assert "127.0.0.1" not in answers.getvalue()
    assert "sk-" not in answers.getvalue()
    assert "\n" not in answer["error"]


# --- Words -------------------------------------------------------------------------------------


def test_words_for_language_models() -> None:
    plain, disguised = spec.read("llm:qwen3:8b"), spec.read("llm:120s:disguised:org/model")

    assert (plain.name, plain.seconds, plain.program[-2:]) == ("llm", 60.0, ("--", "qwen3:8b"))
    assert (disguised.seconds, disguised.program[-1]) == (120.0, "org/model")
    assert "--disguised" in disguised.program
    for word in ("llm", "llm:", "llm:10s:", "llm:disguised:", "llm: x"):
        with pytest.raises(SetupError, match="llm:MODEL"):
            spec.read(word)
