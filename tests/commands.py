"""The commands, as functions of what is typed after their names."""

from byhand.reports.gate_command import main as gate
from byhand.reports.report_command import main as report

__all__ = ["gate", "report"]
