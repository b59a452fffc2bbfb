"""The variants of the rulebooks, each a plugin through the same door that third parties use."""
