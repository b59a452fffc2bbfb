"""Plugins that the design of the hooks was tried on, written with the hooks of today, none longer than it said."""
