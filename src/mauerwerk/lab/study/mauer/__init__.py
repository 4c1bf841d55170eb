"""The study room of Die Mauer."""

from mauerwerk.lab.study.mauer import measures, sections

__all__ = ["measures", "sections"]
