"""The house stays as it was built: ceilings, and names that it gave up, which come back nowhere."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GIVEN_UP = {
    "protocol/**/*.py lanplay/cli/*.py docs/*.md": """
        Course Court StandIn Succession Labour Presence UncoverDice ShowCards Afresh Willing Urged
        Unkept Inheritance told_first elders is_double tell_again
        replica.course replica.labour context.authors context.caught context.recalling
        Replica.absent Replica.again Replica.worked Replica.unkept
        Following Membership Deciding Ballots Attached Cut Decided Promise Propose
    """,
    "protocol/**/*.py": """
        House Asking Promises Stepped Recalled Hosting Watchers Talking Talk Kept STALE Audience
        Missing Reached Seated Held WITNESS Outcome Play Player
    """,
    "protocol/lanplay_protocol/replica/*.py": """
        Keep Ask Confirm Happened Move Signed Finding Pending Powers orphans labour course
    """,
    "lanplay/session/*.py lanplay/ui/*.py lanplay/lines/*.py lanplay/tui/**/*.py": """
        OwnGame Setup Player StandIn Local Desk Secret Search Known House Watchers Talk Outcome
        Recalled Happened Unkept Waiting Missing Reached Hosting Inheritance Kept _anew watchers
    """,
    "lanplay/session/*.py lanplay/ui/*.py lanplay/cli/**/*.py": "Setup Player Desk Screen house",
}
"""Old names by the files in which they must not stand; ``a.b`` is a member ``b`` of ``a``.

Not meant are sentences: a name counts where it is one in code, or is quoted as one in docs.
"""


def names_in(path):
    """Return every name of a file that is used as one: words of code, or quoted in Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = " ".join(re.findall(r"`([^`\n]+)`", text))
    code = re.sub(r'"""(.|\n)*?"""|#.*|f?"[^"\n]*"', " ", text)
    quoted = " ".join(re.findall(r"``([^`]+)``", text))
    words = re.findall(r"\w+(?:\.\w+)*", f"{code} {quoted}")
    parts = {part for word in words for part in word.split(".")}
    bare = [[part.lstrip("_") for part in word.split(".")] for word in words]
    return parts | {".".join(two) for each in bare for two in pairwise(each)}


def files(patterns):
    """Return the files of the project that some patterns name."""
    return sorted(path for pattern in patterns.split() for path in ROOT.glob(pattern))


@pytest.mark.parametrize("patterns", GIVEN_UP)
def test_a_name_that_was_given_up_does_not_come_back(patterns):
    old = set(GIVEN_UP[patterns].split())
    back = {str(p.relative_to(ROOT)): sorted(names_in(p) & old) for p in files(patterns)}
    assert {path: names for path, names in back.items() if names} == {}


def test_the_state_of_a_replica_is_in_its_tables():
    """No part of a replica keeps a flag of its own: what it may do hangs on ``status.py``."""
    parts = ("attendance", "catch_up", "exchange", "line", "replica", "transcript", "verdicts")
    folder = ROOT / "protocol/lanplay_protocol/replica"
    flags = {
        part: re.findall(r"self\.(\w+)(?:: bool)? = (?:True|False)\b", read(folder, part))
        for part in parts
    }
    found = {part: names for part, names in flags.items() if names}
    assert found == {"exchange": ["windows"], "verdicts": ["wronged"]}


def read(folder, part):
    return (folder / f"{part}.py").read_text(encoding="utf-8")


def test_names_are_found_in_code_and_where_docs_quote_them(tmp_path):
    code, page = tmp_path / "code.py", tmp_path / "page.md"
    code.write_text(
        'def f(o: House) -> str:\n    """A ``Play`` begins."""\n    return o.course + "Held"\n'
    )
    page.write_text("A Course is `court.Verdicts` here.")
    assert names_in(code) >= {"House", "Play", "course", "o.course"}
    assert not names_in(code) & {"Held", "begins"}
    assert names_in(page) == {"court", "Verdicts", "court.Verdicts"}


def test_the_rooms_of_the_list_are_there():
    """A room that has moved is not passed over in silence."""
    assert all(files(pattern) for patterns in GIVEN_UP for pattern in patterns.split())


ROOMS = ("lanplay", "ai/lanplay_ai", "protocol/lanplay_protocol")
OWN = ("lanplay/engine", "lanplay/games", "lanplay/tournament", "lanplay/env", "ai/lanplay_ai")
OLD_NAME = "# old name"
"""Marks a line that keeps a name of before for bots of other packages, for one release."""


def sources(*folders):
    return {
        path.relative_to(ROOT): path.read_text()
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


# -- names of the engine, the games, the bots and the tournaments -------------------------------


WISHES = {"AwayChanged", "ContinueWithout", "KeepWaiting", "OpenHands", "SkipWait"}
"""A person's wish, and the input of the replica that it becomes: one thing on its way."""


def test_a_class_name_means_one_thing():
    """No two public classes have one name, but for a wish and what it becomes."""
    homes = defaultdict(list)
    for path, text in sources(*ROOMS).items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path))
    several = {name: places for name, places in homes.items() if len(places) > 1}
    assert {name: several[name] for name in several.keys() - WISHES} == {}


