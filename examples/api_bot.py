"""A bot that plays a whole game through the API, using only the standard library.

python examples/api_bot.py http://127.0.0.1:8080 mauer      # opens a table, against bots
python examples/api_bot.py http://127.0.0.1:8080/t/…/s/2/…  # takes the seat of a personal link
"""

import json
import random
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TOO_MANY = 429
"""The status of a request that came too soon; the server says how many seconds to wait."""


def ask(url: str, secret: str = "", /, **body: Any) -> Any:  # noqa: ANN401 - any field, any answer
    """Send a GET request, or POST if there is a body; for a stream, return the open response."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    content = json.dumps(body).encode() if body else None
    headers |= {"Content-Type": "application/json"} if body else {}
    try:
        answer = urlopen(Request(url, content, headers))  # noqa: S310 - the user gave the address
    except HTTPError as error:
        if error.code != TOO_MANY:
            raise
        time.sleep(float(error.headers["Retry-After"]))
        return ask(url, secret, **body)
    return answer if "/stream" in url else json.load(answer)


def play(table: str, token: str) -> dict[str, Any]:
    """Play random legal moves until the game is over; return the last table view."""
    table_view: dict[str, Any] = ask(table, token)
    with ask(f"{table}/stream?after={table_view['number']}", token) as told:
        while table_view["status"] != "over":
            if table_view["seats"][table_view["seat"]]["asked"]:
                move = random.choice(table_view["legal"])["move"]  # noqa: S311 - no secret
                ask(f"{table}/moves", token, move=move, version=table_view["number"])
            next(line for line in told if line.startswith(b"data: "))
            table_view = ask(table, token)
    return table_view


def take_seat(address: str, game: str = "mauer") -> tuple[str, str]:
    """The address of a table and the token of a seat: from a personal link, or from a new table."""
    site, _, link = address.partition("/t/")
    if link:
        table, _, _, secret = link.split("/")
        url = f"{site}/api/tables/{table}"
        return url, ask(f"{url}/claim", token=secret, name="Robo")["token"]
    me = ask(f"{site}/api/guests", name="Robo")["token"]
    bots = [{"kind": "bot", "level": "apprentice"}] * 2
    opened = ask(
        f"{site}/api/tables",
        me,
        game=game,
        chairs=[{"kind": "human"}, *bots],
        mine=[0],
        bot_delay_ms=0,
    )
    return f"{site}/api/tables/{opened['table']}", opened["seats"][0]["token"]


if __name__ == "__main__":
    sys.stdout.write(f"{play(*take_seat(*sys.argv[1:]))['outcome']}\n")
