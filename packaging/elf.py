"""What an ELF file needs of the system, read without tools (System V ABI, chapter 5)."""

import re
import struct


def needed(path):
    """The shared libraries that the file names itself (DT_NEEDED)."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"\x7fELF" or data[4] != 2 or data[5] != 1:
        raise ValueError(f"{path}: not a 64-bit little-endian ELF file")
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQQQ", data, offset + size * number) for number in range(count)]

    def place(address):
        for kind, _, start, virtual, _, length, _, _ in segments:
            if kind == 1 and virtual <= address < virtual + length:
                return address - virtual + start
        raise ValueError(f"{path}: the address {address:#x} is in no segment")

    names, strings = [], None
    for kind, _, start, _, _, length, _, _ in segments:
        if kind != 2:
            continue
        for entry in range(start, start + length, 16):
            tag, value = struct.unpack_from("<qQ", data, entry)
            if tag == 1:
                names.append(value)
            elif tag == 5:
                strings = place(value)
            elif tag == 0:
                break
    return [data[strings + name:data.index(b"\0", strings + name)].decode() for name in names]


def versions(path, family):
    """The highest symbol version of a family that the file asks for, such as (2, 34) of `GLIBC`; None without any."""
    with open(path, "rb") as file:
        data = file.read()
    found = re.findall(family.encode() + rb"_(\d+)\.(\d+)(?:\.(\d+))?\0", data)
    return max((tuple(int(part) for part in version if part) for version in found), default=None)
