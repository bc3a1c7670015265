"""Installs the core with its models, without the app; `core` is then `attention_explorer.core`."""

import re
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

NEEDED = ("torch", "numpy", "altair", "pandas", "safetensors", "sentencepiece", "tokenizers")
OURS = re.compile(r"(?<=\bfrom )core(?= import\b)|\bcore(?=\.\w)")


class BuildCore(build_py):
    """Writes each module with `core` under its installed name."""

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        written, copied = super().build_module(module, module_file, package)
        source = Path(module_file).read_text(encoding="utf-8")
        Path(written).write_text(OURS.sub("attention_explorer.core", source), encoding="utf-8")
        return written, copied


asked = Path("requirements.txt").read_text(encoding="utf-8").split("\n")
rooms = find_namespace_packages(include=["core", "core.*"])
setup(
    packages=[*(f"attention_explorer.{room}" for room in rooms), "attention_explorer.assets"],
    package_dir={"attention_explorer.core": "core", "attention_explorer.assets": "assets"},
    package_data={"attention_explorer.assets": ["**/*"]},
    exclude_package_data={"attention_explorer.assets": ["pictures/*"]},
    install_requires=[line.replace("==", ">=") for line in asked if re.split(r"\W", line)[0] in NEEDED],
    cmdclass={"build_py": BuildCore},
)
