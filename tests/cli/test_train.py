"""`mauerwerk train` refuses what cannot be trained, in one line, before it needs PyTorch."""

from pathlib import Path

import pytest

from mauerwerk.cli import main


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("train chess --save net.safetensors", "'chess' is no game here"),
        ("train mauer --save nowhere/net.safetensors", "there is no folder nowhere"),
    ],
)
def test_bad_input_gets_one_line(
    words: str,
    answer: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And leaves nothing behind."""
    monkeypatch.chdir(tmp_path)

    assert main(words.split()) == 2

    assert answer in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
