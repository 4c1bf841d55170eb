"""Datasets hold what the rules say: what a seat saw, could do and did, and how the game ended."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from msgspec.structs import replace

from mauerwerk.bots.external import collect_faults
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Observer, Seat, Setup
from mauerwerk.games import GAMES, burgbaumeister, mauer
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.lab.dataset import files
from mauerwerk.lab.dataset.decisions import Plan, plan_of
from mauerwerk.lab.dataset.reading import Dataset, Rows
from mauerwerk.lab.match.match import simulate

pytestmark = pytest.mark.kernels

SHORT: Final = Setup(3, mauer.Options(rounds=1))
SAMPLE: Final = Path(__file__).parents[2] / "examples" / "decisions"


def written(folder: Path, plan: Plan) -> Dataset:
    """A dataset, written whole."""
    for number in files.open_for_writing(folder, plan):
        files.write_file(plan, folder, number)
    return Dataset(folder)


def all_rows(dataset: Dataset, **options: Any) -> Rows:  # noqa: ANN401 - as `batches` takes them
    """All decisions in one."""
    columns = zip(*dataset.batches(100, **options), strict=True)
    return Rows(*(None if each[0] is None else np.concatenate(each) for each in columns))


@pytest.mark.parametrize(
    ("name", "setup", "remember"),
    [("mauer", SHORT, False), ("burgbaumeister", Setup(2, burgbaumeister.Options()), True)],
)
def test_what_bots_decide_is_what_the_rules_say(
    name: str, setup: Setup[Any], tmp_path: Path, *, remember: bool
) -> None:
    """The moves are those of the records, and every row is what its seat saw before it chose."""
    game, kernel = GAMES[name], kernel_of(name, remember=remember)
    numbers = {action: number for number, action in enumerate(game.choices(setup))}
    bots = ("greedy", *["uniform"] * (setup.seats - 1))
    rows = all_rows(written(tmp_path, plan_of(game, setup, bots, 7, 2, remember=remember)))

    for number, played in enumerate(simulate(game, setup, bots, 2, seed=7)):
        ours = Rows(*(None if each is None else each[rows.games == number] for each in rows))
        assert (ours.points == played.outcome.points).all()
        assert (ours.ranks == played.outcome.ranks).all()
        state: Any = game.start(setup)
        observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
        asked: dict[Seat, tuple[list[int], list[int]]] = {}
        row = 0
        for move, made in enumerate(played.record.moves):
            if made.seat != NATURE:
                if made.seat not in asked:
                    for seat in game.to_act(state):
                        sight = observers[seat].sight(state)
                        seen = (
                            kernel.remembered(setup, sight)
                            if remember
                            else kernel.features(setup, sight.view)
                        )
                        asked[seat] = list(seen), sorted(numbers[each] for each in sight.legal)
                seen, legal = asked.pop(made.seat)
                assert (ours.moves[row], ours.seats[row]) == (move, made.seat)
                assert ours.observations[row].tolist() == seen
                assert np.flatnonzero(ours.masks[row]).tolist() == legal
                assert ours.actions[row] == numbers[game.parse(made.word)]
                row += 1
            step = game.apply(state, made.seat, game.parse(made.word))
            for observer in observers:
                observer.follow(step)
            state = step.state
        assert row == len(ours.games)


@pytest.mark.parametrize("absent", [1, 3])
def test_what_is_played_for_a_bot_that_failed_is_not_its_decision(
    tmp_path: Path, absent: int
) -> None:
    """It comes last, as in a match, and its rows are left out."""
    plan = plan_of(mauer, SHORT, ("greedy", "uniform", "uniform"), 5, 2)
    bots = ["run:/nowhere/bot"] * absent + ["uniform"] * (3 - absent)
    with collect_faults() as failures:
        dataset = written(tmp_path, replace(plan, bots=tuple(bots)))

    rows = list(dataset.batches(10_000))
    assert len(failures) == 2 * absent
    assert {seat for each in rows for seat in each.seats} == set(range(absent, 3))
    assert all((each.ranks[:, 0] == 3).all() for each in rows)


def test_games_by_chance_are_those_of_a_batch(tmp_path: Path) -> None:
    """In compiled code, whatever the files are; results are those of `run`."""
    plan = plan_of(mauer, SHORT, ("uniform",) * 3, 5, 7)
    rows = all_rows(written(tmp_path, plan))
    results = run(mauer, SHORT, 7, seed=5)
    batch = Batch(mauer, SHORT, 7, seed=5)
    count = 0
    while (going := batch.numbers < 7).any():
        batch.choose()
        for game, seat in np.argwhere(batch.to_act & going[:, None]):
            [row] = np.flatnonzero(
                (rows.games == game)
                & (rows.moves == batch.decisions[game] + batch.to_act[game, :seat].sum())
            )
            assert rows.seats[row] == seat
            assert np.array_equal(rows.observations[row], batch.observations[game, seat])
            assert np.array_equal(rows.masks[row], batch.masks[game, seat])
            assert rows.actions[row] == batch.actions[game, seat]
            count += 1
        batch.step()

    assert count == len(rows.games)
    assert np.array_equal(rows.points, results.points[rows.games])
    assert np.array_equal(rows.ranks, results.ranks[rows.games])
    assert np.array_equal(np.lexsort((rows.moves, rows.games)), np.arange(count))


def test_the_files_do_not_matter(tmp_path: Path) -> None:
    """A game depends on the seed and its number alone."""
    plan = plan_of(mauer, SHORT, ("uniform",) * 3, 5, 7)
    split = replace(plan, games_per_file=3)

    whole, parts = (written(tmp_path / str(each.files), each) for each in (plan, split))

    assert (len(whole.files), len(parts.files)) == (1, 3)
    assert len(whole) == len(parts)
    for ours, theirs in zip(all_rows(whole), all_rows(parts), strict=True):
        assert np.array_equal(ours, theirs)


def test_rewards_are_those_of_a_batch(tmp_path: Path) -> None:
    """Who beats all others gets 1, who is beaten by all -1, and together they get nothing."""
    rows = all_rows(written(tmp_path, plan_of(mauer, SHORT, ("uniform",) * 3, 3, 4)))
    best = rows.ranks.min(axis=1) == rows.ranks[np.arange(len(rows.seats)), rows.seats]
    alone = (rows.ranks == rows.ranks.min(axis=1)[:, None]).sum(axis=1) == 1

    assert (rows.rewards[best & alone] == 1).all()
    assert (rows.rewards[~best] < 1).all()


def test_shuffled_rows_are_the_same_rows(tmp_path: Path) -> None:
    """In another order, the same for the same seed; searched values stay with their rows."""
    dataset = written(tmp_path, plan_of(mauer, SHORT, ("greedy",) * 3, 2, 2, simulations=20))
    plain, shuffled, again = (all_rows(dataset, shuffle=seed) for seed in (None, 4, 4))
    order = np.lexsort((shuffled.moves, shuffled.games))

    assert not np.array_equal(plain.moves, shuffled.moves)
    for name in Rows._fields:
        ours, theirs = getattr(plain, name), getattr(shuffled, name)
        assert np.array_equal(ours, theirs[order])
        assert np.array_equal(theirs, getattr(again, name))


def test_values_are_of_legal_actions(tmp_path: Path) -> None:
    """A search of this many simulations tried what is legal, and nothing else."""
    rows = all_rows(written(tmp_path, plan_of(mauer, SHORT, ("greedy",) * 3, 2, 1, simulations=20)))
    several = rows.masks.sum(axis=1) > 1

    assert not rows.visits[~rows.masks].any()
    assert not rows.values[~rows.masks].any()
    assert (rows.visits[several].sum(axis=1) >= 20).all()
    assert rows.values.max() <= 1


def test_what_was_stopped_is_resumed(tmp_path: Path) -> None:
    """Files that are there stay; anything but the same dataset is refused."""
    plan = plan_of(mauer, SHORT, ("uniform",) * 3, 5, 7)
    split = replace(plan, games_per_file=3)
    assert files.open_for_writing(tmp_path, split) == [0, 1, 2]
    files.write_file(split, tmp_path, 1)
    left, written_now = tmp_path / "left.unfinished", tmp_path / "now.unfinished"
    left.touch()
    written_now.touch()
    os.utime(left, (0, 0))
    files.clear_unfinished(tmp_path)

    assert files.open_for_writing(tmp_path, split) == [0, 2]
    assert [*tmp_path.glob("*.unfinished")] == [written_now]
    with pytest.raises(SetupError, match="holds a dataset with games_per_file='3', not '7'"):
        files.open_for_writing(tmp_path, plan)


def test_two_commands_may_write_one_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One begins and ends while the other is about to finish the description, or a file."""
    plan = plan_of(mauer, SHORT, ("uniform",) * 3, 5, 2)
    rename = Path.replace

    def whole_command() -> None:
        files.open_for_writing(tmp_path, plan)
        files.write_file(plan, tmp_path, 0)
        files.clear_unfinished(tmp_path)

    def rename_last(path: Path, target: Path) -> Path:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", rename)
            whole_command()
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", rename_last)
    whole_command()

    assert sorted(path.name for path in tmp_path.iterdir()) == ["000000.parquet", "dataset.json"]
    assert len(Dataset(tmp_path)) > 0


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (mauer.Options(rounds=1, stall=3), "stall='24', not '3'"),
        (mauer.Options(rounds=1, penalties="T:40"), "penalties='printed', not 'T:40'"),
    ],
)
def test_a_dataset_of_other_rules_is_refused(
    tmp_path: Path, options: mauer.Options, fault: str
) -> None:
    """The option that differs is named."""
    files.open_for_writing(tmp_path, plan_of(mauer, SHORT, ("uniform",) * 3, 5, 7))
    other = plan_of(mauer, Setup(3, options), ("uniform",) * 3, 5, 7)

    with pytest.raises(SetupError, match=f"holds a dataset with {fault}"):
        files.open_for_writing(tmp_path, other)


