"""What makes the site an app: a manifest, icons, and a worker, below any path."""

import json
import re
import struct
from pathlib import Path

from tests.support.web_server import Running, serving

from mauerwerk.server.features.offline.feature import kept_pages
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.http.static import files


def known_to_worker(text: str) -> dict[str, object]:
    """What the first line of the worker says."""
    found = re.match(r"const KNOWN = (\{.*\});\n", text)
    assert found
    known: dict[str, object] = json.loads(found[1])
    return known


def test_it_can_be_installed(site: Running) -> None:
    """Icons have the size that they say, and what is kept without a network exists."""
    somebody = site.browser()
    page = somebody.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    answer = somebody.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    said = answer.json()
    assert (said["start_url"], said["scope"], said["display"]) == ("/", "/", "standalone")
    assert {each["purpose"] for each in said["icons"]} == {"any", "maskable"}
    for each in said["icons"]:
        drawn = somebody.get(each["src"])
        assert drawn.headers["content-type"] == "image/png"
        width, height = struct.unpack(">II", drawn.content[16:24])
        assert each["sizes"] == f"{width}x{height}"
        assert len(drawn.content) < 5_000
    german = site.client(accept_language="de").get("/manifest.webmanifest").json()
    assert german["lang"] == "de"


def test_the_worker_knows_its_version(site: Running) -> None:
    """Its script is never taken from a cache, and another version has another first line."""
    answer = site.browser().get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    known = known_to_worker(answer.text)
    assert known["root"] == "/"
    assert len(str(known["version"])) == 12
    assert len(files()["worker.js"].packed) < 4_000


def test_pages_that_are_kept_exist(site: Running) -> None:
    """One of each kind; all of them are read by the browser's test."""
    somebody = site.browser()
    kinds = {re.sub(r"/(mauer\w*|burg\w*)|/\d+$", "", path): path for path in kept_pages()}
    assert {"/rules", "/learn", "/learn/words.json", "/real"} <= set(kinds)
    for path in (*kinds.values(), "/offline"):
        assert somebody.get(path).status_code == 200, path


def test_it_works_below_a_path(tmp_path: Path) -> None:
    """Every address has the path of the public address."""
    settings = Settings(limits=Limits(requests=0), address="https://example.org/walls")
    with serving(tmp_path, settings) as running:
        somebody = running.client(host="example.org")
        said = somebody.get("/walls/manifest.webmanifest").json()
        assert said["scope"] == said["start_url"] == "/walls/"
        assert said["icons"][0]["src"].startswith("/walls/static/icons/")
        known = known_to_worker(somebody.get("/walls/worker.js").text)
        assert known["root"] == "/walls/"
        assert all(str(path).startswith("/walls/") for path in known["pages"])  # type: ignore[attr-defined]
        assert 'href="/walls/manifest.webmanifest"' in somebody.get("/walls/").text


def test_pages_that_are_kept_name_nobody(site: Running) -> None:
    """Others may read them on this device once somebody has logged out."""
    ada = site.browser("Rosalind")
    assert "Rosalind" in ada.get("/rules").text
    for path in (*kept_pages(), "/offline"):
        copy = ada.client.get(path, headers={"x-kept": "1"})
        assert copy.status_code == 200
        assert "Rosalind" not in copy.text, path
