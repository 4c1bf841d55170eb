"""The files of a dataset: a description in JSON, and Parquet files with some games each.

A file is complete when it appears. So a command that was stopped continues with the files that are
lacking, and any number of processes can write at the same time.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.cache import UNFINISHED, write_at_once
from mauerwerk.kernels.observation import codes_of, mask_codes
from mauerwerk.lab.dataset.decisions import VERSION, Decisions, Plan, Searched, decisions_of
from mauerwerk.lab.jsonl import first_difference
from mauerwerk.lab.match.contest import all_options

pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")
DESCRIPTION: Final = "dataset.json"
ABANDONED: Final = 3600.0
"""After how many seconds nobody writes an unfinished file any more."""
KEY: Final = b"mauerwerk"
"""Where the plan is in the metadata of each file."""


class Bits(Value):
    """Where the numbers of a row are: `words[word] >> shift & top`, in words of 32 bits."""

    words: tuple[int, ...]
    shifts: tuple[int, ...]
    tops: tuple[int, ...]


class Description(Value):
    """All that is needed to read a dataset, with or without Mauerwerk."""

    plan: Plan
    layout: dict[str, tuple[int, int]]
    """The parts of an observation: the first number of each, and the first after it."""
    meanings: dict[str, str]
    observation: Bits
    mask: Bits
    actions: tuple[str, ...]
    """The word for each action, by number."""
    reasons: tuple[str, ...]
    """Why games end, by number."""


def description_of(plan: Plan) -> Description:
    """The description of what this plan leads to."""
    game, setup = GAMES[plan.game], plan.setup
    kernel: Any = kernel_of(plan.game, remember=plan.remember)
    observation = codes_of(game, setup, "bits", remember=plan.remember)
    bits = [
        Bits(*(tuple(each.tolist()) for each in (codes.words, codes.shifts, codes.tops)))
        for codes in (observation, mask_codes(game, setup))
    ]
    layout: dict[str, slice] = dict(kernel.OBSERVATION.layout(setup))
    return Description(
        plan=plan,
        layout={name: (place.start, place.stop) for name, place in layout.items()},
        meanings=dict(kernel.OBSERVATION.meanings),
        observation=bits[0],
        mask=bits[1],
        actions=tuple(game.write(action) for action in game.choices(setup)),
        reasons=tuple(kernel.REASONS),
    )


# --- Writing ---------------------------------------------------------------------------------


def open_for_writing(folder: Path, plan: Plan) -> list[int]:
    """Begin or resume a dataset; the numbers of the files that are lacking. Raises SetupError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / DESCRIPTION
    here = description_of(plan)
    if not path.exists():
        if any(each != path and each.suffix != UNFINISHED for each in folder.iterdir()):
            raise SetupError(f"{folder} is not empty, and holds no dataset")
        write_at_once(path, msgspec.json.format(msgspec.json.encode(here)))
    there = read_description(folder).plan
    if different := first_difference(_in_words(there), _in_words(plan)):
        raise SetupError(f"{folder} holds a dataset with {different}")
    for each in files_in(folder):
        rows_in(each)
    return [number for number in range(plan.files) if not _path(folder, number).exists()]


def _in_words(plan: Plan) -> dict[str, str]:
    words: dict[str, str] = {}
    for name in plan.__struct_fields__:
        if name == "options":
            words |= all_options(plan.game, plan.options)
        else:
            words[name] = str(getattr(plan, name))
    return words


def write_file(plan: Plan, folder: Path, number: int) -> int:
    """Play the games of a file and write it; how many games it has."""
    numbers = plan.numbers(number)
    table = _table(decisions_of(plan, numbers), plan)
    content = pa.BufferOutputStream()
    parquet.write_table(table, content, compression="zstd")
    write_at_once(_path(folder, number), content.getvalue())
    return len(numbers)


