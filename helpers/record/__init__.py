"""Every number in the five documents, beside what comes out when it is recomputed."""
