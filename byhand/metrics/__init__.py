"""From hits to numbers: conventions, one file a measure, and all that is asked of measures.

`measures` has the measures, and what one of your own derives from.
"""

from byhand.lazily import face

__all__, __getattr__ = face(
    __name__,
    {
        "chance": "chance_at_mean",
        "conventions": "CHOICES",
        "evaluate": "Evaluation",
        "hits": "Hits Tables",
        "names": "measure_named measures_named",
        "ranked": "hits_of_lists",
        "steps": "shares_of",
    },
)
