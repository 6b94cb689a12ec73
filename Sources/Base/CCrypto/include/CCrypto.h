// Hashes, AES-256, and the arithmetic of RSA and of the curve P-256, for machines without OpenSSL's libcrypto.
//
// In C, because packages that use the kit build it without optimization: there this is 30 times as fast as Swift. Numbers
// are big-endian. Nothing branches on a secret or reads memory at a place that depends on one.

#ifndef B2C_CCRYPTO_H
#define B2C_CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The longest modulus, in bytes: 16,384 bits, as OpenSSL has it.
enum { B2C_LONGEST_MODULUS = 2048 };

// FIPS 180-4.
void b2c_sha1(const uint8_t *bytes, size_t count, uint8_t hash[20]);
void b2c_sha256(const uint8_t *bytes, size_t count, uint8_t hash[32]);
void b2c_sha384(const uint8_t *bytes, size_t count, uint8_t hash[48]);
void b2c_sha512(const uint8_t *bytes, size_t count, uint8_t hash[64]);

/// One block of AES-256 (FIPS 197).
void b2c_aes256_encrypt(const uint8_t key[32], const uint8_t block[16], uint8_t result[16]);

/// GHASH (NIST SP 800-38D, section 6.4) of so many blocks of 16 bytes.
void b2c_ghash(const uint8_t key[16], const uint8_t *blocks, size_t count, uint8_t hash[16]);

/// A number of any length.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} B2CNumber;

/// An RSA private key (RFC 8017, section 3.2, the second form) with its public part.
typedef struct {
    B2CNumber modulus, exponent, p, q, dp, dq, inverse;
} B2CPrivateKey;

/// base ^ exponent modulo an odd modulus, as long as the modulus. False where the modulus is even, short or too long.
bool b2c_power(B2CNumber base, B2CNumber exponent, B2CNumber modulus, uint8_t *result);

/// The private operation (RFC 8017, section 5.1.2), as long as the modulus. False unless the public one undoes it.
bool b2c_rsa_private(B2CNumber message, const B2CPrivateKey *key, uint8_t *result);

/// The public point of a secret, x and y. False unless the secret is between 1 and the order of the curve.
bool b2c_p256_public(const uint8_t secret[32], uint8_t point[64]);

/// An ECDSA signature (FIPS 186-5, section 6.4.1), r and s. False where secret or nonce is out of range, or makes r or s zero.
bool b2c_p256_sign(const uint8_t hash[32], const uint8_t secret[32], const uint8_t nonce[32], uint8_t signature[64]);

#endif
