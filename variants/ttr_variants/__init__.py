"""The official variants, each a plugin that uses the same hooks as third-party plugins."""
