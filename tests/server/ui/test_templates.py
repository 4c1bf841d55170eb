"""Templates are compiled before the first page needs them."""

import asyncio
import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest
from jinja2 import Environment

from mauerwerk.server.features.registry import FEATURES
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.ui import render


@pytest.mark.slow
def test_all_templates_are_compiled_in_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page waits for a template: neither the server's, nor a feature's, nor a game's."""
    render.templates.cache_clear()
    asyncio.run(render.compile_templates())

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Environment, "compile", refuse)
    templates = render.templates()
    folders = {name: each.folder.joinpath("templates") for name, each in FEATURES.items()}
    folders |= {name: each.files for name, each in WEB_GAMES.items() if each.files}
    names = [
        f"{name}/{path}"
        for name, folder in folders.items()
        for path in _below(folder)
        if path.endswith((".html", ".txt"))
    ]

    assert len(names) > 50
    for name in ["base.html", *names]:
        assert templates.get_template(name).name == name


def test_every_field_for_text_looks_like_one() -> None:
    """Wherever it stands: a page has the style of all pages, and its own, but none of others."""
    server = Path(render.__file__).parents[1]
    pages = "".join(each.read_text(encoding="utf-8") for each in server.rglob("*.html"))
    kinds = set(re.findall(r'<input type="(\w+)"', pages))
    style = (server / "ui" / "static" / "page.css").read_text(encoding="utf-8")

    written = kinds - {"hidden", "checkbox", "radio", "file", "range", "number"}
    assert written >= {"text", "email", "url", "password"}
    assert [kind for kind in sorted(written) if f'input[type="{kind}"]' not in style] == []


def _below(folder: Traversable) -> Iterator[str]:
    """The paths of all files in a folder and the folders in it."""
    for each in folder.iterdir() if folder.is_dir() else ():
        if each.is_dir():
            yield from (f"{each.name}/{path}" for path in _below(each))
        else:
            yield each.name
