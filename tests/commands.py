"""The commands, as functions of what is typed after their names."""

from byhand.reports.command import main as report
from byhand.reports.gate_command import main as gate

__all__ = ["gate", "report"]
