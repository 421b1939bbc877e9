from .report import (
    SECTIONS as SECTIONS,
    Report as Report,
)
from .request import OPTIONS as OPTIONS
