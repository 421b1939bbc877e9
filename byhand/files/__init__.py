"""From files to tables: one reader a format, and which column is which."""
