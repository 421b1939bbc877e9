"""What the outputs of a notebook hold, for who only reads them."""

from collections.abc import Mapping

PNG = "image/png"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_MARK = "widget"  # in the metadata of an output whose view was taken out


def is_widget(output: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether an output is a widget, or was one before it was cleaned.

    Example:
        >>> is_widget({"data": {WIDGET_VIEW: {"model_id": "4f1c"}}}), is_widget({"data": {}})
        (True, False)
    """
    return WIDGET_VIEW in output.get("data", {}) or WIDGET_MARK in output.get("metadata", {})
