"""Memory asked for before it is needed: a loop over scattered rows then need not wait for each of them."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined

LINE_BYTES = 64
"""What a processor fetches at a time."""
HINTS = (0, 3, 1)
"""For LLVM: to be read, soon and again, and no machine code."""
COMPILES = not config.DISABLE_JIT  # type: ignore[attr-defined]
"""Python's interpreter can ask for no memory."""


@intrinsic
def prefetch(_: Any, array: Any, place: Any) -> tuple[Any, Any]:
    """Ask for the line with element `place` of a contiguous array, counted through all its dimensions."""
    hints = HINTS

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        asks = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        ask = cgutils.get_or_insert_function(builder.module, asks, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
        address = builder.bitcast(builder.gep(given.data, [arguments[1]]), byte)
        builder.call(ask, [address, *(ir.Constant(word, hint) for hint in hints)])
        return context.get_dummy_value()

    return types.void(array, types.intp), code


@inlined
def fetch(array: NDArray[Any], begin: int, end: int) -> None:
    """Ask for the elements `begin` to `end` - 1 of a contiguous array, counted through all its dimensions."""
    if COMPILES:
        for place in range(begin, end, LINE_BYTES // array.itemsize):
            prefetch(array, place)  # type: ignore[call-arg]
        prefetch(array, end - 1)  # type: ignore[call-arg]
