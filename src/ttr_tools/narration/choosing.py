"""Which languages there are, and which of them the environment asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ttr_rules.language import SOURCE, Catalog

_LIBRARY = Catalog("ttr_rules")


def languages(catalogs: Iterable[Catalog] = ()) -> tuple[str, ...]:
    """The codes of the languages that there are catalogs for, and English.

    >>> languages()
    ('de', 'en')
    """
    from importlib.resources import files

    found = {SOURCE}
    for each in (_LIBRARY, *catalogs):
        folder = files(each.package).joinpath(each.folder)
        if folder.is_dir():
            found.update(code.name for code in folder.iterdir() if each.read(code.name) is not None)
    return tuple(sorted(found))


def preferred(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The codes of the languages that the environment asks for, best first, as GNU gettext reads it.

    >>> preferred({"LANG": "de_AT.UTF-8"}), preferred({"LC_ALL": "C", "LANG": "de_DE.UTF-8"})
    (('de_AT',), ())
    >>> preferred({"LANGUAGE": "fr:de", "LANG": "de_DE.UTF-8"})
    ('fr', 'de')
    """
    chosen = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    code = chosen.partition(".")[0].partition("@")[0]
    if code in ("C", "POSIX"):
        return ()
    listed = environ.get("LANGUAGE", "").split(":") if environ.get("LANGUAGE") else [code]
    return tuple(each.partition(".")[0].partition("@")[0] for each in listed if each)


def chosen_language(environ: Mapping[str, str], available: Iterable[str]) -> str:
    """The code of the first wanted language that is available, else English.

    >>> chosen_language({"LANG": "de_AT.UTF-8"}, ["de", "en"]), chosen_language({"LANG": "fr_FR"}, ["de", "en"])
    ('de_AT', 'en')
    """
    known = set(available)
    wanted = (each for each in preferred(environ) if {each, each.partition("_")[0]} & known)
    return next(wanted, SOURCE)
