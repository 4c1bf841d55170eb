"""`python -m mauerwerk` is the command too."""

import sys

from mauerwerk.cli import main

sys.exit(main())
