"""Commands under a limit on memory (``ulimit -v``): a message where a library aborts or hangs.

Compiled libraries end the process when an allocation fails, and wait forever when a thread cannot
be started. Neither can be caught within the process, so under such a limit, and only then, the
command runs in a child process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

FAILED = 70
"""How the child ends after an exception that is no message."""
IDLE_SECONDS = 15
"""How long the child may sleep without using the processor, unless it reads standard input."""
MOST_MESSAGES = 1 << 24
"""How many bytes of messages the child may write: a library that lacks memory may repeat one."""
NOT_ENOUGH = (
    "assay: the memory is not sufficient for this; give fewer or smaller files, fewer"
    " --resamples, or run it on a machine with more memory"
)

_ALLOCATOR = "(jemalloc_bg_thd"
"""How the background threads of the allocator of Polars are called."""
_SIGNS = (NOT_ENOUGH.encode(), b"OpenBLAS error: Memory")


def memory_limit() -> int | None:
    """Return the limit on the memory of this process in bytes; None if there is none.

    Also None where messages cannot be kept in memory, which only Linux can.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits.
        return None
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    finite = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return min(finite, default=None) if hasattr(os, "memfd_create") else None


def run_limited(run: Callable[[], int], limit: int) -> int:
    """Run a command in a child process, and return its exit code; explain a lack of memory."""
    import signal

    messages = os.memfd_create("messages")
    child = os.fork()
    if not child:
        _run_child(run, messages)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, frame: os.kill(child, received))
    code = _wait(child, messages)
    text = os.pread(messages, min(os.fstat(messages).st_size, MOST_MESSAGES), 0)
    if code in (-signal.SIGTERM, -signal.SIGHUP):
        return 128 - code
    if code < 0 or code == FAILED or any(each in text for each in _SIGNS):
        hint = f", or raise the limit of {limit / 1e6:,.0f} MB (ulimit -v)"
        text, code = f"{NOT_ENOUGH}{hint}\n".encode(), 1
    sys.stderr.buffer.write(text)
    sys.stderr.flush()
    return code


def _run_child(run: Callable[[], int], messages: int) -> None:
    """Run the command with its messages in memory, and end the process."""
    code = FAILED
    try:
        os.dup2(messages, 2)
        code = run()
    finally:
        os._exit(code)


def _wait(child: int, messages: int) -> int:
    """Return the exit code of the child, which is ended if it hangs or its messages never end."""
    import signal
    import time

    used: float | None = None
    since = time.monotonic()
    while True:
        try:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        except KeyboardInterrupt:  # Ctrl-C reaches the child, too: it says so.
            continue
        now = _processor_time(child)
        if now != used:
            used, since = now, time.monotonic()
        hangs = time.monotonic() - since > IDLE_SECONDS and not _reads_terminal_or_pipe()
        if hangs or os.fstat(messages).st_size > MOST_MESSAGES:
            os.kill(child, signal.SIGKILL)


def _processor_time(child: int) -> float | None:
    """Return the processor time of the threads of a process, where it is known.

    The threads of an allocator are left out: they try without end to start another one.
    """
    from pathlib import Path

    used = 0.0
    try:
        for thread in Path(f"/proc/{child}/task").iterdir():
            name, _, rest = (thread / "stat").read_text("ascii", "replace").rpartition(")")
            if _ALLOCATOR not in name:
                used += sum(map(float, rest.split()[11:13]))
    except OSError:
        return None
    return used


def _reads_terminal_or_pipe() -> bool:
    """Return whether the command may wait for its standard input."""
    return "-" in sys.argv or "--ask" in sys.argv
