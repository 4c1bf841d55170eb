"""The table of contents of the site: a tab for each kind of reader, as in the README."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from docs.site.reference import LAYERS

from mauerwerk.core.language import TITLES
from mauerwerk.games import GAMES

Entry: TypeAlias = "str | Mapping[str, str | Sequence[Entry]]"
"""A page, which has its own title, or a title with a page or with entries."""


def how_to(*names: str) -> tuple[str, ...]:
    """Pages of the folder `how-to`."""
    return tuple(f"docs/how-to/{name}.md" for name in names)


def contents(pages: Sequence[str]) -> Sequence[Entry]:
    """What the site contains, given the addresses of all pages."""

    def inside(folder: str) -> list[Entry]:
        """The pages of a folder, its list of contents first; not those that show a file."""
        index = f"{folder}/index.md"
        rest = [page for page in pages if re.fullmatch(rf"{folder}/[\w-]+\.md", page)]
        return sorted(rest, key=lambda page: page != index)

    def layer(name: str) -> list[Entry]:
        """The pages of a layer, each by the name of its package."""
        below = [page for page in pages if page.startswith(f"reference/{name}/")]
        return [
            {".".join(PurePosixPath(page).with_suffix("").parts[1:]): page}
            for page in (f"reference/{name}.md", *below)
        ]

    rules: list[Entry] = [
        {game.TITLE: [{title: f"rules/{name}-{code}.md"} for code, title in TITLES.items()]}
        for name, game in GAMES.items()
    ]
    return (
        {"Mauerwerk": "index.md"},
        {
            "Play": [
                *how_to(
                    "play-on-the-page",
                    "play-without-a-server",
                    "spend-an-evening",
                    "keep-your-games",
                    "rate-players",
                    "replay",
                    "at-a-real-table",
                    "check-the-dice",
                ),
                {"Rules": ["rules/index.md", *rules]},
                {"Clauses": inside("docs/rules")},
            ]
        },
        {
            "Host": how_to(
                "host-a-server", "capacity", "use-the-api", "let-a-model-play", "translate"
            )
        },
        {
            "Bots": [
                *how_to(
                    "write-a-bot",
                    "compare-bots",
                    "rate-a-language-model",
                    "train-a-player",
                    "exploit-a-bot",
                    "many-machines",
                ),
                "docs/benchmark.md",
                {"Examples": ["examples/index.md"]},
            ]
        },
        {
            "Research": [
                {"Games": inside("docs/games")},
                *how_to(
                    "use-kernels",
                    "make-datasets",
                    "use-gymnasium",
                    "use-pettingzoo",
                    "use-openspiel",
                    "use-jax",
                ),
                {"Notebooks": inside("notebooks")},
                {"Measurements": inside("bench")},
            ]
        },
        {
            "Design": [
                *how_to("study-a-rule", "analyse", "design-a-board"),
                {"Studies": inside("docs/studies")},
            ]
        },
        {
            "Contribute": [
                "CONTRIBUTING.md",
                "CODE_OF_CONDUCT.md",
                "SECURITY.md",
                "docs/design.md",
                "docs/modules.md",
                *how_to(
                    "add-a-game",
                    "check-a-game",
                    "give-rules-of-thumb",
                    "draw-a-board",
                    "describe-beliefs",
                    "write-a-kernel",
                    "write-a-lesson",
                    "add-a-feature",
                ),
                "docs/look.md",
                "docs/glossary.md",
                {"Decisions": inside("docs/decisions")},
                "CHANGELOG.md",
            ]
        },
        {
            "Reference": [
                "reference/index.md",
                *({name: layer(name)} for name in LAYERS),
            ]
        },
    )


def named(entries: Sequence[Entry]) -> list[str]:
    """The pages of a table of contents."""
    found: list[str] = []
    for entry in entries:
        if isinstance(entry, str):
            found.append(entry)
            continue
        for value in entry.values():
            found += [value] if isinstance(value, str) else named(value)
    return found


def in_toml(entries: Sequence[Entry]) -> str:
    """A table of contents in the form of the site's settings."""
    return f"[{', '.join(map(_in_toml, entries))}]"


def _in_toml(entry: Entry) -> str:
    if isinstance(entry, str):
        return json.dumps(entry)
    ((title, value),) = entry.items()
    shown = json.dumps(value) if isinstance(value, str) else in_toml(value)
    return f"{{{json.dumps(title)} = {shown}}}"
