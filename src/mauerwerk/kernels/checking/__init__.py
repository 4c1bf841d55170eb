"""Kernels compared with the rules, and timed."""
