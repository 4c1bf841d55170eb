"""What is in the source since the rebuild began and was in no form there before.

`bench.size` takes it off, so that the rebuild can be compared with what it was made from. The list
is checked against git: nothing on it may have an ancestor. What came into modules that were there
already cannot be told apart, and is not taken off; nor is what replaced something, such as the
trainer of `learn`.
"""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

SINCE: Final = "0b5c3a1"
"""The revision from which the server was rebuilt."""
ALIKE: Final = 40
"""From this share of equal lines, in percent, git calls a file a copy of another."""
COPIED: Final = 0.25
"""The share of a file's longer lines that may stand somewhere in the old tree."""
LONGER: Final = 20
"""Lines with fewer characters are alike by chance."""


class Addition(NamedTuple):
    """Something that can be done now, and could not be done before."""

    what: str
    paths: tuple[str, ...]
    """Packages and modules of their own, by their paths in the package."""


ADDITIONS: Final = (
    Addition(
        "agents and language models play, and what they spend is counted",
        (
            "adapters/language_model.py",
            "cli/mcp_stdio.py",
            "lab/match/report.py",
            "lab/match/spending.py",
            "server/features/mcp/",
            "server/games/rules_text.py",
        ),
    ),
    Addition(
        "the edition that runs in a browser alone",
        (
            "kernels/exponential.py",
            "kernels/search/packed.py",
            "kernels/wasm/",
            "kernels/wasm_build.py",
            "pocket/",
        ),
    ),
    Addition("small games are solved exactly", ("bots/table.py", "cli/solve.py", "lab/solve/")),
    Addition(
        "games of other people are checked and described",
        ("cli/check.py", "core/observation.py", "lab/check.py"),
    ),
    Addition("a public benchmark", ("cli/benchmark.py", "lab/benchmark.py")),
    Addition(
        "studies answer questions, and play greedy bots and networks in compiled code",
        (
            "kernels/burgbaumeister/greedy.py",
            "kernels/mauer/greedy.py",
            "kernels/mauerbauer/greedy.py",
            "kernels/networks/incremental.py",
            "kernels/networks/players.py",
            "lab/study/question.py",
            "lab/study/sweep.py",
        ),
    ),
    Addition("training runs in fused kernels of a GPU", ("learn/triton_kernels.py",)),
    Addition(
        "three puzzles a day, and how a game was played",
        ("lab/analysis/play.py", "lab/analysis/puzzles.py", "server/features/puzzles/"),
    ),
    Addition("moves are prepared in games over days", ("server/features/conditions/",)),
    Addition("a table on a television", ("server/features/screen/",)),
    Addition(
        "pictures and films of a game, to share its link", ("server/features/sharing/posters.py",)
    ),
    Addition(
        "what a piece costs and where it fits is shown before a move",
        (
            "server/games/burgbaumeister/teaching.py",
            "server/games/mauer/teaching.py",
            "server/games/mauerbauer/teaching.py",
        ),
    ),
    Addition("people play bots until others come", ("server/features/lobby/looking.py",)),
    Addition(
        "hosts are alerted, have pages of their own, and let a proxy sign people in",
        (
            "server/features/alerts/",
            "server/features/host_pages/",
            "server/features/proxy_login/",
        ),
    ),
    Addition(
        "one client cannot starve others; important changes want a fresh proof",
        ("server/http/costs.py", "server/http/proof.py", "server/meter.py"),
    ),
    Addition(
        "notifications by ntfy and webhooks; nobody can have strangers flooded with e-mail",
        (
            "server/features/notifications/addresses.py",
            "server/features/notifications/relays.py",
        ),
    ),
)


class WrongListError(ValueError):
    """The list calls something new that is not."""


def is_since(root: Path, revision: str) -> bool:
    """Whether this is the revision that the list is about."""
    command = ["git", "rev-parse", revision, SINCE]
    said = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout  # noqa: S603 - git
    return len(set(said.split())) == 1


def files_of(files: Iterable[str], additions: Iterable[Addition] = ADDITIONS) -> dict[str, str]:
    """What each new file is for. Raises WrongListError if a path of the list has no file."""
    known = tuple(files)
    found: dict[str, str] = {}
    for what, paths in additions:
        for path in paths:
            inside = [
                each
                for each in known
                if each == path or (path.endswith("/") and each.startswith(path))
            ]
            if not inside:
                raise WrongListError(f"nothing is at {path}, which is called new")
            found |= dict.fromkeys(inside, what)
    return found


def check(root: Path, revision: str, before: Path, source: str, files: Iterable[str]) -> None:
    """Make sure that no file of a checkout has an ancestor. Raises WrongListError if one has.

    Git looks for renames and copies between the revision, which is unpacked at `before`, and the
    working tree; and of each file, few lines may stand anywhere in the old tree.
    """
    alike = f"{ALIKE}%"
    command = ["git", "diff", f"-M{alike}", f"-C{alike}", "--find-copies-harder", "-l100000"]
    said = subprocess.run(  # noqa: S603 - git
        [*command, "--name-status", "-z", revision, "--", source],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    origins = dict(_origins(said.split("\0")))
    old = {
        line.strip()
        for path in (before / source).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    for file in files:
        path = f"{source}/{file}"
        if (before / path).exists() or path in origins:
            raise WrongListError(f"{file} is called new, and was {origins.get(path, path)}")
        lines = _longer((root / path).read_text(encoding="utf-8"))
        copied = sum(line in old for line in lines)
        if copied > COPIED * len(lines):
            raise WrongListError(f"{file} is called new; {copied} of {len(lines)} lines are old")


def _origins(said: list[str]) -> Iterator[tuple[str, str]]:
    """Each file that was renamed or copied, and from what, as `git diff --name-status -z` says."""
    words = iter(said)
    for status in words:
        if status[:1] in {"R", "C"}:
            origin = next(words)
            yield next(words), origin
        elif status:
            next(words)


def _longer(text: str) -> list[str]:
    """The lines that say something; imports are alike everywhere."""
    lines = (line.strip() for line in text.splitlines())
    return [
        line
        for line in lines
        if len(line) >= LONGER and not line.startswith(("from ", "import ", "@"))
    ]
