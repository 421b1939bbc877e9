"""What only the lessons need: exercises, worked examples, the record of documented values."""

from importlib import import_module

# Where each public name comes from; it is imported once it is asked for.
_HOMES = {
    "DATA": "helpers.places",
    "Lookup": "helpers.lookup",
    "SpotsBoard": "helpers.spots",
    "WorkedCase": "helpers.examples",
    "as_tables": "helpers.examples",
    "chance_at_mean": "helpers.tracin",
    "chance_ratio": "helpers.record",
    "check": "helpers.exercises",
    "corrected_means": "helpers.spots",
    "corrected_value": "helpers.spots",
    "documented_values": "helpers.record",
    "orders_within": "helpers.spots",
    "original_value": "helpers.spots",
    "predict": "helpers.exercises",
    "random_mrr": "helpers.tracin",
    "show_record": "helpers.lookup",
    "simulated_triples": "helpers.tracin",
    "spots_table": "helpers.spots",
    "tool_case": "helpers.tools",
    "tool_results": "helpers.tools",
    "tool_versions": "helpers.tools",
    "tools_by_value": "helpers.tools",
    "tools_on": "helpers.tools",
    "worked_example": "helpers.examples",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """A public name, imported."""
    if name not in _HOMES:
        raise AttributeError(f"module 'helpers' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
