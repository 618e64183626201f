"""One process at a time has a spool."""

import os
from pathlib import Path

from .errors import SpoolInUse


def take_ownership(directory: Path) -> Path:
    """Takes a spool for this process; removing the file that it gives releases it.

    The file names a process by pid and time of start, so that a pid which another process has now
    does not keep the spool.
    """
    file = directory / "owner"
    own = _identity_of(os.getpid())
    while True:
        try:
            with open(file, "x", encoding="utf-8") as taken:
                taken.write(own)
            return file
        except FileExistsError:
            pass
        owner = _read_or_empty(file)
        pid = owner.split(" ")[0]
        if pid.isdigit() and _identity_of(int(pid)) == owner:
            raise SpoolInUse(f"The process {pid} has the spool {directory} open.")
        file.unlink(missing_ok=True)


def _identity_of(pid: int) -> str:
    """Pid, time of start in ticks, and the boot; without ``/proc`` the pid while it runs."""
    stat = _read_or_empty(Path(f"/proc/{pid}/stat"))
    if stat == "":
        return f"{pid} {'running' if _is_running(pid) else 'gone'}"
    # The name of the program, in parentheses, may contain spaces.
    start = stat[stat.rindex(")") + 2:].split(" ")[19]
    return f"{pid} {start} {_read_or_empty(Path('/proc/sys/kernel/random/boot_id')).strip()}"


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _read_or_empty(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""
