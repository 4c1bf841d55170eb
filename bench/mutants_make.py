"""Mutants: one small change each in a function of the source.

A mutant is named by its function, a hash of what the function says, and a number, so that its name
holds until somebody edits that function. Functions that are nested in others belong to the
outermost. What runs when a module is imported, such as constants, defaults and decorators, is left
alone: it has run already where a mutant is tried.
"""

import ast
import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

SOURCE: Final = Path(__file__).parents[1] / "src" / "mauerwerk"

Function = ast.FunctionDef | ast.AsyncFunctionDef

OPPOSITE: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
BOUNDARY: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
ARITHMETIC: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
FOR_TYPES: Final = {"assert_never", "cast", "getattr", "isinstance", "issubclass", "setattr"}
"""Calls that are not changed: they have one possible order, or are there for type checkers."""

EQUIVALENT: Final = {"strict"}
"""Arguments that are not changed: `strict` of `zip` says what holds anyway."""

COMMUTATIVE: Final = {"gcd", "lcm", "max", "min"}
"""Functions whose arguments are not swapped."""


class Mutant(NamedTuple):
    """One change: where it is, and what it changes."""

    file: str
    function: str
    said: str
    number: int
    kind: str
    first: int
    last: int
    change: str

    @property
    def name(self) -> str:
        """A name that holds until the function is edited."""
        return f"{self.file}:{self.function}:{self.said}:{self.number}"


class Edit(NamedTuple):
    """A change of a tree: what stands in a field of a node, or in a place of a list there."""

    kind: str
    holder: ast.AST
    field: str
    place: int | None
    new: Any
    about: ast.AST

    def apply(self) -> None:
        """Make the change."""
        if self.place is None:
            setattr(self.holder, self.field, self.new)
        else:
            getattr(self.holder, self.field)[self.place] = self.new


# --- Where something can be changed ----------------------------------------------------------


def edits(function: Function) -> Iterator[Edit]:
    """All changes of a function, always in the same order."""
    for index, statement in enumerate(function.body):
        yield from _statement(function, "body", index, statement)


def _statement(holder: ast.AST, field: str, index: int, node: ast.stmt) -> Iterator[Edit]:
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Pass():
            return
        case ast.Expr(value=ast.Constant()):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from edits(node)
            return
        case ast.Raise() if "NotImplementedError" in ast.dump(node):
            return
        case ast.If() | ast.While():
            yield from _condition(node, "test", None, node.test)
        case ast.Match():
            for case in node.cases:
                if case.guard:
                    yield from _condition(case, "guard", None, case.guard)
        case _:
            pass
    if _removable(holder, field, node):
        gone = ast.copy_location(ast.Pass(), node)
        yield Edit("removed statement", holder, field, index, gone, node)
    yield from _below(node)


def _removable(holder: ast.AST, field: str, node: ast.stmt) -> bool:
    """Whether something else is said without this statement, and not just an unknown name."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in FOR_TYPES:
            return False
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Break() | ast.Continue():
            pass
        case ast.Raise() | ast.Return():
            statements = getattr(holder, field)
            if isinstance(holder, Function) and node is statements[-1]:
                return False
        case ast.Assign(targets=targets) if not any(
            isinstance(each, ast.Name | ast.Tuple) for each in targets
        ):
            pass
        case _:
            return False
    # Without its only statement, a condition is as good as one that never holds.
    only = isinstance(holder, ast.If) and field == "body" and len(holder.body) == 1
    return not only or bool(getattr(holder, "orelse", ()))


def _below(node: ast.AST) -> Iterator[Edit]:
    """Changes of all that a node holds."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "args"} and not isinstance(
            node, ast.Call
        ):
            continue
        for index, each in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(each, ast.stmt) and index is not None:
                yield from _statement(node, field, index, each)
            elif isinstance(each, ast.expr):
                yield from _expression(node, field, index, each)
            elif isinstance(each, ast.keyword) and each.arg in EQUIVALENT:
                continue
            elif isinstance(each, ast.comprehension | ast.keyword | ast.match_case | ast.withitem):
                if isinstance(each, ast.comprehension):
                    for place, condition in enumerate(each.ifs):
                        yield from _condition(each, "ifs", place, condition, never=False)
                yield from _below(each)
            elif isinstance(each, ast.ExceptHandler):
                yield from _below(each)


def _condition(
    holder: ast.AST, field: str, index: int | None, node: ast.expr, *, never: bool = True
) -> Iterator[Edit]:
    """A condition that always holds, one that never does, and the opposite of a plain one."""
    if not isinstance(node, ast.Constant):
        for value in (True, False) if never else (True,):
            if not (isinstance(holder, ast.While) and value):
                new = ast.copy_location(ast.Constant(value), node)
                yield Edit("removed condition", holder, field, index, new, node)
    if isinstance(node, ast.Name | ast.Attribute | ast.Call):
        opposite = ast.copy_location(ast.UnaryOp(ast.Not(), node), node)
        yield Edit("not", holder, field, index, opposite, node)


