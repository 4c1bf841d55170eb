"""A language model as a bot: a program that asks an OpenAI-like server what to play.

    python -m mauerwerk.adapters.language_model [--disguised] -- MODEL

It is told lines of JSON, as `docs/how-to/write-a-bot.md` describes them, and answers each with one.
The address and the key are in the environment (`MAUERWERK_LLM_URL`, `MAUERWERK_LLM_KEY`). No answer
and no error holds either of them. What the model is told is made from the rules, the view of its
seat and what the seat was told, and nothing else is here that could be told.
"""

import json
import os
import re
import ssl
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TextIO

import httpx
import msgspec

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Seat, Setup, name_of
from mauerwerk.core.options import from_words, to_words
from mauerwerk.games import game_of
from mauerwerk.server.games.rules_text import disguise_of, rules_text

ADDRESS: Final = "MAUERWERK_LLM_URL"
KEY: Final = "MAUERWERK_LLM_KEY"

ANSWERS: Final = 3
"""How many answers without a move a model may give to one question before it loses the game."""
FAILURES: Final = 4
"""How often a request that fails is repeated, within the time for the decision."""
PAUSE: Final = 0.5
"""Seconds before the first repetition; each further one waits twice as long."""
REACHED: Final = 10.0
"""Seconds in which a server must show that it is there."""
MOST_HISTORY: Final = 400
"""How many sentences of the past a model is told, the latest ones."""
LONGEST: Final = 4_000_000
"""The most bytes that are read of an answer."""

_FINE: Final = 2
_BUSY: Final = 429
_BROKEN: Final = 500
_MISSING: Final = 404
_KEY_REFUSED: Final = (401, 403)
_JSON: Final = json.JSONDecoder(strict=False)
_OBJECT: Final = re.compile(r'{(?=\s*"(?:[^"\\]|\\.)*"\s*:)', re.DOTALL)
"""The brace of an object with a first key; trying to read one at every other brace takes long."""

HOW_TO_ANSWER: Final = (
    "Think as long as you like. End your answer with one line of JSON that holds the move, word "
    'for word as it stands in the list of legal moves, such as {"move": "WORD"}.'
)


class ModelError(Exception):
    """Why there is no move; the game is lost."""


class StoppedError(ModelError):
    """Why there will be none in any game: the address, the key or the model does not work."""


# --- The server ------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What a server answers to one request."""

    status: int
    headers: httpx.Headers
    content: bytes


