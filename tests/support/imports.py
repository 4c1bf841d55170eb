"""Who imports whom in a source tree, read from its files without importing any of them."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import networkx as nx

BY_NAME: Final = {"import_module", "module_of"}
"""Functions that import the module whose name they are given."""

Graph: TypeAlias = "nx.DiGraph[str]"


class Import(NamedTuple):
    """A module imports another one, or a package of others."""

    importer: str
    imported: str
    """A module of the tree, or else the first part of the name, as in `numpy`."""
    inside: bool
    """In a function: it happens when the function is called."""
    by_name: bool = False
    """By a function that takes the module's name, so that no checker sees it."""


def parsed(source: Path) -> Mapping[str, ast.Module]:
    """The modules of a package in this folder, each by its name."""
    return {
        module_name(path, source.parent): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(source.rglob("*.py"))
    }


def module_name(path: Path, root: Path) -> str:
    """The name under which a file is imported; `root` holds the topmost package."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(modules: Mapping[str, ast.Module]) -> list[Import]:
    """Every import of these modules: at the top, in a function, for type checkers, or by name."""
    return [
        found
        for importer, tree in modules.items()
        for found in _of_body(importer, tree, modules, inside=False)
    ]


def _of_body(
    importer: str, node: ast.AST, modules: Mapping[str, ast.Module], *, inside: bool
) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                targets, by_name = [alias.name for alias in names], False
            case ast.ImportFrom(module=str(module), names=names):
                targets, by_name = [f"{module}.{alias.name}" for alias in names], False
            case ast.Call(
                func=ast.Name(id=function), args=[ast.Constant(value=str(module)), *_]
            ) if function in BY_NAME:
                targets, by_name = [module], True
            case _:
                targets, by_name = [], False
        for target in targets:
            yield Import(importer, _known(target, modules), inside, by_name)
        within = inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _of_body(importer, child, modules, inside=within)


def _known(name: str, modules: Mapping[str, ast.Module]) -> str:
    """The module of the tree that a dotted name begins with, or else the first part of it."""
    parts = name.split(".")
    known = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((module for module in known if module in modules), parts[0])


def cycles(modules: Iterable[str], found: Sequence[Import]) -> dict[str, list[list[str]]]:
    """The packages in which children import each other in a circle, and those children."""
    circles: dict[str, list[list[str]]] = {}
    for package, graph in _siblings(modules, found).items():
        parts = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
        if parts:
            circles[package] = sorted(parts)
    return circles


def _siblings(modules: Iterable[str], found: Sequence[Import]) -> dict[str, Graph]:
    """For each package, which of its children import each other; a child stands for all below."""
    own = set(modules)
    graphs: dict[str, Graph] = {}
    for each in found:
        if each.imported not in own:
            continue
        one, other = each.importer.split("."), each.imported.split(".")
        same = 0
        while same < min(len(one), len(other)) and one[same] == other[same]:
            same += 1
        if same < min(len(one), len(other)):
            package = ".".join(one[:same])
            graphs.setdefault(package, nx.DiGraph()).add_edge(one[same], other[same])
    return graphs


def needs(found: Sequence[Import], outside: Iterable[str]) -> dict[str, set[str]]:
    """Which of the packages `outside` a module cannot be imported without."""
    graph: Graph = nx.DiGraph()
    for each in found:
        if not each.inside:
            graph.add_edge(each.importer, each.imported)
        for module in (each.importer, each.imported):
            package = module.rpartition(".")[0]
            if package:
                graph.add_edge(module, package)
    graph.add_nodes_from(each.imported for each in found)
    wanted: dict[str, set[str]] = {module: set() for module in graph}
    for package in set(outside) & set(graph):
        reached = [package]
        for module in reached:
            wanted[module].add(package)
            reached += [each for each in graph.predecessors(module) if package not in wanted[each]]
    return wanted
