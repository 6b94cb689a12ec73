// AES-256 (FIPS 197), one block, and GHASH (NIST SP 800-38D). No tables: a table is read at a place that depends on the key.

#include "CCrypto.h"

#include <string.h>

static uint8_t twice(uint8_t a) { return (uint8_t)((a << 1) ^ (0x1b & -(a >> 7))); }

static uint8_t product(uint8_t a, uint8_t b) {
    uint8_t sum = 0;
    for (int bit = 0; bit < 8; bit++) {
        sum ^= (uint8_t)(a & -((b >> bit) & 1));
        a = twice(a);
    }
    return sum;
}

static uint8_t rotated(uint8_t a, int bits) { return (uint8_t)((a << bits) | (a >> (8 - bits))); }

// The inverse is the 254th power.
static uint8_t substitute(uint8_t a) {
    uint8_t inverse = 1, power = a;
    for (int bit = 1; bit < 8; bit++) {
        power = product(power, power);
        inverse = product(inverse, power);
    }
    return (uint8_t)(inverse ^ rotated(inverse, 1) ^ rotated(inverse, 2) ^ rotated(inverse, 3) ^ rotated(inverse, 4) ^ 0x63);
}

void b2c_aes256_encrypt(const uint8_t key[32], const uint8_t block[16], uint8_t result[16]) {
    uint8_t words[240], constant = 1;
    memcpy(words, key, 32);
    for (size_t at = 32; at < sizeof words; at += 4) {
        uint8_t word[4];
        memcpy(word, words + at - 4, 4);
        if (at % 32 == 0) {
            uint8_t first = word[0];
            for (int i = 0; i < 4; i++) word[i] = substitute(i < 3 ? word[i + 1] : first);
            word[0] ^= constant;
            constant = twice(constant);
        } else if (at % 32 == 16) {
            for (int i = 0; i < 4; i++) word[i] = substitute(word[i]);
        }
        for (int i = 0; i < 4; i++) words[at + (size_t)i] = words[at - 32 + (size_t)i] ^ word[i];
    }
    uint8_t state[16];
    for (int i = 0; i < 16; i++) state[i] = block[i] ^ words[i];
    for (int round = 1; round <= 14; round++) {
        uint8_t moved[16];
        // A row moves by its number: byte i is in row i % 4 and column i / 4.
        for (int i = 0; i < 16; i++) moved[i] = substitute(state[(i + 4 * (i % 4)) % 16]);
        for (int column = 0; column < 16; column += 4) {
            const uint8_t *a = moved + column;
            uint8_t all = a[0] ^ a[1] ^ a[2] ^ a[3];
            for (int row = 0; row < 4; row++)
                state[column + row] = round == 14 ? a[row] : (uint8_t)(a[row] ^ all ^ twice(a[row] ^ a[(row + 1) % 4]));
        }
        for (int i = 0; i < 16; i++) state[i] ^= words[16 * round + i];
    }
    memcpy(result, state, 16);
}

void b2c_ghash(const uint8_t key[16], const uint8_t *blocks, size_t count, uint8_t hash[16]) {
    uint8_t sum[16] = {0};
    for (size_t block = 0; block < count; block++) {
        for (int i = 0; i < 16; i++) sum[i] ^= blocks[16 * block + (size_t)i];
        uint8_t next[16] = {0}, power[16];
        memcpy(power, key, 16);
        for (int bit = 0; bit < 128; bit++) {
            uint8_t mask = (uint8_t)-((sum[bit / 8] >> (7 - bit % 8)) & 1);
            for (int i = 0; i < 16; i++) next[i] ^= power[i] & mask;
            uint8_t low = power[15] & 1;
            for (int i = 15; i > 0; i--) power[i] = (uint8_t)((power[i] >> 1) | (power[i - 1] << 7));
            power[0] = (uint8_t)((power[0] >> 1) ^ (0xe1 & -low));
        }
        memcpy(sum, next, 16);
    }
    memcpy(hash, sum, 16);
}
