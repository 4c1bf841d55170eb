"""A server behind nginx, with TLS and with the configuration of `deploy`."""

import re
import shutil
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import httpx
import pytest

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("nginx", path="/usr/sbin:/usr/bin") and shutil.which("openssl")),
        reason="nginx is not installed",
    ),
]

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"
SOON = 30.0


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine, signed by itself."""
    folder = tmp_path_factory.mktemp("certificates")
    subprocess.run(  # noqa: S603 - fixed
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(folder / "walls.key"), "-out", str(folder / "walls.crt")),
        ],
        check=True,
        capture_output=True,
    )
    return folder


@contextmanager
def nginx(
    folder: Path, certificates: Path, servers: list[Path], below: str = "/"
) -> Generator[str, None, None]:
    """A proxy in front of these servers, and its address; they are below that path."""
    plain, secure = free_port(), free_port()
    text = CONFIGURATION.read_text(encoding="utf-8")
    for old, new in (
        ("listen 8080;", f"listen 127.0.0.1:{plain};"),
        ("listen 8443 ssl http2;", f"listen 127.0.0.1:{secure} ssl http2;"),
        ("/certificates/", f"{certificates}/"),
        ("location / {\n            proxy_pass", f"location {below} {{\n            proxy_pass"),
        ("server-1:8080", f"unix:{servers[0]}"),
        ("server-2:8080", f"unix:{servers[-1]}"),
    ):
        assert old in text
        text = text.replace(old, new)
    whole = f"pid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n{text}"
    with running_nginx(folder, whole, secure):
        yield f"https://localhost:{secure}"


@contextmanager
def running_nginx(folder: Path, text: str, port: int) -> Generator[None, None, None]:
    """A proxy with this configuration, once it listens at this port."""
    file = folder / "nginx.conf"
    file.write_text(text)
    path = shutil.which("nginx", path="/usr/sbin:/usr/bin") or ""
    running = subprocess.Popen(  # noqa: S603 - as above
        [path, "-c", str(file), "-p", str(folder), "-g", "daemon off; user root;"]
    )
    try:
        until_it_listens(port)
        yield
    finally:
        running.terminate()
        running.wait(SOON)


def until_it_listens(port: int) -> None:
    """Wait for whoever is to listen at a port."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError


@contextmanager
def server(data: Path, path: Path, address: str) -> Generator[None, None, None]:
    """A server that listens at a path."""
    command = [sys.executable, "-m", "mauerwerk", "serve", "--no-compile", "--trust-proxy"]
    more = ["--unix-socket", str(path), "--data", str(data), "--address", address]
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [*command, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(f"Mauerwerk is at {address}")
        yield
    finally:
        process.terminate()
        process.communicate(timeout=SOON)


def ids_in(lines: Iterator[str]) -> Iterator[int]:
    """The numbers of the notices of a stream."""
    for line in lines:
        if line.startswith("id: "):
            yield int(line.removeprefix("id: "))


def test_a_server_behind_nginx(tmp_path: Path, certificates: Path) -> None:
    """Pages, cookies and streams work; a restart of the server loses no notice."""
    path, data = tmp_path / "walls.sock", tmp_path / "data"
    trusted = ssl.create_default_context(cafile=str(certificates / "walls.crt"))
    with (
        nginx(tmp_path, certificates, [path]) as address,
        httpx.Client(base_url=address, verify=trusted, timeout=SOON) as client,
    ):
        order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3, "mine": [0, 1, 2]}
        with server(data, path, address):
            page = client.get("/")
            guest = client.post("/api/guests", json={"name": "Ada"})
            client.cookies.clear()
            client.headers["authorization"] = f"Bearer {guest.json()['token']}"
            table = client.post("/api/tables", json=order).json()
            metrics = httpx.get(f"{address}/metrics", verify=trusted)
            stream = f"/api/tables/{table['table']}/stream?seat=0"
            with client.stream("GET", stream, headers={"last-event-id": "0"}) as told:
                ids = ids_in(told.iter_lines())
                first = [next(ids) for _ in range(4)]
                move(client, table["table"], "T")
                last = next(ids)  # at once: nginx keeps nothing back
        with server(data, path, address):
            move(client, table["table"], "4", seat=1)
            with client.stream("GET", stream, headers={"last-event-id": str(last)}) as told:
                after = next(ids_in(told.iter_lines()))

    assert page.status_code == 200
    assert page.headers["strict-transport-security"].startswith("max-age=")
    assert guest.headers["set-cookie"].startswith("__Host-mauerwerk=")
    assert table["link"].startswith(f"{address}/t/")
    assert metrics.status_code == 403
    assert first == [1, 2, 3, 4]
    assert (last, after) == (5, 6)


