"""Interfaces of other packages, which take seconds to import."""

import pytest

pytestmark = pytest.mark.foreign
