"""From hits to numbers: conventions, one file a measure, and all that is asked of measures."""
