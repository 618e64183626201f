"""What a caller of the kit may meet."""

from .types import Problem


class CallRefused(Exception):
    """The gateway refused a call for good: a 4xx that must not be repeated as it is."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(f"{status} {problem['code']}: {problem['detail']}")
        self.status = status
        self.problem = problem


class TokenRefused(CallRefused):
    """No token is given to this client id and secret: nothing can be sent until they are right."""


class ItemTooLarge(ValueError):
    """One item alone is larger than the body of a call may be."""


class SenderClosed(RuntimeError):
    """The sender has ended, by ``close`` or by the error that is its cause."""


class SpoolInUse(RuntimeError):
    """Another process has the spool open."""


class SpoolDamaged(RuntimeError):
    """Bytes that were safe on the disk are not what was written: a person must decide."""
