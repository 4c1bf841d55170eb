"""Build the kernels as WebAssembly: one module per game, from the same source as for the CPU.

    python -m mauerwerk.kernels.wasm_build [game ...] [--folder FOLDER]

A dry run of all that a module is for records which functions are called, and with which types.
Numba types and lowers these. Its code for LLVM is taken before anything is optimised, since that
would be for this machine, and compiled for wasm32: integers stay 64 bits wide, pointers become 32.
The same operations happen in the same order, so what they compute is the same to the last bit.

This needs what only developers have: Numba, and the linker `wasm-ld`, which comes with `ziglang`.
The same source and tools make the same bytes. The name of a module ends on a hash of its content.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.arrays import PLAIN, Memory
from mauerwerk.kernels.cache import SUFFIX, write_at_once
from mauerwerk.kernels.cache import folder as cache_folder
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import Compiler, compiler_for, functions_for
from mauerwerk.kernels.counting import counts
from mauerwerk.kernels.networks.forward import inference_of
from mauerwerk.kernels.networks.network import Network, Weights
from mauerwerk.kernels.observation import FORMS
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.kernels.play.single import SingleGame, Stepper
from mauerwerk.kernels.search import tree
from mauerwerk.kernels.search.search import Settings, warm
from mauerwerk.kernels.wasm import device
from mauerwerk.kernels.wasm.device import name_of
from mauerwerk.kernels.wasm.module import (
    SLOT,
    Function,
    data_size,
    flat,
    folder,
    leaf_of,
    with_section,
)

TRIPLE: Final = "wasm32-unknown-emscripten"
"""For other systems LLVM makes no code that can be loaded anywhere in memory."""
FEATURES: Final = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""All browsers have had these since 2023."""
TOOLS: Final = ("llvmlite", "numba", "numpy", "ziglang")

SUPPORT: Final = """
define void @NRT_incref(ptr %0) alwaysinline { ret void }
define void @NRT_decref(ptr %0) alwaysinline { ret void }
define double @sqrt(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
declare double @llvm.sqrt.f64(double)
"""
"""What Numba expects of its own library. Kernels own no memory, so that nothing is counted."""
COUNTING: Final = ("NRT_incref", "NRT_decref")

ORDERED: Final = "PYTHONHASHSEED"
"""The order in which Numba goes through sets decides the order of functions."""

RESULTS: Final = {"none": "", "bool": "b", "float64": "f", "int64": "i", "uint64": "u"}
"""Numba's words for what functions return, and ours."""


# --- What a module is for --------------------------------------------------------------------


class Call(NamedTuple):
    """A function that is called from outside, with arguments as they can be."""

    function: Any
    remember: bool
    part: str | None
    arguments: tuple[Any, ...]


_CALLS: Final[list[Call]] = []


class _Recorder:
    """Functions that do nothing but write down what they were called with."""

    def __init__(self, game: str, *, remember: bool = False, part: str | None = None) -> None:
        self.kernel = kernel_of(game, remember=remember, part=part)
        self._variant = remember, part

    def entry(self, function: Any, /) -> Callable[..., int]:  # noqa: ANN401
        def called(*arguments: Any) -> int:  # noqa: ANN401
            _CALLS.append(Call(function, *self._variant, arguments))
            # There is a root; but nobody is to act, and nothing is illegal.
            return 0 if function is tree.root_of else -1

        return called

    def memory(self) -> Memory:
        return PLAIN


@contextmanager
def _recording() -> Generator[None, None, None]:
    """Meanwhile the device `wasm` only records."""
    functions_for.cache_clear()
    _CALLS.clear()
    usual, device.ModuleFunctions = device.ModuleFunctions, _Recorder  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        device.ModuleFunctions = usual  # type: ignore[misc]
        functions_for.cache_clear()


def calls_of(name: str) -> Sequence[Call]:
    """All that a module is for, by a dry run."""
    with _recording():
        _dry_run(name)
    return [*_CALLS]


