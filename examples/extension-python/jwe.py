"""Opens a compact JWE (RFC 7516) that is encrypted with RSA-OAEP-256 or RSA-OAEP, and A256GCM.

Python's standard library has no AES, so AES and GCM are written out here. They are not hardened against measurements of time.
"""

import base64
import hashlib
import hmac
import json


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def elements(der):
    """The contents of the elements of a DER sequence."""
    found, at = [], 0
    while at < len(der):
        length, at = der[at + 1], at + 2
        if length >= 128:
            count = length - 128
            length, at = int.from_bytes(der[at:at + count], "big"), at + count
        found.append(der[at:at + length])
        at += length
    return found


def private_key(pem):
    """Modulus and private exponent of an unencrypted RSA key in PEM, PKCS #8 or PKCS #1."""
    numbers = elements(elements(base64.b64decode("".join(line for line in pem.splitlines() if not line.startswith("-"))))[0])
    if len(numbers) < 9:
        numbers = elements(elements(numbers[2])[0])
    return int.from_bytes(numbers[1], "big"), int.from_bytes(numbers[3], "big")


def opened(text, modulus, exponent):
    """The content.

    Raises ValueError if it is malformed or encrypted for another key.
    """
    head, wrapped, iv, content, tag = text.split(".")
    header = json.loads(decoded(head))
    digest = {"RSA-OAEP-256": hashlib.sha256, "RSA-OAEP": hashlib.sha1}.get(header.get("alg"))
    if digest is None or header.get("enc") != "A256GCM":
        raise ValueError("expected RSA-OAEP-256 with A256GCM")
    key = unwrapped(decoded(wrapped), modulus, exponent, digest)
    return gcm(key, decoded(iv), decoded(content), head.encode(), decoded(tag))


def unwrapped(wrapped, modulus, exponent, digest):
    """RSAES-OAEP (RFC 8017, section 7.1.2)."""
    size, length = (modulus.bit_length() + 7) // 8, digest().digest_size
    block = pow(int.from_bytes(wrapped, "big"), exponent, modulus).to_bytes(size, "big")

    def masked(data, seed):
        blocks = (digest(seed + count.to_bytes(4, "big")).digest() for count in range(len(data) // length + 1))
        return bytes(one ^ other for one, other in zip(data, b"".join(blocks)))

    seed = masked(block[1:1 + length], block[1 + length:])
    data = masked(block[1 + length:], seed)
    label, rest = data[:length], data[length:].lstrip(b"\0")
    if block[0] != 0 or label != digest().digest() or rest[:1] != b"\1" or len(rest) != 33:
        raise ValueError("encrypted for another key")
    return rest[1:]


def gcm(key, iv, content, aad, tag):
    """AES-GCM (NIST SP 800-38D) with an iv of 96 bits."""
    encrypt = aes(key)
    secret = int.from_bytes(encrypt(bytes(16)), "big")

    def times(number):
        product, factor = 0, secret
        for bit in range(127, -1, -1):
            if number >> bit & 1:
                product ^= factor
            factor = factor >> 1 ^ (0xE1 << 120 if factor & 1 else 0)
        return product

    total = 0
    lengths = (len(aad) * 8).to_bytes(8, "big") + (len(content) * 8).to_bytes(8, "big")
    for part in (aad, content, lengths):
        for at in range(0, len(part), 16):
            total = times(total ^ int.from_bytes(part[at:at + 16].ljust(16, b"\0"), "big"))
    first = int.from_bytes(encrypt(iv + b"\0\0\0\1"), "big")
    if len(iv) != 12 or not hmac.compare_digest((total ^ first).to_bytes(16, "big"), tag):
        raise ValueError("the content was changed")
    stream = b"".join(encrypt(iv + (count + 2).to_bytes(4, "big")) for count in range((len(content) + 15) // 16))
    return bytes(one ^ other for one, other in zip(content, stream))


def doubled(byte):
    """Twice a byte in the field of AES."""
    return (byte << 1 ^ (0x1B if byte & 0x80 else 0)) & 0xFF


def substitution():
    """The S-box (FIPS 197, section 5.1.1)."""
    box, one, inverse = [0x63] * 256, 1, 1
    while True:
        one ^= doubled(one)
        for shift in (1, 2, 4):
            inverse ^= inverse << shift & 0xFF
        inverse ^= 0x09 if inverse & 0x80 else 0
        wide = inverse * 0x101
        box[one] = (inverse ^ wide >> 7 ^ wide >> 6 ^ wide >> 5 ^ wide >> 4) & 0xFF ^ 0x63
        if one == 1:
            return box


BOX = substitution()


def aes(key):
    """A function that encrypts a block with AES-256 (FIPS 197)."""
    words = [list(key[at:at + 4]) for at in range(0, 32, 4)]
    constant = 1
    for place in range(8, 60):
        word = words[-1]
        if place % 8 == 0:
            word = [BOX[byte] for byte in word[1:] + word[:1]]
            word[0] ^= constant
            constant = doubled(constant)
        elif place % 8 == 4:
            word = [BOX[byte] for byte in word]
        words.append([one ^ other for one, other in zip(words[-8], word)])
    keys = [sum(words[at:at + 4], []) for at in range(0, 60, 4)]

    def encrypt(block):
        state = [one ^ other for one, other in zip(block, keys[0])]
        for turn in range(1, 15):
            # Substitution, then each row moves to the left by its number.
            state = [BOX[state[(at + 4 * (at % 4)) % 16]] for at in range(16)]
            if turn < 14:
                mixed = []
                for at in range(0, 16, 4):
                    a, b, c, d = state[at:at + 4]
                    every = a ^ b ^ c ^ d
                    mixed += [
                        a ^ every ^ doubled(a ^ b), b ^ every ^ doubled(b ^ c), c ^ every ^ doubled(c ^ d),
                        d ^ every ^ doubled(d ^ a)]
                state = mixed
            state = [one ^ other for one, other in zip(state, keys[turn])]
        return bytes(state)

    return encrypt
