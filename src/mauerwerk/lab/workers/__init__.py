"""Work in other processes of this machine, or on a Ray cluster.

`mapping.map_unordered` is for batches: matches, studies, analyses. `jobs.AsyncWorkers` is for
servers: a bot's turn, or a board on trial. On one machine both use `worker.Worker`.
"""