def _dry_run(name: str) -> None:
    """Games, counts, steps, one game alone, and the search."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    run(game, setup, 1, seed=1, device="wasm", threads=1)
    counts(game, setup, 1, range(1), device="wasm")
    for form in FORMS:
        for packed in (False, True):
            batch = Batch(game, setup, 1, 1, "wasm", packed=packed, form=form, rewards="points")
            batch.choose()
            batch.step()
            batch.step(checked=False)
            if len(batch.suggestions):
                batch.suggest()
    for remember in {False, hasattr(kernel_of(name), "memory")}:
        single = SingleGame(game, setup, remember=remember, device="wasm")
        single.apply(Seat(0), 0)
        single.pick(Seat(0), 0)
        _ = single.features, single.turn
    stepper = Stepper(name, setup, device="wasm")
    record = stepper.start()
    stepper.decision(record)
    stepper.move(record, 0, 0)
    stepper.features(record, 0)
    stepper.ranks(record)
    blank = Network(Weights(*[np.zeros((1, 1), np.float32)] * len(Weights._fields)), {})
    for network in (None, blank):
        warm(game, setup, network=network, device="wasm")
    _call_with_beliefs(name)


def _call_with_beliefs(name: str) -> None:
    """What fills in worlds, with the arguments of the searches so far; and moves in many games."""
    for call in [call for call in _CALLS if call.function is tree.simulate]:
        room, believed = call.arguments[:2]
        functions = functions_for(name, "wasm", remember=call.remember, part=call.part)
        given = room.setups, room.states, 0, believed, key_of(1), 0
        functions.entry(stepping.determinize)(*given)
        if not call.remember:
            entry, states = functions_for(name, "wasm").entry, room.states[:1]
            results = np.zeros(1, stepping.RESULT)
            entry(stepping.determinize)(*given)
            entry(stepping.move_all)(room.setups, states, 0, 0)
            entry(stepping.finish)(room.setups, states, results, key_of(1), 0)
            moves, ends = np.zeros((1, 3), np.int32), np.zeros(1, np.int64)
            entry(stepping.play_moves)(room.setups, states, results, moves, ends, key_of(1), 0)


# --- From Numba to LLVM ----------------------------------------------------------------------


class _Source(Compiler):
    """A compiler whose functions are only typed and lowered."""

    def lowered(self, function: FunctionType, types: tuple[Any, ...]) -> Any:  # noqa: ANN401
        names = vars(self._compiled(sys.modules[function.__module__]))
        dispatcher = names[function.__name__]
        dispatcher.compile(types)
        return dispatcher.overloads[types]

    def _pipeline(self) -> Any:  # noqa: ANN401
        return import_module("numba.core.compiler").Compiler

    def _cache(self, form: str, function: FunctionType, before: Callable[[], None]) -> Any:  # noqa: ANN401, ARG002
        return import_module("numba.core.caching").NullCache()


class _Entry(NamedTuple):
    """A function as it is called from outside."""

    name: str
    function: Function
    symbol: str
    """Its name in Numba's code."""


def _collect_code() -> list[Any]:
    """From now on Numba only adds its code to this list, for the rest of this process."""
    codegen: Any = import_module("numba.core.codegen")
    made: list[Any] = []

    class Library(codegen.JITCodeLibrary):  # type: ignore[misc] # Numba has no types
        def _optimize_functions(self, ll_module: Any) -> None:  # noqa: ANN401
            pass

        def finalize(self) -> None:
            self._finalized = True
            made.append(self._final_module)

        def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
            self._ensure_finalized()
            return 0

    own = import_module("numba.core.registry").cpu_target.target_context.codegen()
    own._library_class = Library  # noqa: SLF001
    own.set_env = _set_nothing
    return made


def _set_nothing(*_: object) -> None:
    """Modules have no environment of Python's."""


