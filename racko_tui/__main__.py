"""`python -m racko_tui` is `racko`."""

import sys

from racko_tui.cli import main

sys.exit(main())
