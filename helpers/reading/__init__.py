"""The parts of `helpers.read`: kinds of files, their columns, and the values in them."""
