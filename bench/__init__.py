"""Benchmarks: every figure is a ratio to something named that is measured in the same run (`make bench`)."""
