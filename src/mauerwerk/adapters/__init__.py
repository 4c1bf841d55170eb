"""The games behind interfaces that researchers know: PettingZoo, Gymnasium, OpenSpiel, notebooks.

They need the extra `adapters`. Rules and kernels do the work; nothing here knows a rule.
"""
