"""The browser's scripts under TypeScript's checker, which `make types` installs; nothing is built from them."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "node_modules/typescript/bin/tsc"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.skipif(not CHECKER.exists(), reason="TypeScript is not installed: make types")
def test_the_scripts_have_no_type_errors() -> None:
    found = subprocess.run(["node", CHECKER, "--project", ROOT], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_every_script_is_checked_in_editors_too() -> None:
    scripts = sorted((ROOT / "pages").rglob("*.js"))
    assert scripts and not [path for path in scripts if not path.read_text().startswith("// @ts-check\n")]
