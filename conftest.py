"""What all tests share, those in `docs` and `src` included: their tiers, and what they skip."""

import os
import sys
from pathlib import Path

if sys.dont_write_bytecode:
    # Many containers want no compiled files beside sources. Without any, each process would compile
    # all sources and rewrite all assertions again, which takes three quarters of its start.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parent / "build" / "pycache")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix  # also where tests start processes
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = (
    "tests.support.tiers",
    "tests.support.skips",
    "tests.support.second_tries",
    "tests.support.distribution",
)
