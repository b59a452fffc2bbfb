"""The documentation: `sphinx-build -nW -b html docs docs/_build/html`."""

from __future__ import annotations

import sys
from pathlib import Path

import ttr_rules

sys.path[:0] = [str(Path(__file__).parent / "_ext"), str(Path(__file__).parents[1] / "tests")]

project = "ttr-rules"
author = copyright = "The ttr-rules authors"
version = release = ttr_rules.__version__
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "backlinks",
    "boards",
    "games",
    "navigation",
    "reference",
    "replays",
    "variants",
]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Notebooks, and pages with code cells, are run by every build; a cell that fails stops it.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = True
maximum_signature_line_length = 70
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

# The build needs no network, so names of other libraries are not links; neither are type variables.
nitpick_ignore_regex = [
    (
        "py:.*",
        r"(abc|attrs?|cattrs|collections|concurrent|decimal|enum|functools|gymnasium|np|os|pathlib|pl|pluggy|polars|socket|starlette|types|typing)\..*",
    ),
    ("py:.*", r"(.*\.)?(A|A_co|B|D|E|F|K|N|P|T|T_co|V|Values)(\.(args|kwargs))?"),
]

# Classes that public ones are made of, but that nobody needs to name.
INTERNAL = (
    "AECEnv",
    "Attribute",
    "Buffer",
    "CardEconomy",
    "ClaimCondition",
    "Compact",
    "CostChange",
    "Decks",
    "Details",
    "Evaluation",
    "File",
    "CacheSlot",
    "Info",
    "LinkGraph",
    "MapMarks",
    "NDArray",
    "Needs",
    "Observation",
    "OpenStock",
    "PackedHand",
    "PlaceNames",
    "Plan",
    "Provenance",
    "Reward",
    "RouteTariff",
    "Row",
    "Source",
    "TableName",
    "VariantFile",
    "Vector",
    "_Kept",
)
nitpick_ignore_regex.append(("py:class", rf"(.*\.)?({'|'.join(INTERNAL)})"))

html_theme = "furo"
html_title = "ttr-rules"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f5c5c", "color-brand-content": "#0f6b6b"},
    "dark_css_variables": {"color-brand-primary": "#6fc7bd", "color-brand-content": "#7fd0c6"},
}
