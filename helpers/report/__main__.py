"""`python -m helpers.report`, the same as `ranking-report`."""

from helpers.__main__ import ranking_report

if __name__ == "__main__":
    ranking_report()
