"""Compiles the hot path with mypyc when a wheel is built with `TTR_RULES_COMPILE=1`; otherwise the wheel is pure Python.

Which modules are compiled is in `pyproject.toml`, under `tool.hatch.build.targets.wheel.hooks.custom`. They stand in the
wheel twice, as source and compiled; Python imports what is compiled. `MYPYC_OPT_LEVEL=0` compiles quickly what need not run quickly.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SETUP = """
import os

from mypyc.build import mypycify
from setuptools import setup

extensions = mypycify({arguments!r}, opt_level={level!r}, debug_level="0", group_name="ttr_rules")
if os.name != "nt":
    for extension in extensions:
        # How generated code is indented is of no interest, and looking at it takes gcc half a minute. Functions that are hidden
        # from other libraries can be called directly and inlined, so that games take a twelfth fewer instructions. Those of
        # Python are called without a detour.
        extension.extra_compile_args += ["-Wno-misleading-indentation", "-fvisibility=hidden", "-fno-plt"]
        extension.extra_compile_args += ["-include", "cold.h"]
setup(name="ttr-rules-compiled", packages=[], ext_modules=extensions)
"""
#: Functions of mypyc that raise errors. Compilers put the code around calls of cold functions apart, so that the code that runs
#: stands closer together: games take about a twentieth less time.
COLD = """
#include <Python.h>

#define COLD __attribute__((cold))
COLD void CPy_AddTraceback(const char *, const char *, int, PyObject *);
COLD void CPy_TypeErrorTraceback(const char *, const char *, int, PyObject *, const char *, PyObject *);
COLD void CPy_TypeError(const char *, PyObject *);
COLD void CPy_AttributeError(const char *, const char *, const char *, const char *, int, PyObject *);
COLD void CPyError_OutOfMemory(void);
"""
#: So many lines of a compiler that fails are shown, the last ones.
SHOWN = 10
FAILED = (
    "A C compiler and Python's headers are needed to compile ttr-rules; "
    "without TTR_RULES_COMPILE you get the pure build."
)
MYPY = "[mypy]\nignore_missing_imports = True\nfollow_imports = silent\n"


class CompileHook(BuildHookInterface):  # type: ignore[type-arg,misc]
    """Adds the compiled modules to a wheel."""

    folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def wanted(self) -> bool:
        """Whether to compile: an editable install never does, as its source may change."""
        return self.target_name == "wheel" and os.environ.get("TTR_RULES_COMPILE", "0") not in ("", "0")

    def dependencies(self) -> list[str]:
        return [*self.config["dependencies-if-compiled"]] if self.wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self.wanted or version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory(prefix="ttr-rules-")
        here = Path(self.folder.name)
        for package in ("src/ttr_rules", "src/ttr_tools", "variants/ttr_variants", "maps/ttr_maps"):
            shutil.copytree(Path(self.root) / package, here / Path(package).name)
        modules = [f"{module}.py" for module in self.config["modules"]]
        (here / "mypy.ini").write_text(MYPY, encoding="utf-8")
        (here / "cold.h").write_text(COLD, encoding="utf-8")
        (here / "setup.py").write_text(
            SETUP.format(
                arguments=["--config-file", "mypy.ini", *modules], level=os.environ.get("MYPYC_OPT_LEVEL", "3")
            ),
            encoding="utf-8",
        )
        done = subprocess.run(
            [sys.executable, "setup.py", "build_ext", "--build-lib", "built"],
            cwd=here,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            self.folder.cleanup()
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            self.app.abort("\n".join([*said[-SHOWN:], FAILED]))
        for library in sorted((here / "built").rglob("*.*")):
            if library.suffix in (".so", ".pyd"):
                build_data["force_include"][str(library)] = library.relative_to(here / "built").as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder is not None:
            self.folder.cleanup()