def test_a_server_below_a_path(tmp_path: Path, certificates: Path) -> None:
    """A visitor plays at once: cookies, forms, scripts and links stay below the path."""
    path, data = tmp_path / "walls.sock", tmp_path / "data"
    trusted = ssl.create_default_context(cafile=str(certificates / "walls.crt"))
    with (
        nginx(tmp_path, certificates, [path], "/walls/") as address,
        server(data, path, f"{address}/walls"),
        httpx.Client(base_url=address, verify=trusted, timeout=SOON) as client,
    ):
        client.headers["origin"] = address
        home = client.get("/walls/")
        script = re.search(r'src="(/walls/static/page\.js[^"]*)"', home.text)
        assert script is not None
        files = client.get(script[1])
        begun = client.post("/walls/play", data={"game": "mauer"})
        table = client.get(begun.headers["location"])
        outside = client.get("/rules")

    assert files.status_code == 200
    assert begun.headers["location"].startswith("/walls/t/")
    assert all("; Path=/walls;" in each for each in begun.headers.get_list("set-cookie"))
    assert 'sse-connect="/walls/t/' in table.text
    assert outside.status_code == 404


class Named(BaseHTTPRequestHandler):
    """A server that answers with its name, by a path of the file system."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """The same for a form."""
        self.do_GET()

    def do_GET(self) -> None:
        """Say who answers."""
        name = Path(str(self.server.server_address)).name.encode()
        self.send_response(200)
        self.send_header("content-length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def address_string(self) -> str:
        """Nobody in particular."""
        return ""

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Say nothing."""


def test_all_of_a_table_goes_to_one_server(tmp_path: Path, certificates: Path) -> None:
    """Pages, streams and moves of a table; other tables may be at the other server."""
    paths = [tmp_path / "one.sock", tmp_path / "two.sock"]
    servers = [socketserver.ThreadingUnixStreamServer(str(path), Named) for path in paths]
    trusted = ssl.create_default_context(cafile=str(certificates / "walls.crt"))
    for each in servers:
        threading.Thread(target=each.serve_forever, daemon=True).start()
    with (
        nginx(tmp_path, certificates, paths) as address,
        httpx.Client(base_url=address, verify=trusted, timeout=SOON) as client,
    ):
        answers = [
            {
                client.get(path).text
                for path in (
                    f"/t/{table}",
                    f"/t/{table}/seat",
                    f"/api/tables/{table}/stream?seat=1",
                )
            }
            for table in "abcdefghijkl"
        ]
    for each in servers:
        each.shutdown()
        each.server_close()

    assert [len(names) for names in answers] == [1] * 12
    assert {name for names in answers for name in names} == {"one.sock", "two.sock"}


class Failing(Named):
    """A server that takes a request and hangs up, as one does that is killed."""

    def do_GET(self) -> None:
        """Take it, and say nothing."""
        self.close_connection = True


@pytest.mark.parametrize("state", ["gone", "failing"])
def test_the_other_server_takes_over(tmp_path: Path, certificates: Path, state: str) -> None:
    """For everything, if one cannot be reached; if one dies, what may be done is not sent twice."""
    paths = [tmp_path / "one.sock", tmp_path / "two.sock"]
    servers = [socketserver.ThreadingUnixStreamServer(str(paths[0]), Named)]
    if state == "failing":
        servers.append(socketserver.ThreadingUnixStreamServer(str(paths[1]), Failing))
    trusted = ssl.create_default_context(cafile=str(certificates / "walls.crt"))
    for each in servers:
        threading.Thread(target=each.serve_forever, daemon=True).start()
    with (
        nginx(tmp_path, certificates, paths) as address,
        httpx.Client(base_url=address, verify=trusted, timeout=SOON) as client,
    ):
        read = [client.get(f"/t/{table}") for table in "abcdefghijkl"]
        written = [client.post(f"/t/{table}/move") for table in "abcdefghijkl"]
    for each in servers:
        each.shutdown()
        each.server_close()
    assert {each.text for each in read} == {"one.sock"}
    assert {each.status_code for each in written} == ({200} if state == "gone" else {200, 502})


def move(client: httpx.Client, table: str, word: str, seat: int = 0) -> None:
    """Play a word."""
    number = client.get(f"/api/tables/{table}?seat={seat}").json()["number"]
    body = {"seat": seat, "move": word, "version": number, "idempotency_key": f"{word}{seat}"}
    assert client.post(f"/api/tables/{table}/moves", json=body).status_code == 200


def test_the_site_for_debian(tmp_path: Path) -> None:
    """The file that the manual copies into `sites-enabled`, before certbot adds TLS."""
    port, path = free_port(), tmp_path / "walls.sock"
    text = CONFIGURATION.with_name("nginx-site.conf").read_text(encoding="utf-8")
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("    listen [::]:80;\n", ""),
        ("server_name walls.example.org", "server_name localhost"),
        ("proxy_pass http://127.0.0.1:8080;", f"proxy_pass http://unix:{path};"),
    ):
        assert old in text
        text = text.replace(old, new)
    whole = f"pid {tmp_path}/nginx.pid;\nevents {{}}\nhttp {{\n{text}}}\n"
    address = f"http://localhost:{port}"
    with (
        running_nginx(tmp_path, whole, port),
        server(tmp_path / "data", path, address),
        httpx.Client(base_url=address, timeout=SOON) as client,
    ):
        assert client.get("/").status_code == 200
        guest = client.post("/api/guests", json={"name": "Ada"})
        client.cookies.clear()
        client.headers["authorization"] = f"Bearer {guest.json()['token']}"
        order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3, "mine": [0, 1, 2]}
        table = client.post("/api/tables", json=order).json()
        assert table["link"].startswith(f"{address}/t/")
        move(client, table["table"], "T")
