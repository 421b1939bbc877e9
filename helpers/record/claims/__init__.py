"""The claims in the five documents, one module a document: what is said, and whether it is so."""
