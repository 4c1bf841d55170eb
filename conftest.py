"""What all tests share, those in `docs` and `src` included: their tiers."""

pytest_plugins = ("tests.support.tiers",)
