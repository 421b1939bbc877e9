"""Lists that a reader drags, and what the measures make of them.

A page has its live lists from `byhand.widgets.embed` and `byhand.widgets.board`, without what only
a notebook needs.
"""

from byhand.lazily import face

__all__, _imported = face(
    __name__,
    {
        "bench": "Bench",
        "challenge": "Challenge",
        "coin_tosses": "CoinTosses",
        "dials": "Dial Experiment Stops steps",
        "draws": "Draws",
        "duel": "Duel",
        "explorer": "Explorer",
        "first_hits": "FirstHits",
        "goals": "Goal",
        "lengths": "Lengths",
        "negatives": "Negatives",
        "own_list": "OwnList",
        "prediction": "Prediction",
        "queries": "Queries",
        "ranked_list": "RankedList",
        "rare_drops": "Drops",
        "shuffles": "Shuffles",
        "suspects": "Suspects",
        "switchboard": "Switchboard",
    },
)
_OF_NOTEBOOKS = {"anywidget", "ipywidgets", "traitlets", "IPython"}


def __getattr__(name: str) -> object:
    """A widget, imported."""
    try:
        return _imported(name)
    except ModuleNotFoundError as error:
        if error.name not in _OF_NOTEBOOKS:
            raise
        raise ModuleNotFoundError(
            f"{name} lives in a notebook, and {error.name} is not installed: "
            'pip install "ranking-metrics-by-hand[notebook]"',
            name=error.name,
        ) from None
