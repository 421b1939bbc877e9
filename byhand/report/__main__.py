"""`python -m byhand.report`, the same as `ranking-report`."""

from byhand.__main__ import ranking_report

if __name__ == "__main__":
    ranking_report()
