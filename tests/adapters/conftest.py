"""Interfaces of other packages, which take seconds to import, over compiled kernels."""

import pytest

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]
