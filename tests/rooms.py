"""The rooms of the project, what each may import, and what a file does that its room may not."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[1]

OUTSIDE = ("streamlit", "pages", "app", "tests")
NEVER_IMPORTS = {
    "app": ("torch",),
    "core": OUTSIDE,
    "core.charts": ("torch",),
    "pages": ("torch", "app", "tests"),
}
# Of the core, each room of the core imports itself and these.
CORE = {
    "core.limits": (),
    "core.model": (),
    "core.text": ("core.limits", "core.memory"),
    "core.device": ("core.limits", "core.memory"),
    "core.memory": ("core.limits",),
    "core.faults": ("core.device", "core.memory"),
    "core.charts": (),
    "core.sources": ("core.limits", "core.memory", "core.text"),
    "core.tracing": ("core.limits", "core.model", "core.text", "core.device", "core.checkpoints"),
    "core.checkpoints": ("core.limits", "core.memory", "core.model", "core.text", "core.device"),
    "core.decoding": ("core.model", "core.text"),
    "core.analysis": ("core.limits", "core.model", "core.tracing"),
    "core.readings": ("core.analysis", "core.memory", "core.text"),
    "core.topics": (
        *("core.model", "core.text", "core.device", "core.memory", "core.tracing", "core.checkpoints"),
        *("core.decoding", "core.analysis", "core.readings", "core.limits", "core.registry"),
    ),
    "core.registry": ("core.model", "core.text", "core.device", "core.checkpoints", "core.lab"),
    "core.explore": (*("core.model", "core.text", "core.tracing", "core.analysis", "core.topics", "core.registry"),),
    "core.export": (*("core.model", "core.text", "core.checkpoints", "core.tracing", "core.topics", "core.memory"),),
    "core.lessons": ("core.text", "core.topics"),
    "core.optim": (),
    "core.training": (
        *("core.model", "core.text", "core.device", "core.tracing", "core.checkpoints"),
        *("core.decoding", "core.analysis", "core.optim"),
    ),
    "core.lab": (
        *("core.model", "core.text", "core.tracing", "core.optim", "core.analysis", "core.checkpoints"),
        *("core.device", "core.memory", "core.limits", "core.decoding"),
    ),
}
SHARED = ("core.topics.shared", "core.topics.self_attention", "core.topics.generate")  # by all topics
# Numbers import no sentences: of the topics, only modules named readings and these import a readings module. Each puts
# sentences beside the numbers that another module has computed.
WRITERS = (
    *("core.topics.architecture.drawn", "core.topics.architecture.three", "core.topics.journey.words"),
    *(f"core.topics.self_attention.{name}" for name in ("cells", "headlines", "steps")),
)
PURE = ("core.model", "core.analysis", "core.charts", "core.readings")  # these make no system calls
SYSTEM = ("os", "sys", "io", "pathlib", "subprocess", "shutil", "socket", "glob", "tempfile", "urllib", "mmap")
# Of the pages, each room imports itself and these; a topic imports itself and all of them.
PAGES = {
    "pages.session": (),
    "pages.canvas": ("pages.session",),
    "pages.compute": (),
    "pages.widgets": ("pages.canvas", "pages.session"),
    "pages.shell": ("pages.canvas", "pages.compute", "pages.session", "pages.widgets"),
    "pages.classroom": ("pages.canvas", "pages.compute", "pages.shell", "pages.widgets"),
}
HIDDEN_FROM_PAGES = ("core.model", "core.analysis", "core.training")
HOOKS = "core.lab.update"  # on a run of its own, which no other thread uses
UNSAFE = ("pickle", "cPickle", "dill", "joblib")


@cache
def sources() -> Mapping[str, str]:
    """Every Python file of the project by its path from the root, read once."""
    rooms = (path for room in ("core", "pages", "tests") for path in (ROOT / room).rglob("*.py"))
    found = {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted([*rooms, *ROOT.glob("*.py")])}
    return MappingProxyType(found)


LONGEST_FILE = 400  # lines


def module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def inside(name: str, *rooms: str) -> bool:
    return any(name == room or name.startswith(room + ".") for room in rooms)


def room_of(name: str) -> str:
    """The room whose rules a module keeps: core.topics.<topic>.charts keeps those of core.charts, and so on."""
    parts = name.split(".")
    if parts[:2] == ["core", "topics"] and len(parts) > 3 and parts[3] in ("analysis", "charts", "readings"):
        return f"core.{parts[3]}"
    return ".".join(parts[:2])


def holds_queries(name: str) -> bool:
    """Whether a module is a room of cached calls, of one topic or of all."""
    return inside(name, "pages.compute") or (inside(name, "pages") and name.endswith(".queries"))


def topic(name: str) -> str | None:
    """The topic of the pages that a module belongs to: pages.<section>.<topic>."""
    parts = name.split(".")
    return None if len(parts) < 3 or parts[0] != "pages" or inside(name, *PAGES) else ".".join(parts[:3])


def imports(path: str, tree: ast.AST) -> Iterator[str]:
    """Each module that a file imports; `from a import b` gives a and a.b, for b may be a module."""
    package = module(path).split(".")[: None if path.endswith("__init__.py") else -1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module"):
            yield from (str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant))


def names(tree: ast.AST) -> set[str]:
    """Every dotted name, every imported name and every function called by its bare name in a file."""
    nodes = list(ast.walk(tree))
    found = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    found |= {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    imported = (node for node in nodes if isinstance(node, ast.ImportFrom))
    return found | {f"{node.module}.{alias.name}" for node in imported for alias in node.names}


def problems(path: str, source: str) -> list[str]:
    """What a file does that its room may not."""
    tree, here = ast.parse(source), module(path)
    imported, used = set(imports(path, tree)), names(tree)
    wrong = {name for name in imported if not may_import(here, name)}
    found = [f"{path} imports {name}" for name in wrong]
    found += [f"{path} uses {name}" for name in used if not may_use(here, name)]
    if inside(here, "pages") and not path.endswith("__init__.py"):
        home = topic(here)
        if home == here or (home is None and not inside(here, *PAGES)):
            found.append(f"{path} stands in no topic's folder")
    if (lines := len(source.splitlines())) > LONGEST_FILE:
        found.append(f"{path} has {lines} lines, more than {LONGEST_FILE}")
    return sorted(set(found))


def may_import(here: str, name: str) -> bool:
    """Whether a module may import another."""
    if inside(name, *UNSAFE):
        return False
    if any(inside(room_of(here), room) and inside(name, *forbidden) for room, forbidden in NEVER_IMPORTS.items()):
        return False
    if inside(here, "core"):
        return _may_in_core(here, name)
    if inside(here, "pages"):
        return not inside(room_of(name), *HIDDEN_FROM_PAGES) and _may_in_pages(here, name)
    return True


def _may_in_core(here: str, name: str) -> bool:
    room = room_of(here)
    if room in PURE and inside(name, *SYSTEM):
        return False
    if inside(name, "core") and name != "core" and room in CORE and room_of(name) not in (room, *CORE[room]):
        return False
    if room == "core.topics" and "readings" in name.split(".") and here not in WRITERS:
        return False
    if inside(name, "core.topics") and name.count(".") > 1 and not inside(here, "core.explore", "core.export"):
        home = ".".join(here.split(".")[:3])
        return inside(here, "core.topics", "core.lessons") and inside(name, home, *SHARED)
    return True


def _may_in_pages(here: str, name: str) -> bool:
    if inside(name, "streamlit") and topic(here):
        return holds_queries(here)
    if not inside(name, "pages") or name == "pages":
        return True
    for room, others in PAGES.items():
        if inside(here, room):
            return inside(name, room, *others)
    return topic(name) in (None, topic(here))


def may_use(here: str, name: str) -> bool:
    """Whether a module may use a name, dotted or called."""
    if name == "torch.load":
        return False
    if ".register_" in name and name.endswith("hook"):
        return here == HOOKS
    if name == "open":
        return room_of(here) not in PURE
    if name.endswith((".cache_data", ".cache_resource")) and not inside(here, "tests"):
        return holds_queries(here) or inside(here, "pages.shell")
    return True


def reaching(files: Mapping[str, str], room: str, *others: str) -> list[str]:
    """Modules of a room that reach one of some others, through whatever files of the project."""
    graph = {module(path): set(imports(path, ast.parse(source))) for path, source in files.items()}

    def reached(name: str, seen: set[str]) -> set[str]:
        if name not in seen:
            seen.add(name)
            for other in graph.get(name, ()):
                reached(other, seen)
        return seen

    starts = [name for name in graph if room_of(name) == room]
    return [name for name in starts if any(inside(each, *others) for each in reached(name, set()))]
