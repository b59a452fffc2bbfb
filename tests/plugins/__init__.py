"""Plugins for the tests alone, written with the public names of `ttr_rules` and nothing else."""
