"""Job objects of Windows: processes that end when the last handle of their job is closed."""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes
from typing import Any, ClassVar, Final

_LIMITS: Final = 9
"""``JobObjectExtendedLimitInformation``."""
_END_WITH_HANDLE: Final = 0x2000
"""``JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE``."""
_MAY_ASSIGN: Final = 0x0101
"""``PROCESS_SET_QUOTA`` and ``PROCESS_TERMINATE``."""


class _Basic(ctypes.Structure):
    _fields_: ClassVar[Any] = (
        ("per_process_user_time_limit", wintypes.LARGE_INTEGER),
        ("per_job_user_time_limit", wintypes.LARGE_INTEGER),
        ("limit_flags", ctypes.c_uint32),
        ("minimum_working_set_size", ctypes.c_size_t),
        ("maximum_working_set_size", ctypes.c_size_t),
        ("active_process_limit", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class Extended(ctypes.Structure):
    """``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``."""

    _fields_: ClassVar[Any] = (
        ("basic", _Basic),
        ("io_counters", ctypes.c_ulonglong * 6),
        ("process_memory_limit", ctypes.c_size_t),
        ("job_memory_limit", ctypes.c_size_t),
        ("peak_process_memory_used", ctypes.c_size_t),
        ("peak_job_memory_used", ctypes.c_size_t),
    )


class WindowsJob:
    """A job that ends with this process, however that ends; ``OSError`` if there can be none."""

    def __init__(self) -> None:
        self._kernel = kernel()
        self._handle = self._kernel.CreateJobObjectW(None, None)
        limits = Extended()
        limits.basic.limit_flags = _END_WITH_HANDLE
        size = ctypes.sizeof(limits)
        if not self._handle or not self._kernel.SetInformationJobObject(
            self._handle, _LIMITS, ctypes.byref(limits), size
        ):
            raise OSError("Windows makes no job object")

    def take(self, pid: int) -> None:
        """Let a process belong to the job, and all that it starts from now on.

        One that has ended already, or that its surroundings keep from it, is left as it is.
        """
        process = self._kernel.OpenProcess(_MAY_ASSIGN, False, pid)
        if process:
            self._kernel.AssignProcessToJobObject(self._handle, process)
            self._kernel.CloseHandle(process)

    def end(self) -> None:
        """End every process of the job."""
        self._kernel.CloseHandle(self._handle)


def kernel() -> Any:
    """Return the functions of Windows that are needed, with their types."""
    if sys.platform != "win32":
        raise OSError("only Windows has job objects")
    functions = ctypes.WinDLL("kernel32", use_last_error=True)
    functions.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
    functions.CreateJobObjectW.restype = wintypes.HANDLE
    functions.SetInformationJobObject.argtypes = (
        wintypes.HANDLE,
        ctypes.c_int,
        wintypes.LPVOID,
        wintypes.DWORD,
    )
    functions.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
    functions.OpenProcess.restype = wintypes.HANDLE
    functions.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    functions.CloseHandle.argtypes = (wintypes.HANDLE,)
    return functions
