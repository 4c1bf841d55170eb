"""Matches and ladders with language models, which a fake server plays."""

import json
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.support.fake_models import KEY, FakeModels, fake_models

from mauerwerk.cli import main

pytestmark = [pytest.mark.process, pytest.mark.slow]

MATCH = ("match", "mauer", "--rounds", "1", "--stall", "2", "--jobs", "1", "--seed", "1")


@pytest.fixture(scope="module")
def served() -> Generator[FakeModels]:
    with fake_models() as models:
        yield models


@pytest.fixture
def models(served: FakeModels, monkeypatch: pytest.MonkeyPatch) -> FakeModels:
    served.asked.clear()
    served.times.clear()
    monkeypatch.setenv("MAUERWERK_LLM_URL", served.address)
    monkeypatch.setenv("MAUERWERK_LLM_KEY", KEY)
    return served


def test_a_match_says_what_models_cost_and_did_wrong(
    models: FakeModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Retries, illegal moves, tokens, cost and time; and the page has all of it."""
    page, records, results = (tmp_path / name for name in ("m.html", "m.txt", "m.jsonl"))
    bots = "llm:illegal-once,llm:disguised:fine,uniform"
    files = ("--report", str(page), "--records", str(records), "--results", str(results))

    code = main([*MATCH, "--bots", bots, "--games", "3", "--price", "fine=2/10", "--json", *files])

    assert code == 0
    out = capsys.readouterr()
    said = json.loads(out.out)
    fine, once = said["spent"]
    assert (fine["bot"], once["bot"]) == ("llm:disguised:fine", "llm:illegal-once")
    assert fine["games"] == once["games"] == 3
    assert fine["requests"] == fine["decisions"] > 3
    assert fine["prompt_tokens"] == 1_000 * fine["requests"]
    assert fine["cost"] == pytest.approx(fine["requests"] * (1_000 * 2 + 20 * 10) / 1e6)
    assert fine["seconds"] > 0
    assert (once["illegal"], once["clauses"], once["cost"]) == (1, {"": 1}, None)
    assert once["requests"] == once["decisions"] + 1
    assert said["forfeits"] == {}
    text = page.read_text(encoding="utf-8")
    assert "llm:disguised:fine" in text
    assert "Sprachmodelle" in text
    assert "no move of this game" in text
    assert not re.search(r"\de-\d", text), "a short time has a unit of its own"
    prompts = {each["model"]: each["messages"][0]["content"] for each in models.asked}
    assert "tower" in prompts["illegal-once"]
    assert "tower" not in prompts["fine"]
    written = text + records.read_text() + results.read_text() + out.out + out.err
    assert KEY not in written
    assert models.address not in written


def test_illegal_moves_are_reported_by_clause(
    models: FakeModels, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules say which one; after three the game is lost, and a bot that always fails stops."""
    code = main([*MATCH, "--bots", "llm:illegal,uniform,uniform", "--games", "3"])

    assert code != 0
    out = capsys.readouterr()
    assert "illegal moves of llm:illegal: DM-5 9" in out.out
    assert "the bot llm:illegal always fails: it lost 3 games like this" in out.err
    told = models.asked[1]["messages"][-1]["content"]
    assert told.startswith("This is not allowed: seat ")
    assert "(DM-5)" in told


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("llm:broken", "the server fails (500), 5 times in a row"),
        ("llm:elsewhere", "no such model or no such path (404)"),
    ],
)
def test_a_server_that_fails_stops_the_match(
    models: FakeModels, capsys: pytest.CaptureFixture[str], word: str, why: str
) -> None:
    code = main([*MATCH, "--bots", f"{word},uniform,uniform", "--games", "3"])

    assert code != 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"the bot {word} cannot play: " in err
    assert why in err
    assert models.address not in err


def test_an_address_that_does_not_work_is_found_before_the_first_game(
    models: FakeModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    results = tmp_path / "results.jsonl"
    given = ("--llm-url", "http://127.0.0.1:1/v1", "--results", str(results))

    code = main([*MATCH, "--bots", "llm:unreached,uniform,uniform", *given])

    assert code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "cannot be reached: Connection refused" in err
    assert not models.asked
    assert not results.exists()


def test_bad_options_are_one_line(capsys: pytest.CaptureFixture[str], models: FakeModels) -> None:
    for more, why in (
        (("--price", "fine"), "a price is MODEL=PROMPT/COMPLETION"),
        (("--report", "page.pdf"), "--report takes a name that ends in .html"),
    ):
        assert main([*MATCH, "--bots", "llm:fine,uniform,uniform", *more]) == 2
        assert why in capsys.readouterr().err
    assert not models.asked


def test_a_ladder_rates_a_model_beside_our_bots(
    models: FakeModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page, results = tmp_path / "ladder.html", tmp_path / "ladder.jsonl"
    given = ("--bots", "llm:fine,greedy,uniform", "--games", "3", "--results", str(results))
    ladder = ("ladder", *MATCH[1:], *given, "--report", str(page))

    assert main(list(ladder)) == 0
    first = capsys.readouterr().out
    asked = len(models.asked)
    assert main([*ladder, "--json"]) == 0

    assert len(models.asked) == asked, "what was played is not played again"
    said = json.loads(capsys.readouterr().out)
    assert {each["bot"] for each in said["ratings"]} == {"llm:fine", "greedy", "uniform"}
    assert said["spent"][0]["prompt_tokens"] == 1_000 * asked
    assert "Language models, per game" in first
    text = page.read_text(encoding="utf-8")
    assert "Rating" in text
    assert "http" not in text.replace("http://www.w3.org", "")
