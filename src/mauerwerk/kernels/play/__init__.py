"""Games played in kernels: whole batches, step by step, one alone, on the CPU or a GPU."""
