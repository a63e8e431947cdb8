"""One tree of errors; each says who is at fault and carries a stable code (architecture, Ways of building).

    TingDongError
    ├── ClientError        the caller broke the wire contract
    │   ├── BadFrame           400  not JSON, a missing field or a wrong type
    │   ├── UnknownTopic       404
    │   ├── FrameTooLarge      413
    │   ├── BadHome            422  the home does not validate; `path` says where
    │   └── TooMany            429  over a limit
    ├── ModelOutputError   500  a language model broke the output contract
    ├── DataError          500  one of our own data files is broken; names file and key
    └── BackendError       500  a backend (store, model server) cannot be reached
        ├── BackendTimeout     504  it did not answer in time
        └── RateLimited        500  it asks to be left alone for a while

Programming errors are not in the tree and are never swallowed.
"""

__all__ = [
    "BackendError",
    "BackendTimeout",
    "BadFrame",
    "BadHome",
    "ClientError",
    "DataError",
    "FrameTooLarge",
    "ModelOutputError",
    "RateLimited",
    "TingDongError",
    "TooMany",
    "UnknownTopic",
]


class TingDongError(Exception):
    """Base of every error TingDong raises on purpose. `ret` is the wire's status, `code` the stable metric label."""

    ret: int = 500
    code: str = "internal"

    def __init__(self, message: str, *, path: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        if code is not None:
            self.code = code


class ClientError(TingDongError):
    """The caller broke the wire contract."""

    ret = 400
    code = "client"


class BadFrame(ClientError):
    """No JSON, a missing field, or a wrong type."""

    code = "bad_frame"


class UnknownTopic(ClientError):
    """A topic this service does not serve."""

    ret = 404
    code = "unknown_topic"


class FrameTooLarge(ClientError):
    """Over the frame size limit."""

    ret = 413
    code = "too_large"


class BadHome(ClientError):
    """The home does not validate; `path` names the place (`devices[3].device.model`)."""

    ret = 422
    code = "bad_home"


class TooMany(ClientError):
    """Over a rate or concurrency limit."""

    ret = 429
    code = "too_many"


class ModelOutputError(TingDongError):
    """A language model broke the output contract."""

    code = "model_output"


class DataError(TingDongError):
    """One of our own data files is broken; the message names file and key."""

    code = "data"


class BackendError(TingDongError):
    """A backend (store, model server) cannot be reached."""

    code = "backend"


class BackendTimeout(BackendError):
    """A backend did not answer in time."""

    ret = 504
    code = "backend_timeout"


class RateLimited(BackendError):
    """A backend asks to be left alone for `retry_after_s` seconds."""

    code = "rate_limited"

    def __init__(self, message: str, retry_after_s: float) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
