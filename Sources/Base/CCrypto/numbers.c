#include "CCrypto.h"

#include <string.h>

typedef uint64_t Limb;
typedef unsigned __int128 Wide;

enum { LIMBS = B2C_LONGEST_MODULUS / 8 };

/// A modulus, its number of limbs, and what Montgomery's multiplication needs of it. With R = 2^(64 * count).
typedef struct {
    const Limb *limbs;
    size_t count;
    /// -1 / modulus mod 2^64.
    Limb inverse;
    /// R^2 mod modulus: times R, as Montgomery multiplies.
    Limb square[LIMBS];
} Modulus;

// MARK: Limbs, the lowest first

static void load(Limb *limbs, size_t count, const uint8_t *bytes, size_t size) {
    memset(limbs, 0, count * sizeof(Limb));
    for (size_t index = 0; index < size; index++) limbs[index / 8] |= (Limb)bytes[size - 1 - index] << 8 * (index % 8);
}

static void store(uint8_t *bytes, size_t size, const Limb *limbs) {
    for (size_t index = 0; index < size; index++) bytes[size - 1 - index] = (uint8_t)(limbs[index / 8] >> 8 * (index % 8));
}

static Limb add(Limb *sum, const Limb *a, const Limb *b, size_t count) {
    Limb carry = 0;
    for (size_t index = 0; index < count; index++) {
        Wide wide = (Wide)a[index] + b[index] + carry;
        sum[index] = (Limb)wide, carry = (Limb)(wide >> 64);
    }
    return carry;
}

static Limb subtract(Limb *difference, const Limb *a, const Limb *b, size_t count) {
    Limb borrow = 0;
    for (size_t index = 0; index < count; index++) {
        Wide wide = (Wide)a[index] - b[index] - borrow;
        difference[index] = (Limb)wide, borrow = (Limb)(wide >> 64) & 1;
    }
    return borrow;
}

/// One of two without a branch: `a` where `flag` is 1, `b` where it is 0.
static void choose(Limb *chosen, Limb flag, const Limb *a, const Limb *b, size_t count) {
    for (size_t index = 0; index < count; index++) chosen[index] = b[index] ^ (-flag & (a[index] ^ b[index]));
}

static bool isZero(const Limb *a, size_t count) {
    Limb any = 0;
    for (size_t index = 0; index < count; index++) any |= a[index];
    return any == 0;
}

// MARK: Modulo

/// Takes away the modulus once where the value, with the carry above it, is not below it.
static void reduce(Limb *value, Limb carry, const Modulus *m) {
    Limb less[LIMBS];
    Limb borrow = subtract(less, value, m->limbs, m->count);
    choose(value, carry | (borrow ^ 1), less, value, m->count);
}

static void plus(Limb *sum, const Limb *a, const Limb *b, const Modulus *m) { reduce(sum, add(sum, a, b, m->count), m); }

static void minus(Limb *difference, const Limb *a, const Limb *b, const Modulus *m) {
    Limb again[LIMBS];
    Limb borrow = subtract(difference, a, b, m->count);
    add(again, difference, m->limbs, m->count);
    choose(difference, borrow, again, difference, m->count);
}

/// a * b / R. One of the two may be any number below R.
static void times(Limb *product, const Limb *a, const Limb *b, const Modulus *m) {
    size_t count = m->count;
    Limb sum[LIMBS + 2];
    memset(sum, 0, (count + 2) * sizeof(Limb));
    for (size_t i = 0; i < count; i++) {
        Limb carry = 0;
        for (size_t j = 0; j < count; j++) {
            Wide wide = (Wide)a[i] * b[j] + sum[j] + carry;
            sum[j] = (Limb)wide, carry = (Limb)(wide >> 64);
        }
        Wide top = (Wide)sum[count] + carry;
        sum[count] = (Limb)top, sum[count + 1] = (Limb)(top >> 64);
        Limb factor = sum[0] * m->inverse;
        carry = (Limb)(((Wide)factor * m->limbs[0] + sum[0]) >> 64);
        for (size_t j = 1; j < count; j++) {
            Wide wide = (Wide)factor * m->limbs[j] + sum[j] + carry;
            sum[j - 1] = (Limb)wide, carry = (Limb)(wide >> 64);
        }
        top = (Wide)sum[count] + carry;
        sum[count - 1] = (Limb)top, sum[count] = sum[count + 1] + (Limb)(top >> 64);
    }
    reduce(sum, sum[count], m);
    memcpy(product, sum, count * sizeof(Limb));
}