GONE = (
    r"put_to|sole|weighty|Refuted|Seen|load_seen|spots|class Driver|Choose\.ahead",
    r"engine[./](?:anew|seen|steps|stepping|value|struct)\b(?!\s*=)",
    r"(?<=\.)(?:passing|shows)\(|(?<=\bt\.)say\(",
)


@pytest.mark.parametrize("pattern", GONE)
def test_names_of_before_are_gone(pattern):
    """Where the glossary has another word, the old one is in no code of these rooms and no page."""
    texts = sources(*OWN)
    texts |= {path: path.read_text() for path in (ROOT / "docs").glob("*.md")}
    wrong = [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(rf"(?<![\w-])(?:{pattern})(?!\w)", line) and OLD_NAME not in line
    ]
    assert not wrong


def test_no_module_name_is_built_from_the_name_of_a_game():
    """A ``Ref`` of a manifest is the one way to a game's modules."""
    built = re.compile(r"""replace\(.-., ._.\)|f["']lanplay(?:_ai|\.games|\.tui)\S*\{""")
    wrong = [
        f"{path}:{number}: {line.strip()}"
        for path, text in sources(*ROOMS, "scripts").items()
        for number, line in enumerate(text.splitlines(), 1)
        if built.search(line) and path.name not in NO_MODULES
    ]
    assert not wrong


NO_MODULES = ("language.py", "golden.py", "scaffold.py", "change_rule.py")
"""Here it is a tag of a language, a folder of the tests or the rules, a package to be written."""


def functions_with_arguments(path):
    """Return the functions of a file that are given parsed arguments."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    every = [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, kinds)]
    given = [[*each.args.args, *each.args.kwonlyargs] for each in every]
    return [each for each in given if any(_is_namespace(one) for one in each)]


def _is_namespace(argument):
    return argument.annotation is not None and "Namespace" in ast.unparse(argument.annotation)


def test_arguments_are_read_where_a_command_begins_and_never_written():
    """Typed settings go on from there."""
    cli = files("lanplay/**/*.py")
    assert sum(len(functions_with_arguments(path)) for path in cli) <= 34
    written = [path for path in cli if re.search(r"\bargs\.\w+ = |setattr\(args", path.read_text())]
    assert written == []


CEILINGS = {"lanplay ai protocol": 77_315, "scripts": 7_430}
"""Lines of code that some folders have at most; whoever takes some away lowers it."""


@pytest.mark.parametrize("folders", CEILINGS)
def test_the_house_does_not_grow(folders):
    """Whoever adds something asks first what can go; what is still needed raises it."""
    lines = sum(text.count("\n") for text in sources(*folders.split()).values())
    assert lines <= CEILINGS[folders]


LONG = {
    "lanplay/errors.py",  # a table: every fault a person can meet
    "protocol/lanplay_protocol/replica/replica.py",
    "protocol/lanplay_protocol/shell/runner.py",
}
"""Files of more than ``LONGEST`` lines."""
LONGEST = 450


def test_a_file_is_read_in_one_go():
    texts = sources("lanplay", "ai", "protocol")
    long = {path.as_posix() for path, text in texts.items() if text.count("\n") > LONGEST}
    assert long == LONG


def imports(folder):
    """Return what each module of a package imports of the same package, be it for types alone."""
    package = folder.replace("/", ".")
    found = {}
    for path, text in sources(folder).items():
        nodes = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ImportFrom)]
        own = [each for each in nodes if (each.module or "").startswith(package)]
        ends = {each.module if each.module != package else None for each in own} - {None}
        ends |= {f"{package}.{n.name}" for e in own if e.module == package for n in e.names}
        found[".".join(path.with_suffix("").parts)] = ends
    return found


def in_circles(graph):
    """Return the nodes that come back to themselves: those with no end are left over."""
    left = {node: set(ends) & graph.keys() for node, ends in graph.items()}
    while leaves := {node for node, ends in left.items() if not ends}:
        left = {node: ends - leaves for node, ends in left.items() if node not in leaves}
    return left


def test_no_module_of_the_session_imports_in_a_circle():
    """Neither when the program runs nor for its types: each stands on those below it."""
    assert in_circles(imports("lanplay/session")) == {}


def test_circles_are_found():
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}).keys() == {
        "a",
        "b",
        "c",
    }


def test_the_session_is_driven_by_values_alone():
    """No question is asked and no line is printed beneath the front ends."""
    text = "".join(path.read_text() for path in files("lanplay/session/*.py lanplay/ui/*.py"))
    assert re.findall(r"\bprint\(|\binput\(|sys\.std|argparse|prompt_toolkit", text) == []


def test_nothing_else_lies_at_the_top():
    """What a test or a program leaves there is soon committed; one had been a private key."""
    found = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        pytest.skip("no checkout")
    top = {line.partition("/")[0] for line in found.stdout.splitlines()}
    folders = {".ci", ".github", "ai", "docs", "lanplay", "protocol", "scripts", "tests"}
    files = {".gitattributes", ".gitignore", "LICENSE", "pyproject.toml"}
    pages = {"CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"}
    locks = {f"requirements{each}.lock" for each in ("", "-browser", "-release", "-test")}
    assert top == folders | files | pages | locks
