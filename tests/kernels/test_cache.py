"""Where compiled code is kept, and what is done where it cannot be."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import pytest

from mauerwerk.kernels import cache
from mauerwerk.kernels.cache import OLD, folder, folder_for_cuda, note_use, sweep, write_at_once


@pytest.fixture(autouse=True)
def _decided_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test decides where things are kept, away from the user's own cache."""
    monkeypatch.setattr(cache, "folder", folder.__wrapped__)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    for name in ("MAUERWERK_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MAUERWERK_CACHE_TOLD", "")


def chosen() -> Path | None:
    """The folder, decided anew."""
    return cache.folder()


def test_the_users_folder_for_caches_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each system has its own; the variable goes before all."""
    places: list[Path | None] = []
    for platform in ("linux", "darwin", "win32"):
        monkeypatch.setattr("mauerwerk.kernels.cache.sys.platform", platform)
        places.append(chosen())
    monkeypatch.setattr("mauerwerk.kernels.cache.sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    places.append(chosen())
    monkeypatch.setenv("MAUERWERK_CACHE", str(tmp_path / "own"))
    places.append(chosen())

    home = tmp_path / "home"
    assert places == [
        home / ".cache/mauerwerk/kernels",
        home / "Library/Caches/mauerwerk/kernels",
        home / "AppData/Local/mauerwerk/kernels",
        tmp_path / "xdg/mauerwerk/kernels",
        tmp_path / "own/kernels",
    ]


def test_where_nothing_can_be_written_a_private_folder_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And one line says so."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("MAUERWERK_CACHE", str(tmp_path / "file"))

    place = chosen()

    private = tmp_path / "tmp" / f"mauerwerk-{os.getuid()}"
    assert place == private / "kernels"
    assert private.stat().st_mode & 0o777 == 0o700
    assert capsys.readouterr().err == (
        f"mauerwerk: the cache {tmp_path / 'file' / 'kernels'} cannot be written: "
        f"what is compiled is kept in {place}\n"
    )


def test_a_user_without_a_home_has_a_private_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number without a name, as in a container."""

    def homeless() -> NoReturn:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)

    assert chosen() == tmp_path / "tmp" / f"mauerwerk-{os.getuid()}" / "kernels"
    assert capsys.readouterr().err.count("\n") == 1


def test_the_processes_that_this_one_starts_say_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They inherit the environment."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("MAUERWERK_CACHE", str(tmp_path / "file"))
    first = chosen()
    capsys.readouterr()

    assert chosen() == first
    assert not capsys.readouterr().err


@pytest.mark.parametrize("fault", ["others may write", "link", "no folder"])
def test_what_others_could_write_is_not_run(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then nothing is kept, and one line says so."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("MAUERWERK_CACHE", str(tmp_path / "file"))
    private = tmp_path / "tmp" / f"mauerwerk-{os.getuid()}"
    if fault == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        private.symlink_to(tmp_path / "elsewhere")
    elif fault == "others may write":
        private.mkdir()
        private.chmod(0o777)
    else:
        private.touch()

    assert chosen() is None
    assert capsys.readouterr().err == (
        f"mauerwerk: the cache {tmp_path / 'file' / 'kernels'} cannot be written: "
        "what is compiled is not kept\n"
    )
    assert folder_for_cuda("loop.play", "0" * 64) is None


def test_a_folder_that_others_can_write_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody else could put code there; a private folder is taken instead."""
    shared = tmp_path / "shared" / "kernels"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    monkeypatch.setenv("MAUERWERK_CACHE", str(shared.parent))

    assert chosen() == tmp_path / "tmp" / f"mauerwerk-{os.getuid()}" / "kernels"
    assert f"others can write the cache {shared}" in capsys.readouterr().err


def test_old_code_is_removed_but_not_what_is_used(tmp_path: Path) -> None:
    """However long ago it was compiled."""
    used, unused = tmp_path / "used.compiled", tmp_path / "unused.compiled"
    broken_off, gpu = tmp_path / "some.unfinished", tmp_path / "cuda-loop.play-0"
    foreign = tmp_path / "somebody.txt"
    gpu.mkdir()
    for path in (used, unused, broken_off, foreign, gpu / "inside"):
        path.touch()
    for path in (used, unused, broken_off, foreign, gpu):
        os.utime(path, (0, 0))
    note_use(used)

    sweep(tmp_path)

    left = {path.name for path in tmp_path.iterdir() if path.name != "tmp"}
    assert left == {"used.compiled", "somebody.txt"}
    assert OLD == 30 * 24 * 3600


def test_a_folder_for_a_gpu_is_named_after_the_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another content, another folder."""
    monkeypatch.setenv("MAUERWERK_CACHE", str(tmp_path))
    one, other = (folder_for_cuda("cuda.play_on_gpu", key * 64) for key in "ab")

    assert one == tmp_path / "kernels" / f"cuda-cuda.play_on_gpu-{'a' * 32}"
    assert other != one


WRITER = """
import sys
from pathlib import Path
from mauerwerk.kernels.cache import write_at_once
for _ in range(60):
    write_at_once(Path(sys.argv[1]), sys.argv[2].encode() * 50_000)
"""


def test_two_processes_may_write_one_file(tmp_path: Path) -> None:
    """A reader sees what one of them wrote, whole; nothing else is left."""
    path = tmp_path / "kept" / "file"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), letter])  # noqa: S603
        for letter in "ab"
    ]
    contents = {b"a" * 50_000, b"b" * 50_000}
    while any(writer.poll() is None for writer in writers):
        assert not path.exists() or path.read_bytes() in contents
        time.sleep(0.001)

    assert path.read_bytes() in contents
    assert [writer.returncode for writer in writers] == [0, 0]
    assert [each.name for each in path.parent.iterdir()] == ["file"]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """The file is as it was."""
    path = tmp_path / "kept"
    path.mkdir()

    with pytest.raises(OSError, match="directory"):
        write_at_once(path, b"content")

    assert [*path.iterdir()] == []
    assert not [*tmp_path.glob("*.unfinished")]
