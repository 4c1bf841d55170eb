"""How tests are shared out among processes: a pytest plugin.

The tests of a file stay together, so that what they share is set up once: a server, a database, a
game that was played, compiled code. Files keep their order, since those that need compiled kernels
come last.
"""

from collections.abc import Iterable, Mapping

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped] # it has no types


def runs(names: Iterable[str]) -> Mapping[str, str]:
    """For each test the run that it belongs to: neighbours from one file.

    A file of which some tests need kernels has two runs, which are far from each other.
    """
    found: dict[str, str] = {}
    before, run = "", ""
    for name in names:
        file = name.partition("::")[0]
        if file != before:
            before, run = file, name
        found[name] = run
    return found


class ByRuns(LoadScopeScheduling):  # type: ignore[misc] # which has no types
    """Gives each process another run of tests when it has nearly done the last."""

    _runs: Mapping[str, str] = {}

    def schedule(self) -> None:
        """Begin, once all processes have collected the same tests."""
        self._runs = self._runs or runs(next(iter(self.registered_collections.values())))
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._runs[nodeid]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByRuns | None:
    """Share out runs, unless something else is asked for."""
    if config.getoption("dist") != "load":
        return None
    config.option.loadscopereorder = False
    return ByRuns(config, log)