@pytest.mark.parametrize("length", [0, 3, -10])
def test_a_damaged_file_is_named(tmp_path: Path, length: int) -> None:
    """Before anything is written, and when the dataset is read."""
    plan = replace(plan_of(mauer, SHORT, ("uniform",) * 3, 5, 7), games_per_file=3)
    dataset = written(tmp_path, plan)
    path = dataset.files[1]
    path.write_bytes(path.read_bytes()[:length])

    with pytest.raises(SetupError, match=r"000001\.parquet cannot be read: \S.*$"):
        files.open_for_writing(tmp_path, plan)
    with pytest.raises(SetupError, match=r"000001\.parquet cannot be read: \S.*$"):
        len(Dataset(tmp_path))
    with pytest.raises(SetupError, match=r"000001\.parquet cannot be read: \S.*$"):
        all_rows(Dataset(tmp_path))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """Nothing is written over, and nothing is taken for a dataset that is none."""
    (tmp_path / "letter.txt").touch()
    with pytest.raises(SetupError, match="is not empty, and holds no dataset"):
        files.open_for_writing(tmp_path, plan_of(mauer, SHORT, ("uniform",) * 3, 5, 7))
    with pytest.raises(SetupError, match=r"there is no dataset\.json"):
        Dataset(tmp_path)
    (tmp_path / files.DESCRIPTION).write_text("{}")
    with pytest.raises(SetupError, match="describes no dataset"):
        Dataset(tmp_path)


def test_the_sample_can_be_read() -> None:
    """The one in `examples`, whatever the kernels of today look like."""
    dataset = Dataset(SAMPLE)
    rows = next(dataset.batches(2000))

    assert rows.masks[np.arange(len(rows.actions)), rows.actions].all()
    assert rows.visits.shape == rows.masks.shape == (len(rows.actions), len(dataset.actions))
    assert sum(path.stat().st_size for path in SAMPLE.iterdir()) < 500_000


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # where another test imported JAX
@pytest.mark.parametrize("workers", [0, 2])
def test_pytorch_reads_every_row_once(workers: int) -> None:
    """As tensors, in this process or in several."""
    pytest.importorskip("torch")
    data: Any = import_module("torch.utils.data")
    dataset = Dataset(SAMPLE)
    loader = data.DataLoader(
        dataset.for_torch(512, shuffle=1), batch_size=None, num_workers=workers
    )
    rows = [*loader]

    assert sum(len(each.actions) for each in rows) == len(dataset)
    found = {
        pair for each in rows for pair in zip(each.games.tolist(), each.moves.tolist(), strict=True)
    }
    assert len(found) == len(dataset)
