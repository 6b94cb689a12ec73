#include "CCrypto.h"

#include <string.h>

static uint32_t load32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint64_t load64(const uint8_t *bytes) { return (uint64_t)load32(bytes) << 32 | load32(bytes + 4); }

static void store32(uint8_t *bytes, uint32_t word) {
    for (int index = 0; index < 4; index++) bytes[index] = (uint8_t)(word >> (24 - 8 * index));
}

static void store64(uint8_t *bytes, uint64_t word) {
    store32(bytes, (uint32_t)(word >> 32));
    store32(bytes + 4, (uint32_t)word);
}

static uint32_t left(uint32_t word, int count) { return word << count | word >> (32 - count); }
static uint32_t right32(uint32_t word, int count) { return word >> count | word << (32 - count); }
static uint64_t right64(uint64_t word, int count) { return word >> count | word << (64 - count); }

/// Hands all blocks to a function, the last with the padding (FIPS 180-4, section 5.1).
static void digest(const uint8_t *bytes, size_t count, size_t block, void *state, void (*take)(void *, const uint8_t *)) {
    size_t rest = count % block, whole = count - rest;
    for (size_t at = 0; at < whole; at += block) take(state, bytes + at);
    uint8_t last[256] = {0};
    if (rest > 0) memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    size_t length = rest + 1 + block / 8 <= block ? block : 2 * block;
    store64(last + length - 16 + 8, (uint64_t)count << 3);
    if (block == 128) last[length - 9] = (uint8_t)((uint64_t)count >> 61);
    for (size_t at = 0; at < length; at += block) take(state, last + at);
}

static void block1(void *state, const uint8_t *bytes) {
    uint32_t *hash = state, w[80];
    for (int t = 0; t < 16; t++) w[t] = load32(bytes + 4 * t);
    for (int t = 16; t < 80; t++) w[t] = left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20 ? (b & c) ^ (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) ^ (b & d) ^ (c & d);
        uint32_t k = t < 20 ? 0x5a827999 : t < 40 ? 0x6ed9eba1 : t < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t next = left(a, 5) + f + e + k + w[t];
        e = d, d = c, c = left(b, 30), b = a, a = next;
    }
    hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d, hash[4] += e;
}

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes; SHA-256 has the upper halves of 64.
static const uint64_t constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019,
    0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3,
    0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65, 0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b, 0xa2bfe8a14cf10364, 0xa81a664bbc423001,
    0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb,
    0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c, 0xd186b8c721c0c207,
    0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a,
    0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

// SHA-256 and SHA-512 differ in the word, the number of rounds, and the distances of their rotations.
#define BLOCK(name, Word, load, right, rounds, shift, a1, a2, a3, e1, e2, e3, x1, x2, x3, y1, y2, y3) \
    static void name(void *state, const uint8_t *bytes) { \
        Word *hash = state, w[rounds]; \
        for (int t = 0; t < 16; t++) w[t] = load(bytes + sizeof(Word) * t); \
        for (int t = 16; t < rounds; t++) { \
            Word x = w[t - 15], y = w[t - 2]; \
            w[t] = w[t - 16] + w[t - 7] + (right(x, x1) ^ right(x, x2) ^ x >> x3) + (right(y, y1) ^ right(y, y2) ^ y >> y3); \
        } \
        Word a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4], f = hash[5], g = hash[6], h = hash[7]; \
        for (int t = 0; t < rounds; t++) { \
            Word one = h + (right(e, e1) ^ right(e, e2) ^ right(e, e3)) + ((e & f) ^ (~e & g)) + w[t] \
                + (Word)(constants[t] >> shift); \
            Word two = (right(a, a1) ^ right(a, a2) ^ right(a, a3)) + ((a & b) ^ (a & c) ^ (b & c)); \
            h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two; \
        } \
        hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d, hash[4] += e, hash[5] += f, hash[6] += g, hash[7] += h; \
    }

BLOCK(block256, uint32_t, load32, right32, 64, 32, 2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10)
BLOCK(block512, uint64_t, load64, right64, 80, 0, 28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6)

void b2c_sha1(const uint8_t *bytes, size_t count, uint8_t hash[20]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    digest(bytes, count, 64, state, block1);
    for (int index = 0; index < 5; index++) store32(hash + 4 * index, state[index]);
}

void b2c_sha256(const uint8_t *bytes, size_t count, uint8_t hash[32]) {
    uint32_t state[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    digest(bytes, count, 64, state, block256);
    for (int index = 0; index < 8; index++) store32(hash + 4 * index, state[index]);
}

void b2c_sha384(const uint8_t *bytes, size_t count, uint8_t hash[48]) {
    uint64_t state[8] = {
        0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
        0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
    };
    digest(bytes, count, 128, state, block512);
    for (int index = 0; index < 6; index++) store64(hash + 8 * index, state[index]);
}

void b2c_sha512(const uint8_t *bytes, size_t count, uint8_t hash[64]) {
    uint64_t state[8] = {
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    };
    digest(bytes, count, 128, state, block512);
    for (int index = 0; index < 8; index++) store64(hash + 8 * index, state[index]);
}
