"""Kernels as WebAssembly: compiled ahead of time, the same to the last bit in every browser."""