static bool prepare(Modulus *m, const Limb *limbs, size_t count) {
    if (count == 0 || count > LIMBS || (limbs[0] & 1) == 0 || limbs[count - 1] == 0) return false;
    m->limbs = limbs, m->count = count;
    Limb inverse = 1;
    // Each step doubles the bits that are right.
    for (int step = 0; step < 6; step++) inverse *= 2 - limbs[0] * inverse;
    m->inverse = -inverse;
    memset(m->square, 0, sizeof m->square);
    m->square[0] = 1;
    if (count == 1 && limbs[0] == 1) m->square[0] = 0;
    for (size_t bit = 0; bit < 128 * count; bit++) plus(m->square, m->square, m->square, m);
    return true;
}

/// A number of any length, times R.
static void enter(Limb *value, const Limb *number, size_t count, const Modulus *m) {
    Limb part[LIMBS], whole[LIMBS] = {0};
    for (size_t end = (count + m->count - 1) / m->count; end-- > 0;) {
        size_t begin = end * m->count, size = count - begin < m->count ? count - begin : m->count;
        memset(part, 0, sizeof part);
        memcpy(part, number + begin, size * sizeof(Limb));
        times(whole, whole, m->square, m);
        times(part, part, m->square, m);
        plus(whole, whole, part, m);
    }
    memcpy(value, whole, m->count * sizeof(Limb));
}

static void leave(Limb *number, const Limb *value, const Modulus *m) {
    Limb one[LIMBS] = {1};
    times(number, value, one, m);
}

/// value ^ exponent, both sides times R: four bits of the exponent at a time.
static void power(Limb *result, const Limb *value, const uint8_t *exponent, size_t size, const Modulus *m) {
    Limb table[16][LIMBS], one[LIMBS] = {1}, factor[LIMBS] = {0};
    enter(table[0], one, 1, m);
    for (int index = 1; index < 16; index++) times(table[index], table[index - 1], value, m);
    memcpy(result, table[0], m->count * sizeof(Limb));
    for (size_t window = 0; window < 2 * size; window++) {
        for (int step = 0; step < 4; step++) times(result, result, result, m);
        Limb digit = exponent[window / 2] >> (window % 2 == 0 ? 4 : 0) & 15;
        for (Limb index = 0; index < 16; index++) {
            // 1 where the two are the same.
            choose(factor, ((index ^ digit) - 1) >> 63, table[index], factor, m->count);
        }
        times(result, result, factor, m);
    }
}

// MARK: RSA

static size_t limbs(B2CNumber number) { return (number.count + 7) / 8; }

/// Reads a modulus into limbs of the caller's and prepares it.
static bool read(Modulus *m, Limb *own, B2CNumber number) {
    if (number.count == 0 || number.count > B2C_LONGEST_MODULUS || number.bytes[0] == 0) return false;
    load(own, limbs(number), number.bytes, number.count);
    return prepare(m, own, limbs(number));
}

bool b2c_power(B2CNumber base, B2CNumber exponent, B2CNumber modulus, uint8_t *result) {
    Modulus m;
    Limb own[LIMBS], number[LIMBS], value[LIMBS];
    if (base.count > B2C_LONGEST_MODULUS || !read(&m, own, modulus)) return false;
    load(number, limbs(base), base.bytes, base.count);
    enter(value, number, limbs(base), &m);
    power(number, value, exponent.bytes, exponent.count, &m);
    leave(value, number, &m);
    store(result, modulus.count, value);
    return true;
}

