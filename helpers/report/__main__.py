"""`python -m helpers.report`, the same as `ranking-report`."""

import sys

from helpers.report.command import main

if __name__ == "__main__":
    sys.exit(main())
