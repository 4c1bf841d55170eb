"""The study room of Mauerbauer."""

from mauerwerk.lab.study.mauerbauer import measures, sections

__all__ = ["measures", "sections"]
