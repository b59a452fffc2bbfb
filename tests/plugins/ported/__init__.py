"""Plugins of many kinds that show how little code the hooks need: `tests/test_ported.py` has the limits."""
