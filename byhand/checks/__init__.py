"""What to look at before an evaluation: what a run and qrels hold, and what it means."""
