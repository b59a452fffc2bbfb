"""Scripts that stand outside the packages, as modules: `from loading import module_at`."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def module_at(path: Path) -> ModuleType:
    """The module in a file, run anew."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
