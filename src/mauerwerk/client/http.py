"""Requests to the API, with Python's own HTTP client."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPException, HTTPResponse
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

SECONDS: Final = 30.0
"""How long a request may take; a stream sends a sign of life more often than this."""
MOST_TRIES: Final = 5
"""How often a request is made before it is given up, where the server is busy or silent."""
BUSY: Final = 429
TOO_LATE: Final = 409
UNAVAILABLE: Final = 503


class ApiError(Exception):
    """The server refused a request, or cannot be reached; nothing has changed."""

    def __init__(self, status: int, code: str, message: str, clause: str = "") -> None:
        """The status is 0 where there is no answer."""
        super().__init__(message)
        self.status = status
        self.code = code
        """The error for programs, as the API names it."""
        self.clause = clause
        """The clause of the rules that forbids a move."""


class TooLateError(ApiError):
    """The table has moved on since; look again."""


class Http:
    """Requests to one server."""

    def __init__(self, site: str, token: str = "") -> None:
        self.site = site.rstrip("/")
        self.token = token

    def get(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """The answer to a GET request. Raises ApiError."""
        return self._asked(path, None)

    def post(self, path: str, **body: Any) -> Any:  # noqa: ANN401 - JSON
        """The answer to a POST request. Raises ApiError."""
        return self._asked(path, json.dumps(body).encode())

    def text(self, path: str) -> str:
        """An answer that is not JSON. Raises ApiError."""
        with closing(self._opened(path, None)) as answer:
            return answer.read().decode()

    def events(self, path: str) -> "Stream":
        """A stream, which is open now. Raises ApiError."""
        return Stream(self._opened(path, None))

    def _asked(self, path: str, content: bytes | None) -> Any:  # noqa: ANN401 - JSON
        with closing(self._opened(path, content)) as answer:
            return json.load(answer)

    def _opened(self, path: str, content: bytes | None) -> HTTPResponse:
        """The open response. A server that is busy or silent is asked again."""
        for tried in range(1, MOST_TRIES + 1):
            try:
                return self._once(path, content)
            except ApiError as error:
                if tried == MOST_TRIES or error.status not in {0, BUSY, UNAVAILABLE}:
                    raise
                time.sleep(min(2.0 ** (tried - 2), 5.0))
        raise AssertionError

    def _once(self, path: str, content: bytes | None) -> HTTPResponse:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = Request(self.site + path, content, headers)  # noqa: S310 - the user's own address
        try:
            answer: HTTPResponse = urlopen(request, timeout=SECONDS)  # noqa: S310 - as above
        except HTTPError as fault:
            raise _error(fault) from None
        except (OSError, HTTPException, ValueError) as fault:
            reason = fault.reason if isinstance(fault, URLError) else fault
            raise ApiError(0, "silent", f"{self.site} cannot be reached: {reason}") from None
        return answer


class Stream(Iterator[Any]):
    """Server-sent events, until the connection ends."""

    def __init__(self, answer: HTTPResponse) -> None:
        self._answer = answer

    def __next__(self) -> Any:  # noqa: ANN401 - JSON
        """The next event."""
        with suppress(OSError, HTTPException):
            for line in self._answer:
                if line.startswith(b"data: "):
                    return json.loads(line.removeprefix(b"data: "))
        raise StopIteration

    def hang_up(self) -> None:
        """End the connection, also while another thread waits for the next event."""
        with suppress(OSError, ValueError, AttributeError):  # it has ended
            number = self._answer.fileno()
            with socket.fromfd(number, socket.AF_INET, socket.SOCK_STREAM) as connection:
                connection.shutdown(socket.SHUT_RDWR)


def _error(fault: HTTPError) -> ApiError:
    said: dict[str, str] = {}
    with suppress(OSError, ValueError):
        said = json.loads(fault.read())
    kind = TooLateError if fault.code == TOO_LATE else ApiError
    message = said.get("message", f"status {fault.code}")
    return kind(fault.code, said.get("error", ""), message, said.get("clause", ""))
