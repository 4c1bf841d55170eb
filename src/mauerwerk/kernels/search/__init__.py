"""Search on kernels: sampled worlds, and a tree over what each seat knows."""
