"""Lists that a reader drags, their measures, and what stands beside them."""
