"""The study room of Burgbaumeister."""

from mauerwerk.lab.study.burgbaumeister import measures, sections

__all__ = ["measures", "sections"]
