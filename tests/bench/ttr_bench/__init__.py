"""Benchmarks: what the goals speak of, measured in CPU time; `python tests/bench/ttr_bench` prints them.

`kernel` is the fixed piece of Python that makes machines comparable, `games` plays whole games, `operations` times
single ones, `positions` has the slowest positions known, `measure` measures, `tables` writes the lines.
"""
