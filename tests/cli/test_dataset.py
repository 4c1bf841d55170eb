"""`mauerwerk dataset`: files that are complete, resumed, or refused in one line."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.asking import refused, run

pytestmark = pytest.mark.kernels

COMMAND = "dataset mauer --seats 3 --rounds 1 --games 6 --jobs 1"


def test_it_says_what_it_wrote(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same command again writes nothing more, and needs no seed."""
    first = json.loads(run(capsys, f"{COMMAND} --seed 3 --out {tmp_path} --json"))
    [file] = tmp_path.glob("*.parquet")
    before = file.stat()

    again = json.loads(run(capsys, f"{COMMAND} --out {tmp_path} --json"))

    assert again == first
    assert first["decisions"] > 100
    assert (first["files"], first["bytes"]) == (1, before.st_size)
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert "1 file" in run(capsys, f"{COMMAND} --out {tmp_path}")


def test_lacking_files_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As after Ctrl-C: what is there stays, and what a process left half done goes."""
    whole = json.loads(run(capsys, f"{COMMAND} --seed 3 --out {tmp_path} --json"))
    [file] = tmp_path.glob("*.parquet")
    content = file.read_bytes()
    file.unlink()
    left = tmp_path / "left.unfinished"
    left.touch()
    os.utime(left, (0, 0))

    assert json.loads(run(capsys, f"{COMMAND} --out {tmp_path} --json")) == whole
    assert file.read_bytes() == content
    assert not left.exists()


def test_bad_input_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In one line, and nothing is written."""
    out = tmp_path / "new"
    for command, why in (
        (f"{COMMAND} --bots nobody --out {out}", "there is no bot 'nobody'"),
        (f"{COMMAND} --stall off --out {out}", "need not end"),
        (f"{COMMAND} --seed x --out {out}", "seed"),
        (COMMAND, "--out"),
    ):
        assert why in refused(capsys, command)
    assert not out.exists()
    (tmp_path / "letter.txt").touch()
    assert "is not empty" in refused(capsys, f"{COMMAND} --out {tmp_path}")
