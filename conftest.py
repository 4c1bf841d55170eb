"""What all tests share, those in `docs` and `src` included: their tiers, and what they skip."""

pytest_plugins = ("tests.support.tiers", "tests.support.skips")
