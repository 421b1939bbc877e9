"""Lists to drag, and their measures."""
