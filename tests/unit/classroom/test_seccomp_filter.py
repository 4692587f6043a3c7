"""The filter of system calls, run step by step here for both processors, and its numbers beside those of the system."""

import errno
import os
import re
import struct
from pathlib import Path
from types import SimpleNamespace

import pytest

from contests import seccomp

PROCESS = 4321
X86, ARM = "x86_64", "aarch64"
HEADERS = {
    X86: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    ARM: Path("/usr/include/asm-generic/unistd.h"),
}
KERNELS_NAME = {X86: 0xC000003E, ARM: 0xC00000B7}
ALLOWED, KILLED = "allowed", "killed"


def verdict(processor: str, number: int, *arguments: int, kernels_name: int | None = None) -> str:
    """Return what the filter says to a call, by the rules of the kernel's packet filter."""
    name = KERNELS_NAME[processor] if kernels_name is None else kernels_name
    seen = {0: number, 4: name}
    for k, argument in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
        seen[16 + 8 * k], seen[20 + 8 * k] = argument & 0xFFFFFFFF, argument >> 32
    steps = seccomp.build_filter(processor, PROCESS)
    accumulator, at = 0, 0
    while True:
        operation, if_true, if_false, value = steps[at]
        at += 1
        if operation == 0x20:
            accumulator = seen[value]
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            if value >> 16 == 5:
                return errno.errorcode[value & 0xFFFF]
            return {0x7FFF0000: ALLOWED, 0x80000000: KILLED}[value]
        else:
            true = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[operation]
            at += if_true if true else if_false


@pytest.mark.parametrize("processor", [X86, ARM])
def test_call_numbers_are_those_of_the_system(processor: str) -> None:
    if not HEADERS[processor].exists():
        pytest.skip(f"there is no {HEADERS[processor]}")
    text = HEADERS[processor].read_text(encoding="utf-8")
    found = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)$", text, re.MULTILINE))
    column = seccomp.PROCESSORS[processor][0]
    table = {call: numbers[column] for call, numbers in seccomp.NUMBERS.items()}
    assert {call: int(found[call]) if call in found else None for call in table} == table


@pytest.mark.parametrize("processor", [X86, ARM])
def test_filter_refuses_every_call_of_its_table(processor: str) -> None:
    column = seccomp.PROCESSORS[processor][0]
    numbers = {call: each[column] for call, each in seccomp.NUMBERS.items()}
    looked_at = {"open", "openat", "prlimit64", "fcntl"}  # allowed with arguments of 0
    said = {c: verdict(processor, n) for c, n in numbers.items() if n is not None}
    assert {call for call, one in said.items() if one == ALLOWED} == looked_at & said.keys()
    assert {call for call, one in said.items() if one == "ENOSYS"} == {"clone3", "openat2"}
    assert set(said.values()) == {ALLOWED, "ENOSYS", "EPERM"}


@pytest.mark.parametrize("processor", [X86, ARM])
def test_filter_looks_at_arguments(processor: str) -> None:
    def said(call: str, *arguments: int) -> str:
        number = seccomp.NUMBERS[call][seccomp.PROCESSORS[processor][0]]
        assert number is not None
        return verdict(processor, number, *arguments)

    thread = 0x3D0F00  # what pthread_create passes
    assert said("clone", thread) == ALLOWED
    assert said("clone", thread & ~0x10000) == said("clone", 17) == "EPERM"
    assert said("kill", PROCESS, 10) == said("tgkill", PROCESS, PROCESS, 10) == ALLOWED
    for other in (PROCESS + 1, 0, 1, 0xFFFFFFFF):
        assert said("kill", other, 10) == said("tgkill", other, PROCESS, 10) == "EPERM"
    assert said("prlimit64", 0, 7, 0, 0x7FFF00001000) == ALLOWED
    assert said("prlimit64", 0, 7, 0x7FFF00001000) == said("prlimit64", 0, 7, 1 << 32) == "EPERM"
    assert [said("fcntl", 3, k) for k in (0, 1, 2, 3, 4, 1030, 1032)] == [ALLOWED] * 7
    lock, own, signals, lease, notify = (5, 6, 7, 36, 37, 38), (8, 15), (10,), (1024,), (1026,)
    for command in (*lock, *own, *signals, *lease, *notify):
        assert said("fcntl", 3, command) == "EPERM"
    assert [said("prctl", k) for k in (15, 16, 0x53564D41)] == [ALLOWED] * 3
    assert [said("prctl", k) for k in (1, 4, 22, 38, 0x59616D61)] == ["EPERM"] * 5
    write, both, create, empty = 1, 2, 0o100, 0o1000
    for flags in (0, write | create | empty, both | empty, write, create):
        assert said("openat", 3, 0, flags) == ALLOWED
    assert said("openat", 3, 0, empty) == said("openat", 3, 0, empty | create) == "EPERM"


def test_filter_refuses_other_interfaces_and_newer_calls() -> None:
    assert verdict(X86, 0) == verdict(ARM, 63) == ALLOWED  # read
    assert verdict(X86, 0, kernels_name=0x40000003) == KILLED  # as a 32-bit program
    assert verdict(ARM, 63, kernels_name=0x40000028) == KILLED
    assert verdict(X86, 450) == verdict(ARM, 450) == ALLOWED
    for number in (451, 452, 463, 1000, 0x40000000, 0x40000029):
        assert verdict(X86, number) == verdict(ARM, number) == "ENOSYS"


@pytest.mark.parametrize(("processor", "bytes_of_address"), [("riscv64", 8), (X86, 4), (ARM, 4)])
def test_filter_is_not_set_where_calls_have_other_numbers(
    processor: str, bytes_of_address: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a filter for another processor is about to be set")

    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=processor))
    monkeypatch.setattr(struct, "calcsize", lambda _: bytes_of_address)
    monkeypatch.setattr(seccomp.ctypes, "CDLL", fail)
    assert seccomp.refuse_calls() is False
