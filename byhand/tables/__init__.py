"""Turn tables into counted hits: check their columns, match ids, and count ranks."""
