"""Datasets: the decisions of many games in Parquet files, for learners and for statistics."""