def _entries(name: str, calls: Sequence[Call]) -> Iterator[_Entry]:
    """The functions of all calls, once for each of their forms."""
    numba: Any = import_module("numba")
    sources: dict[tuple[bool, str | None], _Source] = {}
    seen: dict[str, list[Any]] = {}
    for call in calls:
        variant = call.remember, call.part
        source = sources.setdefault(
            variant, _Source(name, "cpu", remember=variant[0], part=variant[1])
        )
        types = tuple(numba.typeof(each) for each in call.arguments)
        known = name_of(call.function, remember=call.remember, part=call.part)
        forms = seen.setdefault(known, [])
        if types in forms:
            continue
        found = source.lowered(call.function, types)
        export = "_".join((known.replace(".", "_"), *[str(len(forms))] * bool(forms)))
        leaves = tuple(map(leaf_of, flat(call.arguments)))
        result = RESULTS[str(found.signature.return_type)]
        forms.append(types)
        yield _Entry(known, Function(export, leaves, result), found.fndesc.llvm_func_name)


# --- From LLVM to WebAssembly ----------------------------------------------------------------


def _joined(made: Sequence[Any], entries: Sequence[_Entry]) -> Any:  # noqa: ANN401 - LLVM's
    """All code in one module, where only the entries can be seen from outside."""
    llvm: Any = import_module("llvmlite.binding")
    code = llvm.parse_assembly("")
    for each in made:
        code.link_in(each, preserve=True)
    wrappers = "\n".join(_wrapper(entry, code.get_function(entry.symbol)) for entry in entries)
    text = str(code)
    for name in COUNTING:
        text = re.sub(
            rf"^define [^\n]*@{name}\(.*?^}}$",
            f"declare void @{name}(ptr)",
            text,
            flags=re.DOTALL | re.MULTILINE,
        )
    code = llvm.parse_assembly(text)
    _hide(code, {entry.symbol for entry in entries})
    code.link_in(llvm.parse_assembly(SUPPORT))
    code.link_in(llvm.parse_assembly(wrappers))
    _hide(code, {entry.function.name for entry in entries})
    return code


def _hide(code: Any, shown: set[str]) -> None:  # noqa: ANN401
    for each in (*code.functions, *code.global_variables):
        if not each.is_declaration and each.name not in shown:
            each.linkage = "internal"


def _wrapper(entry: _Entry, function: Any) -> str:  # noqa: ANN401
    """A function that reads its arguments from memory; after them there is room for the answer.

    Numba's functions come with two more: where to write the answer, and an error.
    """
    kinds = [str(each.type) for each in function.arguments]
    size = len(kinds) - 2
    lines = [
        f'declare i32 @"{entry.symbol}"({", ".join(kinds)})',
        f"define i32 @{entry.function.name}(ptr %given) {{",
        *(f"%at{n} = getelementptr i8, ptr %given, i32 {SLOT * n}" for n in range(size + 2)),
        *(f"%value{n} = load {kind}, ptr %at{n}" for n, kind in enumerate(kinds[2:])),
    ]
    values = [f"{kind} %value{n}" for n, kind in enumerate(kinds[2:])]
    given = ", ".join((f"ptr %at{size}", f"ptr %at{size + 1}", *values))
    return "\n".join(
        (*lines, f'%status = call i32 @"{entry.symbol}"({given})', "ret i32 %status", "}")
    )


def _compiled(code: Any) -> bytes:  # noqa: ANN401
    """An object file for wasm32."""
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(
        opt=3, features=FEATURES, reloc="pic", codemodel="default"
    )
    code.triple, code.data_layout = TRIPLE, str(machine.target_data)
    code.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(code, builder)
    content: bytes = machine.emit_object(code)
    return content


def _linked(compiled: bytes, exports: Sequence[str]) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        source, result = Path(place) / "kernel.o", Path(place) / "kernel.wasm"
        source.write_bytes(compiled)
        options = ["-shared", "--experimental-pic", "--strip-all", "--gc-sections"]
        wanted = [f"--export={name}" for name in exports]
        words: list[Any] = [
            sys.executable,
            "-m",
            "ziglang",
            "wasm-ld",
            *options,
            *wanted,
            source,
            "-o",
            result,
        ]
        subprocess.run(words, check=True)  # noqa: S603 - our own words
        return result.read_bytes()