bool b2c_rsa_private(B2CNumber message, const B2CPrivateKey *key, uint8_t *result) {
    Modulus p, q;
    Limb ofP[LIMBS], ofQ[LIMBS], number[LIMBS], value[LIMBS], one[LIMBS], two[LIMBS];
    Limb whole[2 * LIMBS] = {0};
    if (message.count > key->modulus.count || key->modulus.count > B2C_LONGEST_MODULUS) return false;
    if (!read(&p, ofP, key->p) || !read(&q, ofQ, key->q)) return false;
    size_t count = limbs(key->modulus);
    if (p.count + q.count > LIMBS || p.count + q.count < count) return false;
    if (key->inverse.count > B2C_LONGEST_MODULUS) return false;
    load(number, limbs(message), message.bytes, message.count);
    // one = message ^ dp mod p, two = message ^ dq mod q; the result is two + q * (inverse * (one - two) mod p).
    enter(value, number, limbs(message), &q);
    power(two, value, key->dq.bytes, key->dq.count, &q);
    leave(two, two, &q);
    enter(value, number, limbs(message), &p);
    power(one, value, key->dp.bytes, key->dp.count, &p);
    enter(value, two, q.count, &p);
    minus(one, one, value, &p);
    load(number, limbs(key->inverse), key->inverse.bytes, key->inverse.count);
    enter(value, number, limbs(key->inverse), &p);
    times(one, one, value, &p);
    leave(one, one, &p);
    memcpy(whole, two, q.count * sizeof(Limb));
    for (size_t i = 0; i < p.count; i++) {
        Limb carry = 0;
        for (size_t j = 0; j < q.count; j++) {
            Wide wide = (Wide)one[i] * ofQ[j] + whole[i + j] + carry;
            whole[i + j] = (Limb)wide, carry = (Limb)(wide >> 64);
        }
        whole[i + q.count] = carry;
    }
    store(result, key->modulus.count, whole);
    // A wrong signature by one of the primes alone would reveal the other (Boneh, DeMillo and Lipton).
    uint8_t again[B2C_LONGEST_MODULUS];
    B2CNumber signature = {result, key->modulus.count};
    if (!b2c_power(signature, key->exponent, key->modulus, again)) return false;
    size_t ahead = key->modulus.count - message.count;
    for (size_t index = 0; index < ahead; index++) if (again[index] != 0) return false;
    return memcmp(again + ahead, message.bytes, message.count) == 0;
}

// MARK: P-256

/// FIPS 186-5 and SP 800-186, section 3.2.1.3.
static const Limb prime[4] = {0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001};
static const Limb order[4] = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000};
static const Limb coefficient[4] = {0x3bce3c3e27d2604b, 0x651d06b0cc53b0f6, 0xb3ebbd55769886bc, 0x5ac635d8aa3a93e7};
static const Limb generatorX[4] = {0xf4a13945d898c296, 0x77037d812deb33a0, 0xf8bce6e563a440f2, 0x6b17d1f2e12c4247};
static const Limb generatorY[4] = {0xcbb6406837bf51f5, 0x2bce33576b315ece, 0x8ee7eb4a7c0f9e16, 0x4fe342e2fe1a7f9b};

typedef struct {
    Limb x[4], y[4], z[4];
} Point;

