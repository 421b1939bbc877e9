"""Checks of a run and qrels before an evaluation."""
