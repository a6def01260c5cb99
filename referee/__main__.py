"""`python -m referee`, where the command itself is not on the path."""

import sys

from referee.cli.main import main

sys.exit(main())