def clear_unfinished(folder: Path) -> None:
    """Remove what processes have left that were killed while they were writing."""
    for path in folder.glob(f"*{UNFINISHED}"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - ABANDONED:
                path.unlink()


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.parquet"


def _table(rows: Decisions, plan: Plan) -> Any:  # noqa: ANN401 - of Arrow
    columns = {
        "game": pa.array(rows.games),
        "move": pa.array(rows.moves),
        "seat": pa.array(rows.seats),
        "observation": _binary(rows.observations),
        "mask": _binary(rows.masks),
        "action": pa.array(rows.actions),
        "points": _lists(rows.points),
        "ranks": _lists(rows.ranks),
        "reason": pa.array(rows.reasons),
    }
    if rows.searched is not None:
        ends = np.cumsum([0, *rows.searched.counts], dtype=np.int32)
        columns["visits"] = pa.ListArray.from_arrays(ends, pa.array(rows.searched.visits))
        columns["values"] = pa.ListArray.from_arrays(ends, pa.array(rows.searched.values))
    table = pa.table(columns)
    return table.replace_schema_metadata({KEY: msgspec.json.encode(plan)})


def _binary(words: npt.NDArray[np.int32]) -> Any:  # noqa: ANN401 - of Arrow
    """Words as rows of bytes, the lowest byte first."""
    rows = np.ascontiguousarray(words, "<i4")
    kind = pa.binary(4 * rows.shape[1])
    return pa.Array.from_buffers(kind, len(rows), [None, pa.py_buffer(rows)])


def _lists(numbers: npt.NDArray[Any]) -> Any:  # noqa: ANN401 - of Arrow
    flat = pa.array(np.ascontiguousarray(numbers).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, numbers.shape[1])


# --- Reading ---------------------------------------------------------------------------------


def read_description(folder: Path) -> Description:
    """The description of a dataset. Raises SetupError if there is none that can be read."""
    path = folder / DESCRIPTION
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Description)
    except FileNotFoundError:
        raise SetupError(f"{folder} holds no dataset: there is no {DESCRIPTION}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise SetupError(f"{path} describes no dataset: {fault}") from fault
    if found.plan.version != VERSION:
        raise SetupError(f"{path} has version {found.plan.version} of the format, not {VERSION}")
    return found


def files_in(folder: Path) -> list[Path]:
    """The files that are complete, in order."""
    return sorted(folder.glob("*.parquet"))


@contextmanager
def _naming(path: Path) -> Generator[None, None, None]:
    """Raises SetupError, with its name, for a file that is damaged."""
    try:
        yield
    except (pa.ArrowException, OSError) as fault:
        raise SetupError(f"{path} cannot be read: {' '.join(str(fault).split())}") from fault


def rows_in(path: Path) -> int:
    """How many decisions a file has. Raises SetupError if it is damaged."""
    with _naming(path):
        return int(parquet.read_metadata(path).num_rows)


def read_file(path: Path, seats: int) -> Decisions:
    """The decisions in a file. Raises SetupError if it is damaged."""
    with _naming(path):
        table = parquet.read_table(path)

    def column(name: str) -> Any:  # noqa: ANN401 - of Arrow
        return table.column(name).combine_chunks()

    def numbers(name: str) -> Any:  # noqa: ANN401 - an array
        return column(name).to_numpy(zero_copy_only=False)

    def words(name: str) -> npt.NDArray[np.int32]:
        found = column(name)
        width = found.type.byte_width
        content = found.buffers()[1][found.offset * width : (found.offset + len(found)) * width]
        return np.frombuffer(content, "<i4").reshape(len(found), width // 4)

    def by_seat(name: str) -> Any:  # noqa: ANN401 - an array
        return column(name).flatten().to_numpy(zero_copy_only=False).reshape(-1, seats)

    searched = None
    if "visits" in table.column_names:
        visits, values = column("visits"), column("values")
        searched = Searched(
            counts=np.diff(visits.offsets.to_numpy()).astype(np.int32),
            visits=visits.flatten().to_numpy(),
            values=values.flatten().to_numpy(),
        )
    return Decisions(
        games=numbers("game"),
        moves=numbers("move"),
        seats=numbers("seat"),
        observations=words("observation"),
        masks=words("mask"),
        actions=numbers("action"),
        points=by_seat("points"),
        ranks=by_seat("ranks"),
        reasons=numbers("reason"),
        searched=searched,
    )
