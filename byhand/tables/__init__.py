"""From rows to counted hits: checked columns, ids compared as text, ranks by counting."""
