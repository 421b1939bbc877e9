from .options import OPTIONS as OPTIONS
from .report import (
    SECTIONS as SECTIONS,
    Report as Report,
)
