"""Compiled kernels: `make test` compiles them while it runs all other tests."""

import pytest

pytestmark = pytest.mark.kernels
