"""A seccomp filter: the Linux kernel refuses a process the system calls that Landlock does not govern.

The filter is a short program for the kernel's packet filter. It looks at the number of each call and, for a few calls,
at an argument; it cannot follow pointers, so it sees no paths. It cannot be taken back. See
https://docs.kernel.org/userspace-api/seccomp_filter.html. Calls newer than those known here do not exist for the
process, as if the kernel were older.
"""

import ctypes
import errno
import os
import struct

NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # processes: other programs, other namespaces, and groups that the parent would not end
    "clone": (56, 220), "fork": (57, None), "vfork": (58, None), "execve": (59, 221),
    "setpgid": (109, 154), "setsid": (112, 157), "unshare": (272, 97), "setns": (308, 268),
    "execveat": (322, 281), "clone3": (435, 435),
    # signals
    "kill": (62, 129), "rt_sigqueueinfo": (129, 138), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434),
    # memory and open files of others, and the kernel's large interfaces
    "ptrace": (101, 117), "modify_ldt": (154, None), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "perf_event_open": (298, 241), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "kcmp": (312, 272), "bpf": (321, 280),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
    # limits and priorities, its own as well
    "setpriority": (141, 140), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "prctl": (157, 167), "setrlimit": (160, 164), "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30), "prlimit64": (302, 261), "sched_setattr": (314, 274),
    # the network
    "socket": (41, 198), "socketpair": (53, 199),
    # memory and messages shared by all processes, keys, and memory that no limit counts
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190),
    "semop": (65, 193), "semctl": (66, 191), "msgget": (68, 186), "msgsnd": (69, 189),
    "msgrcv": (70, 188), "msgctl": (71, 187), "semtimedop": (220, 192), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # what Landlock leaves open of files: owners, modes, times, attributes, locks, observers
    "open": (2, None), "fcntl": (72, 25), "flock": (73, 32), "truncate": (76, 45),
    "chmod": (90, None), "fchmod": (91, 52), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "utime": (132, None), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "utimes": (235, None), "inotify_add_watch": (254, 27),
    "openat": (257, 56), "fchownat": (260, 54), "futimesat": (261, None), "fchmodat": (268, 53),
    "utimensat": (280, 88), "fanotify_init": (300, 262), "open_by_handle_at": (304, 265),
    "openat2": (437, 437),
}  # fmt: skip
"""The calls that are refused or looked at: their numbers on x86-64 and on 64-bit ARM."""
FIRST_UNKNOWN = 451
"""The first call that is newer than this table; on x86-64 those of the x32 interface lie above it, too."""
PROCESSORS = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""The column of `NUMBERS`, and the kernel's name for the processor."""

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, PROCESSOR, ARGUMENTS = 0, 4, 16
"""Where they lie in what the kernel shows the filter, in bytes."""

CLONE_THREAD = 0x10000
READ_ONLY_AND_EMPTY, OPENING = 0o1000, 0o1003
"""A file that is opened for reading and emptied; early versions of Landlock take this for reading."""
DUPLICATE, FLAGS, DUPLICATE_AND_CLOSE, SIZE_OF_PIPE = 0, (1, 2, 3, 4), 1030, 1032
COMMANDS = (DUPLICATE, *FLAGS, DUPLICATE_AND_CLOSE, SIZE_OF_PIPE)
"""Of `fcntl`: those left out lock files, watch folders, and send signals."""
SET_NAME, GET_NAME, NAME_MEMORY = 15, 16, 0x53564D41
SET_SECCOMP, FILTER = 22, 2

Instruction = tuple[int, int, int, int]
"""An operation, how many instructions to skip if a condition is true or false, and a number."""
ALLOW, KILL = (RETURN, 0, 0, 0x7FFF0000), (RETURN, 0, 0, 0x80000000)
REFUSE, DENY_EXISTENCE = ((RETURN, 0, 0, 0x00050000 | n) for n in (errno.EPERM, errno.ENOSYS))


def refuse_calls() -> bool:
    """Refuse this process, and the threads that it will start, the calls of `NUMBERS`; return whether this holds.

    The process must have set `PR_SET_NO_NEW_PRIVS`.
    """
    processor = os.uname().machine
    if processor not in PROCESSORS or struct.calcsize("P") != 8:
        return False
    program = [struct.pack("=HBBI", *step) for step in build_filter(processor, os.getpid())]
    steps = ctypes.create_string_buffer(b"".join(program))
    given = struct.pack("@HP", len(program), ctypes.addressof(steps))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return bool(prctl(SET_SECCOMP, FILTER, given, 0, 0) == 0)


def build_filter(processor: str, process: int) -> list[Instruction]:
    """Return the filter for a process on a processor, one instruction after the other."""
    column, name = PROCESSORS[processor]
    looked_at = {
        "clone": [load(0), (ANY_BIT, 1, 0, CLONE_THREAD), REFUSE, ALLOW],
        "clone3": [DENY_EXISTENCE],  # Its flags cannot be seen; without it `clone` is used.
        "openat2": [DENY_EXISTENCE],
        "open": refuse_emptying(1),
        "openat": refuse_emptying(2),
        "kill": allow_values(0, process),
        "tgkill": allow_values(0, process),
        "fcntl": allow_values(1, *COMMANDS),
        "prctl": allow_values(0, SET_NAME, GET_NAME, NAME_MEMORY),
        "prlimit64": [  # to read limits is allowed: the pointer to new ones is 0
            load(2), (EQUAL, 0, 2, 0), load(2, 4), (EQUAL, 1, 0, 0), REFUSE, ALLOW,
        ],
    }  # fmt: skip
    program = [
        (LOAD, 0, 0, PROCESSOR),
        (EQUAL, 1, 0, name),
        KILL,
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, FIRST_UNKNOWN),
        DENY_EXISTENCE,
    ]
    for call, numbers in NUMBERS.items():
        number = numbers[column]
        if number is not None:
            then = looked_at.get(call, [REFUSE])
            program += [(EQUAL, 0, len(then), number), *then]
    return [*program, ALLOW]


def load(argument: int, offset: int = 0) -> Instruction:
    """Return the instruction that loads the lower half of an argument, or the upper half, at offset 4."""
    return LOAD, 0, 0, ARGUMENTS + 8 * argument + offset


def allow_values(argument: int, *values: int) -> list[Instruction]:
    """Allow a call whose argument is one of these values."""
    compared = [(EQUAL, len(values) - k, 0, value) for k, value in enumerate(values)]
    return [load(argument), *compared, REFUSE, ALLOW]


def refuse_emptying(argument: int) -> list[Instruction]:
    """Allow a file to be opened, unless the flags in this argument are those for reading and emptying it."""
    return [
        load(argument), (AND, 0, 0, OPENING), (EQUAL, 0, 1, READ_ONLY_AND_EMPTY), REFUSE, ALLOW,
    ]  # fmt: skip
