"""The files that come with a plugin: the texts of its rules, and translations."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ttr_rules.errors import PluginError
from ttr_rules.kernel.variant import Variant
from ttr_rules.language import Catalog
from ttr_rules.model.tickets import RuleFile
from ttr_rules.plugins.core import RULES, Core


def _package(plugin: Variant) -> str:
    """The package that contains a variant."""
    name = type(plugin).__module__
    module = sys.modules.get(name)
    package: str | None = getattr(module, "__package__", None)
    return package or ""


def _has(package: str, name: str) -> bool:
    """Whether there is a file or a folder in a package."""
    from importlib.resources import files

    try:
        there = files(package).joinpath(name)
        return there.is_file() or there.is_dir()
    except (ModuleNotFoundError, TypeError, ValueError):
        return False


def catalogs(plugin: Variant) -> Iterator[Catalog]:
    """The translations of a variant: in its package, or in one that contains it."""
    package = _package(plugin)
    while package and not package.startswith("ttr_rules"):
        if _has(package, plugin.texts):
            yield Catalog(package, plugin.texts)
            return
        package = package.rpartition(".")[0]


def rule_files(plugin: object) -> Iterator[RuleFile]:
    """The rulebooks that a plugin brings, itself or with the economy that it gives whatever the board."""
    if isinstance(plugin, Core):
        yield RULES
        return
    if isinstance(plugin, Variant):
        package = _package(plugin)
        if package and _has(package, plugin.rulebook):
            yield RuleFile(package, plugin.rulebook)
        elif plugin.rulebook != Variant.rulebook:
            raise PluginError(
                f"plugin {plugin.info.name!r}: there is no file {plugin.rulebook!r} in {package or 'its package'}"
            )
