"""saves."""
