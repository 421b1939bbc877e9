"""Search for the conventions, or the common mistakes, that give a reported number."""
