from .report import (
    SECTIONS as SECTIONS,
    Report as Report,
)
