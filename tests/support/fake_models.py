"""A server that speaks like OpenAI's, with models that behave in different ways."""

import json
import re
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

KEY: Final = "sk-a-secret-key"
SLOW: Final = 30.0
MODELS: Final = (
    "fine",
    "slow",
    "malformed",
    "refusing",
    "illegal",
    "illegal-once",
    "busy-once",
    "busy",
    "broken",
    "silent-once",
    "elsewhere",
    "endless",
    "deep",
    "half-a-character",
)


class FakeModels:
    """What was asked, and where."""

    def __init__(self) -> None:
        self.address = ""
        self.asked: list[dict[str, Any]] = []
        """The bodies of all requests for answers."""
        self.times = Counter[str]()
        self.stopped = threading.Event()

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content."""
        model = body["model"]
        self.asked.append(body)
        self.times[model] += 1
        first = self.times[model] == 1
        legal = re.findall(r"^- `(.+?)` ", body["messages"][1]["content"], re.MULTILINE)
        said: str | None = f'I think so. {{"move": {json.dumps(legal[0])}}}'
        match model:
            case "slow":
                self.stopped.wait(SLOW)
            case "malformed":
                return 200, {}, b"<html>not a chat</html>"
            case "refusing":
                said = None
            case "illegal":
                said = '{"move": ">"}'
            case "illegal-once":
                said = '{"move": "castle"}' if first else said
            case "busy-once" if first:
                return 429, {"Retry-After": "1"}, b"{}"
            case "busy":
                return 429, {"Retry-After": "3600"}, b"{}"
            case "broken":
                return 500, {}, b"oh no"
            case "silent-once":
                said = "I would rather not say." if first else said
            case "endless":
                return 200, {}, b" " * 6_000_000
            case "deep":
                return 200, {}, b"[" * 200_000
            case "half-a-character":
                said = 'Hm \ud83e {"move": "\\ud800"}' if first else said
            case "elsewhere":
                return 404, {}, b"{}"
            case _:
                pass
        usage = {"prompt_tokens": 1_000, "completion_tokens": 20}
        message = {"role": "assistant", "content": said}
        return 200, {}, json.dumps({"choices": [{"message": message}], "usage": usage}).encode()


@contextmanager
def fake_models() -> Generator[FakeModels, None, None]:
    """The server, at any free port."""
    models = FakeModels()

    class Handler(BaseHTTPRequestHandler):
        def _reply(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def _is_known(self) -> bool:
            if self.headers.get("Authorization") == f"Bearer {KEY}":
                return True
            self._reply(401, {}, b"{}")
            return False

        def do_GET(self) -> None:
            if self._is_known():
                self._reply(200, {}, b'{"data": []}')

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self._is_known():
                return
            if body["model"] == "trickling":
                self._trickle()
            else:
                self._reply(*models.answer(body))

        def _trickle(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not models.stopped.wait(0.1):
                self.wfile.write(b" ")
                self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as there
            del format, args

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as there
            """Clients that have gone are none of its business."""
            del request, client_address

    server = Server(("127.0.0.1", 0), Handler)
    models.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield models
    finally:
        models.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
