"""Internal helpers of the library: converters by exact types, frozen containers, shuffling, tools from outside."""
