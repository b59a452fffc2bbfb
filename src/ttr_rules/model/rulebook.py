"""The list of rules: every id that refusals, docstrings and tests cite, with its text in our own words."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.reading import read_toml


@frozen(repr=False)
class Rule:
    """One rule. A ruling that can be changed names the option that decides it and its other value.

    >>> print(Rule("C5", "Never both halves", "One player never holds both.", "Claims"))
    [C5] Never both halves
    """

    id: str
    title: str
    text: str
    section: str
    ruling: str | None = None
    alternative: str | None = None

    def __str__(self) -> str:
        return f"[{self.id}] {self.title}"

    def __repr__(self) -> str:
        return f"<Rule {self.id}: {self.title}>"


def read_rules(text: str) -> tuple[Rule, ...]:
    r"""Read rules from TOML text: one table per rule, by id.

    >>> rule, = read_rules("[S1]\ntitle = 'Zeppelins'\ntext = 'They fly.'\nsection = 'Zeppelins'")
    >>> print(rule)
    [S1] Zeppelins
    """
    return tuple(Rule(id, **entry) for id, entry in read_toml(text).items())


@frozen
class RuleFile:
    """Where a plugin keeps the texts of its rules: a TOML file in a package. It is read on demand.

    >>> RuleFile("ttr_rules.mechanics", "rules.toml").read()[0].id
    'S1'
    """

    package: str
    name: str = "rules.toml"

    def read(self) -> tuple[Rule, ...]:
        """Read the rules in the file."""
        from importlib.resources import files  # slow to import, and seldom needed

        return read_rules(files(self.package).joinpath(self.name).read_text(encoding="utf-8"))