class Chat:
    """Requests to one server, for one model, and what they cost."""

    def __init__(self, address: str, key: str, model: str) -> None:
        """Nothing is asked yet. Raises StoppedError if no header can hold the key."""
        if not (key.isascii() and key.isprintable()):
            raise StoppedError(f"the key in {KEY} has characters that no key has")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, follow_redirects=False)
        self._address = address.rstrip("/")
        self._model = model
        self.spent = defaultdict[str, float](float)

    def reach(self) -> None:
        """See whether the server is there and takes the key. Raises StoppedError."""
        try:
            answer = self._request("GET", "models", REACHED)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as fault:
            raise StoppedError(_unreachable(fault)) from None
        if answer.status in _KEY_REFUSED:
            raise StoppedError(f"the server refuses the key in {KEY} ({answer.status})")

    def _request(self, method: str, path: str, seconds: float, body: object = None) -> Answer:
        """Ask the server, in that time. Raises HTTPError, InvalidURL or ValueError."""
        until = time.monotonic() + seconds
        address = f"{self._address}/{path}"
        with self._client.stream(method, address, json=body, timeout=seconds) as answer:
            content = bytearray()
            for part in answer.iter_bytes():
                content += part
                if len(content) > LONGEST:
                    break
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("the answer trickles in")
            return Answer(answer.status_code, answer.headers, bytes(content))

    def ask(self, messages: Sequence[Mapping[str, str]], until: float) -> str:
        """What the model says. Raises ModelError."""
        pause, failures = PAUSE, 0
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise ModelError("the model gave no answer in time")
            began = time.monotonic()
            self.spent["requests"] += 1
            try:
                said, wait, why = self._asked(messages, left)
            finally:
                self.spent["seconds"] += time.monotonic() - began
            if said is not None:
                return said
            failures += 1
            if failures > FAILURES:
                raise StoppedError(f"{why}, {failures} times in a row")
            wait = max(wait, pause)
            if time.monotonic() + wait > until:
                raise ModelError(f"the model gave no answer in time: {why}")
            self.spent["retries"] += 1
            time.sleep(wait)
            pause *= 2

    def _asked(
        self, messages: Sequence[Mapping[str, str]], seconds: float
    ) -> tuple[str | None, float, str]:
        """What the model says; or None, how long to wait, and why there is nothing."""
        body = {"model": self._model, "messages": messages}
        try:
            answer = self._request("POST", "chat/completions", seconds, body)
        except httpx.TimeoutException:
            raise ModelError("the model gave no answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as fault:
            return None, 0.0, _unreachable(fault)
        status = answer.status
        if status == _BUSY:
            return None, _seconds(answer.headers.get("retry-after", "")), "the server is busy (429)"
        if status >= _BROKEN:
            wait = _seconds(answer.headers.get("retry-after", ""))
            return None, wait, f"the server fails ({status})"
        if status in _KEY_REFUSED:
            raise StoppedError(f"the server refuses the key in {KEY} ({status})")
        if status == _MISSING:
            raise StoppedError(f"the server of {ADDRESS} has no such model or no such path (404)")
        if status // 100 != _FINE:
            raise StoppedError(f"the server refuses the request ({status})")
        try:
            return self._content(json.loads(answer.content)), 0.0, ""
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            return None, 0.0, "the answer of the server is not one of a chat"

    def _content(self, said: Any) -> str:  # noqa: ANN401 - JSON
        """The text of an answer; empty where the model refuses to say anything."""
        content = said["choices"][0]["message"].get("content")
        usage: dict[str, Any] = said.get("usage") or {}
        for name in ("prompt_tokens", "completion_tokens", "cost"):
            amount = usage.get(name)
            if isinstance(amount, int | float) and amount > 0:
                self.spent[name] += amount
        if isinstance(content, list):
            parts: Sequence[Any] = said["choices"][0]["message"]["content"]
            content = "".join(str(part.get("text", "")) for part in parts)
        return _sound(content) if isinstance(content, str) else ""


def _sound(text: str) -> str:
    """The text without halves of characters, which no request can repeat."""
    return text.encode(errors="replace").decode()


def _unreachable(fault: Exception) -> str:
    """Why a server cannot be reached, without its address."""
    cause: BaseException | None = fault
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    reason = cause.strerror if cause is not None else None
    if isinstance(cause, ssl.SSLError):  # what it says may name the server
        reason = cause.reason
    return f"the server of {ADDRESS} cannot be reached: {reason or type(fault).__name__}"


def _seconds(said: str) -> float:
    """The seconds of a `Retry-After`; 0 for a date or nonsense."""
    return float(said) if re.fullmatch(r"\d{1,6}(\.\d+)?", said, re.ASCII) else 0.0


# --- What the model is told ------------------------------------------------------------------


class Prompter:
    """Puts a game into words for a model."""

    def __init__(self, game: AnyGame, setup: Setup[Any], *, disguised: bool) -> None:
        """Raises SetupError where a game has no other words."""
        self.game = game
        self._names = tuple(name_of(Seat(seat)).capitalize() for seat in range(setup.seats))
        self._put: Callable[[str], str] = disguise_of(game) if disguised else str
        self._options = ", ".join(
            f"{name.replace('_', ' ')}: {value}" for name, value in to_words(setup.options).items()
        )

    def system(self) -> str:
        """The rules, and how to answer."""
        title = f"You play a board game with {len(self._names)} seats. These are its rules."
        agreed = f"At this table: {self._options}." if self._options else ""
        return self._put("\n\n".join([title, rules_text(self.game), agreed, HOW_TO_ANSWER]).strip())

    def question(
        self,
        seat: Seat,
        view: Any,  # noqa: ANN401 - the game's own
        told: Sequence[Any],
        legal: Sequence[str],
    ) -> str:
        """What the seat knows, and what it may do."""
        game, names = self.game, self._names
        history = [said for event in told if (said := game.tell(event, names))][-MOST_HISTORY:]
        moves = [f"`{word}` {game.say(game.parse(word))}" for word in legal]
        parts = [
            f"You are {names[seat]}.",
            _listed("What has happened:", history),
            f"The table as you see it:\n\n{game.text(view, names).rstrip()}",
            game.ask(view, names),
            _listed("Your legal moves:", moves),
            "Which one do you play?",
        ]
        return self._put("\n\n".join(part for part in parts if part))

    def illegal(self, why: str) -> str:
        """What to say after an illegal move."""
        return self._put(f"This is not allowed: {why}. Choose one of the legal moves.")


def _listed(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([heading, *(f"- {line}" for line in lines)]) if lines else ""


def move_in(said: str, legal: Sequence[str]) -> str | None:
    """The move that an answer names, in its last object that has one; None if it names none.

    >>> move_in('I build. {"move": "T"}', ["T", "-"]), move_in("`-`", ["T", "-"])
    ('T', '-')
    """
    move, end, last = None, 0, said.rfind('"move"')
    for brace in _OBJECT.finditer(said):
        if not end <= brace.start() < last:
            continue
        with suppress(ValueError, RecursionError):
            found, after = _JSON.raw_decode(said, brace.start())
            if isinstance(found.get("move"), str):
                move, end = found["move"], after
    if move is not None:
        return _sound(move).strip().strip("`")
    bare = said.strip().strip("`").strip()
    return bare if bare in legal else None


# --- The program -----------------------------------------------------------------------------


class ModelPlayer:
    """Plays one seat of one game after the other."""

    def __init__(self, model: str, *, disguised: bool) -> None:
        """Nothing is asked yet."""
        self._model = model
        self._disguised = disguised
        self._chat: Chat | None = None
        self._told: tuple[Any, ...] = ()
        self._messages: list[dict[str, str]] = []
        self._legal: Sequence[str] = ()
        self._until = 0.0

    @property
    def spent(self) -> dict[str, float]:
        """What the answer to the last line has cost."""
        return dict(self._chat.spent) if self._chat is not None else {}

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a line. Raises ModelError or SetupError."""
        if self._chat is not None:
            self._chat.spent.clear()
        match question["type"]:
            case "game":
                self._begin(question)
                return {"ready": True}
            case "illegal":
                why = str(question["why"]).rstrip(".")
                self._messages.append({"role": "user", "content": self._prompter.illegal(why)})
            case _:
                self._ask_about(question)
        return self._chosen()

    def _begin(self, question: Mapping[str, Any]) -> None:
        game = game_of(question["game"], question["rules"])
        if game is None:
            raise SetupError(f"there is no game {question['game']}/{question['rules']} here")
        setup = Setup(question["seats"], from_words(game.OPTIONS, question["options"]))
        self._prompter = Prompter(game, setup, disguised=self._disguised)
        self._told = ()
        if self._chat is None:
            address = os.environ.get(ADDRESS, "")
            if not address:
                raise StoppedError(
                    f"put the address of the server into {ADDRESS}, like http://…/v1"
                )
            self._chat = Chat(address, os.environ.get(KEY, ""), self._model)
            self._chat.reach()

    def _ask_about(self, question: Mapping[str, Any]) -> None:
        game = self._prompter.game
        events: Any = game.EVENTS[0]
        for kind in game.EVENTS[1:]:
            events |= kind
        self._told += msgspec.convert(question["told"], tuple[events, ...])
        self._legal = question["legal"]
        self._until = time.monotonic() + question["seconds"]
        asked = self._prompter.question(
            Seat(question["seat"]),
            msgspec.convert(question["view"], game.VIEW),
            self._told,
            self._legal,
        )
        self._messages = [
            {"role": "system", "content": self._prompter.system()},
            {"role": "user", "content": asked},
        ]

    def _chosen(self) -> dict[str, Any]:
        assert self._chat is not None
        for _ in range(ANSWERS):
            said = self._chat.ask(self._messages, self._until)
            word = move_in(said, self._legal)
            if word is not None:
                self._messages.append({"role": "assistant", "content": said})
                return {"word": word, "spent": self.spent}
            self._chat.spent["unreadable"] += 1
            self._messages += [
                {"role": "assistant", "content": said or "…"},
                {"role": "user", "content": f"There is no move in your answer. {HOW_TO_ANSWER}"},
            ]
        raise ModelError(f"no move in {ANSWERS} answers of the model")


def run(player: ModelPlayer, lines: TextIO, answers: TextIO) -> None:
    """Answer line by line, until there are no more."""
    for line in lines:
        try:
            answer = player.answer(json.loads(line))
        except (ModelError, SetupError) as fault:
            stops = isinstance(fault, StoppedError)
            answer = {"error": str(fault), "stops": stops, "spent": player.spent}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    *_flags, _model = sys.argv[1:]
    run(ModelPlayer(_model, disguised="--disguised" in _flags), sys.stdin, sys.stdout)