# --- The files -------------------------------------------------------------------------------


def source_hash(name: str, calls: Sequence[Call]) -> str:
    """What decides the bytes of a module: the content of all functions, and the tools."""
    compilers = {(each.remember, each.part) for each in calls}
    keys = sorted(
        compiler_for(name, "cpu", remember=each.remember, part=each.part).key(each.function)
        + repr([*map(leaf_of, flat(each.arguments))])
        for each in calls
    )
    tools = [(tool, version(tool)) for tool in TOOLS]
    own = Path(__file__).read_bytes()
    return hashlib.sha256(
        repr((keys, tools, sorted(map(str, compilers)), own)).encode()
    ).hexdigest()


def build(name: str, into: Path) -> Path:
    """The module of a game in this folder; built if it is not in the cache. Older ones go."""
    calls = calls_of(name)
    key = source_hash(name, calls)
    path = into / f"{name}-{key[:16]}.wasm"
    if not path.exists():
        kept = cache_folder()
        place = kept and kept / f"{path.name}{SUFFIX}"
        module = place.read_bytes() if place and place.exists() else _built(name, key, calls)
        if place:
            write_at_once(place, module)
        for old in into.glob(f"{name}-*.wasm"):
            old.unlink()
        write_at_once(path, module)
        path.chmod(0o644)
    return path


def _built(name: str, key: str, calls: Sequence[Call]) -> bytes:
    made = _collect_code()
    entries = [*_entries(name, calls)]
    compiled = _compiled(_joined(made, entries))
    functions: dict[str, list[Any]] = {}
    for entry in entries:
        export, leaves, result = entry.function
        form = {"export": export, "leaves": leaves, "result": result}
        functions.setdefault(entry.name, []).append(form)
    module = _linked(compiled, [entry.function.name for entry in entries])
    about = {
        "game": name,
        "rules": GAMES[name].RULES,
        "source": key,
        "tools": {tool: version(tool) for tool in TOOLS},
        "data": data_size(module),
        "functions": functions,
        "tree": {
            "memory" if each.remember else "plain": [
                *_sizes(each.arguments[0]._replace(inference=inference_of(None)))
            ]
            for each in calls
            if each.function is tree.simulate
        },
    }
    return with_section(module, about)


def _sizes(arrays: Any, before: str = "") -> Iterator[tuple[str, str, int, tuple[int, int, int]]]:  # noqa: ANN401
    """The arrays of a tree for those who make one themselves: names, types, and lengths.

    A length is a number, and how many there are for each node and for each edge.
    """
    nodes, edges = Settings().nodes, Settings().edges
    for name, array in arrays._asdict().items():
        if isinstance(array, tuple):
            yield from _sizes(array, f"{before}{name}.")
            continue
        size = len(array)
        length = (
            (0, 0, 1) if size == edges else (0, size // nodes, 0) if size >= nodes else (size, 0, 0)
        )
        kind, item, _axes = leaf_of(array)
        yield f"{before}{name}", kind, item, length


def main(words: Sequence[str] | None = None) -> int:
    """Build the modules of these games, or of all, each in a process of its own."""
    parser = argparse.ArgumentParser("wasm_build", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", choices=[*KERNELS, []], metavar="game")
    parser.add_argument("--folder", type=Path, default=folder(), help="default: in the package")
    given = parser.parse_args(words)
    for name in given.games or KERNELS:
        if ORDERED in os.environ:
            path = build(name, given.folder)
            sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
        else:
            words = [sys.executable, "-m", __spec__.name, name, "--folder", str(given.folder)]
            subprocess.run(words, check=True, env={**os.environ, ORDERED: "0"})  # noqa: S603
    return 0


if __name__ == "__main__":
    sys.exit(main())
