"""`python -m mauerwerk.cli` is the command too."""

import sys

from mauerwerk.cli import main

sys.exit(main())