/// The sum of any two points, also of one with itself or with the point at infinity (Renes, Costello and Batina 2015,
/// algorithm 4).
static Point sum(const Point *one, const Point *two, const Limb *b, const Modulus *m) {
    Limb t0[4], t1[4], t2[4], xy[4], yz[4], xz[4], u[4], v[4];
    // The product of two sums less the two products that are known.
#define CROSS(result, a1, a2, b1, b2, t, s) \
    plus(u, a1, a2, m), plus(v, b1, b2, m), times(result, u, v, m), minus(result, result, t, m), minus(result, result, s, m)
#define TRIPLE(value) plus(u, value, value, m), plus(value, value, u, m)
    times(t0, one->x, two->x, m), times(t1, one->y, two->y, m), times(t2, one->z, two->z, m);
    CROSS(xy, one->x, one->y, two->x, two->y, t0, t1);
    CROSS(yz, one->y, one->z, two->y, two->z, t1, t2);
    CROSS(xz, one->x, one->z, two->x, two->z, t0, t2);
    Limb x[4], y[4], z[4];
    Point result;
    times(x, b, t2, m), minus(x, xz, x, m), TRIPLE(x);
    minus(z, t1, x, m), plus(x, t1, x, m);
    TRIPLE(t2);
    times(y, b, xz, m), minus(y, y, t2, m), minus(y, y, t0, m), TRIPLE(y);
    TRIPLE(t0), minus(t0, t0, t2, m);
    times(u, xy, x, m), times(v, yz, y, m), minus(result.x, u, v, m);
    times(u, x, z, m), times(v, t0, y, m), plus(result.y, u, v, m);
    times(u, yz, z, m), times(v, xy, t0, m), plus(result.z, u, v, m);
    return result;
}

/// The affine coordinates of a multiple of the generator.
static void multiply(Limb x[4], Limb y[4], const uint8_t factor[32]) {
    Modulus m;
    prepare(&m, prime, 4);
    Limb b[4], one[4] = {1}, inverse[4], two[4] = {2}, exponent[4];
    Point generator, point = {{0}, {0}, {0}};
    enter(b, coefficient, 4, &m);
    enter(generator.x, generatorX, 4, &m);
    enter(generator.y, generatorY, 4, &m);
    enter(generator.z, one, 1, &m);
    memcpy(point.y, generator.z, sizeof point.y);
    for (int bit = 0; bit < 256; bit++) {
        point = sum(&point, &point, b, &m);
        Point next = sum(&point, &generator, b, &m);
        Limb flag = factor[bit / 8] >> (7 - bit % 8) & 1;
        choose(point.x, flag, next.x, point.x, 4);
        choose(point.y, flag, next.y, point.y, 4);
        choose(point.z, flag, next.z, point.z, 4);
    }
    uint8_t bytes[32];
    subtract(exponent, prime, two, 4);
    store(bytes, 32, exponent);
    power(inverse, point.z, bytes, 32, &m);
    times(x, point.x, inverse, &m), leave(x, x, &m);
    times(y, point.y, inverse, &m), leave(y, y, &m);
}

/// Whether a scalar is between 1 and the order.
static bool readScalar(Limb scalar[4], const uint8_t bytes[32]) {
    Limb less[4];
    load(scalar, 4, bytes, 32);
    return !isZero(scalar, 4) && subtract(less, scalar, order, 4) == 1;
}

bool b2c_p256_public(const uint8_t secret[32], uint8_t point[64]) {
    Limb scalar[4], x[4], y[4];
    if (!readScalar(scalar, secret)) return false;
    multiply(x, y, secret);
    store(point, 32, x);
    store(point + 32, 32, y);
    return true;
}

bool b2c_p256_sign(const uint8_t hash[32], const uint8_t secret[32], const uint8_t nonce[32], uint8_t signature[64]) {
    Limb d[4], k[4], h[4], r[4], s[4], y[4], two[4] = {2}, exponent[4];
    uint8_t bytes[32];
    Modulus n;
    prepare(&n, order, 4);
    if (!readScalar(d, secret) || !readScalar(k, nonce)) return false;
    multiply(r, y, nonce);
    reduce(r, 0, &n);
    load(h, 4, hash, 32);
    reduce(h, 0, &n);
    // s = (h + r * d) / k
    enter(d, d, 4, &n);
    times(s, r, d, &n);
    plus(s, s, h, &n);
    enter(k, k, 4, &n);
    subtract(exponent, order, two, 4);
    store(bytes, 32, exponent);
    power(y, k, bytes, 32, &n);
    times(s, s, y, &n);
    store(signature, 32, r);
    store(signature + 32, 32, s);
    return !isZero(r, 4) && !isZero(s, 4);
}