def _expression(holder: ast.AST, field: str, index: int | None, node: ast.expr) -> Iterator[Edit]:  # noqa: C901, PLR0912 - one case per kind
    def edit(kind: str, new: ast.expr) -> Edit:
        return Edit(kind, holder, field, index, ast.copy_location(new, node), node)

    match node:
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                for kind, table in (("comparison", OPPOSITE), ("boundary", BOUNDARY)):
                    if other := table.get(type(operator)):
                        yield Edit(kind, node, "ops", place, other(), node)
        case ast.BoolOp(op=operator, values=values):
            flipped = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield Edit("boolean", node, "op", None, flipped, node)
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                left = rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
                yield edit("removed condition", left)
        case ast.BinOp(op=operator, left=left, right=right):
            other = ARITHMETIC.get(type(operator))
            if other and not any(map(_is_text, (left, right))):
                yield Edit("arithmetic", node, "op", None, other(), node)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield edit("not", operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield edit("arithmetic", operand)
        case ast.IfExp(test=test):
            yield from _condition(node, "test", None, test)
        case ast.Constant(value=bool(value)):
            yield edit("constant", ast.Constant(not value))
        case ast.Constant(value=int(value) | float(value)):
            yield edit("constant", ast.Constant(value + 1))
        case ast.Call(func=function, args=args):
            if isinstance(function, ast.Name) and function.id in FOR_TYPES:
                yield from (each for place in args[:1] for each in _below(place))
                return
            for place, (one, two) in enumerate(pairwise(args)):
                fixed = isinstance(one, ast.Starred) or isinstance(two, ast.Starred)
                fixed |= isinstance(function, ast.Name) and function.id in COMMUTATIVE
                if not fixed and ast.dump(one) != ast.dump(two):
                    swapped = [*args[:place], two, one, *args[place + 2 :]]
                    yield Edit("swapped arguments", node, "args", None, swapped, node)
        case ast.Lambda(body=body):
            yield from _expression(node, "body", None, body)
            return
        case _:
            pass
    yield from _below(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


# --- Functions, and their mutants ------------------------------------------------------------


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """The outermost functions of a module, and the methods of its classes."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.ClassDef(name=name):
                yield from functions(node, f"{prefix}{name}.")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield f"{prefix}{name}", node
            case ast.If() | ast.Try():
                yield from functions(node, prefix)
            case _:
                pass


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """All mutants of a module, in the order of its lines."""
    for name, function in functions(ast.parse(text)):
        said = _said(function)
        for number, edit in enumerate(edits(function)):
            first = edit.about.lineno  # type: ignore[attr-defined]
            last = edit.about.end_lineno  # type: ignore[attr-defined]
            if isinstance(edit.about, ast.If | ast.While | ast.With | ast.Try):
                last = first
            yield Mutant(file, name, said, number, edit.kind, first, last, _change(edit))


def _said(function: Function) -> str:
    """A hash of what a function says: several can have one name, such as overloads."""
    return hashlib.sha256(ast.unparse(function).encode()).hexdigest()[:8]


def _change(edit: Edit) -> str:
    """What stood there, and what stands there now; the trees are as they were afterwards."""
    before = _short(edit.about)
    if isinstance(edit.new, ast.Pass):
        return f"{before} → (nothing)"
    in_place = edit.holder is edit.about
    value = getattr(edit.holder, edit.field)
    old = value if edit.place is None else value[edit.place]
    edit.apply()
    after = _short(edit.about if in_place else edit.new)
    edit._replace(new=old).apply()
    return f"{before} → {after}"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    most = 90
    return text if len(text) <= most else f"{text[: most - 1]}…"


def codes(file: str, mutant: Mutant | None) -> dict[tuple[str, int], CodeType]:
    """The compiled functions of a module with this change, by their names and first lines."""
    path = SOURCE / file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if mutant:
        named = (node for name, node in functions(tree) if name == mutant.function)
        node = next((each for each in named if _said(each) == mutant.said), None)
        if node is not None:
            list(edits(node))[mutant.number].apply()
    compiled = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
    found: dict[tuple[str, int], CodeType] = {}
    waiting = [compiled]
    while waiting:
        for each in waiting.pop().co_consts:
            if isinstance(each, CodeType):
                found[each.co_qualname, each.co_firstlineno] = each
                waiting.append(each)
    return found
