"""Drawings as SVG: elements, palette, and text that fits; each game has its own art."""
