"""From files to tables: one reader a format, and which column is which."""

from byhand.lazily import face

__all__, __getattr__ = face(
    __name__,
    {
        "scan": "is_large",
        "texts": "Text read_groups texts_beside texts_in",
        "writing": "replacing",
    },
)
