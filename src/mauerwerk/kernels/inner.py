"""Functions that only compiled code calls: typed and lowered for LLVM, and no more.

Numba would optimise each of them with all that it calls, and make machine code of it. But what runs
is the code of entries: it has all functions in it that it calls, and is optimised as a whole. So
that of the others is not made, which saves a third of the time for compiling.
"""

from functools import cache
from importlib import import_module
from typing import Any, Final

KIND: Final = "inner"


@cache
def pipeline() -> Any:  # noqa: ANN401 - Numba's, as all here
    """How such a function is compiled."""
    compiler: Any = import_module("numba.core.compiler")

    class Pipeline(compiler.Compiler):  # type: ignore[misc] # Numba has no types
        def compile_extra(self, function: Any) -> Any:  # noqa: ANN401
            codegen = self.state.targetctx.codegen()
            self.state.library = _library()(codegen, function.__qualname__)
            self.state.library.enable_object_caching()
            usual: Any = super()
            return usual.compile_extra(function)

    return Pipeline


@cache
def _library() -> Any:  # noqa: ANN401
    """Where Numba collects the code of a function with that of all functions that it calls."""
    codegen: Any = import_module("numba.core.codegen")

    class Library(codegen.JITCodeLibrary):  # type: ignore[misc] # Numba has no types
        _codegen: Any

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._codegen = _WithoutEnvironments(self._codegen)
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
            self._ensure_finalized()
            return 0

        def serialize_using_object_code(self) -> tuple[str, str, bytes]:
            return self.name, KIND, self._get_module_for_linking().as_bitcode()

    return Library


class _WithoutEnvironments:
    """Numba's code generator for functions without machine code, and so without environments."""

    def __init__(self, codegen: Any) -> None:  # noqa: ANN401
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """There is no variable for it."""


def rebuilt(context: Any, kept: tuple[Any, ...]) -> Any:  # noqa: ANN401
    """What Numba compiled, an entry or a function of this kind, from what was kept of it."""
    compiler: Any = import_module("numba.core.compiler")
    (name, kind, bitcode), description, environment, signature, *_ = kept
    if kind != KIND:
        return compiler.CompileResult._rebuild(context, *kept)  # noqa: SLF001 - as Numba does
    library = _library()(context.codegen(), name)
    library._final_module = import_module("llvmlite.binding").parse_bitcode(bitcode)  # noqa: SLF001
    library._finalize_final_module()  # noqa: SLF001
    return compiler.compile_result(
        typing_context=context.typing_context,
        target_context=context,
        entry_point=context.get_executable(library, description, environment),
        environment=environment,
        fndesc=description,
        library=library,
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=(),
    )
