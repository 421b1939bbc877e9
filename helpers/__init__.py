"""What only the lessons need: exercises, worked examples, the record of documented values."""

from byhand.lazily import face

__all__, __getattr__ = face(
    __name__,
    {
        "exercises": "check predict",
        "examples": "worked_example as_tables WorkedCase",
        "record": "documented_values chance_ratio",
        "lookup": "Lookup show_record",
        "tools": "tool_case tool_results tool_versions tools_by_value tools_on tool_links",
        "spots": "SpotsBoard spots_table original_value corrected_value corrected_means "
        "orders_within",
        "picker": "FilePicker",
        "places": "DATA",
    },
)
