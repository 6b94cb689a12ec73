"""The programs of b2c-harness: `b2c` and `mock-server`.

`path("b2c")` and `path("mock-server")` name the programs for tests that start them.
"""

import os
import sys

__all__ = ["path"]


def path(program: str) -> str:
    """The file of a program of this package.

    Raises FileNotFoundError when the package has no such program.
    """
    found = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", program)
    if not os.path.isfile(found):
        raise FileNotFoundError(f"b2c-harness has no program {program!r}; it has b2c and mock-server")
    return found


def _become(program: str) -> None:
    file = path(program)
    # `b2c serve` looks for mock-server beside itself.
    os.execv(file, [program] + sys.argv[1:])


def b2c() -> None:
    """Runs `b2c` in the place of this process."""
    _become("b2c")


def mock_server() -> None:
    """Runs `mock-server` in the place of this process."""
    _become("mock-server")
