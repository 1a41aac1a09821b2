/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For Frama-C's Eva (`./dev analyze eva`): the arithmetic of quantities with every amount and every
 * factor. Eva must find no access outside an object and no undefined behaviour. It has none of
 * gcc's builtins, so what they mean is written here.
 */
#include <stddef.h>
#include <stdint.h>

#include "__fc_builtin.h"

static int
proof_add_signed(int64_t a, int64_t b, int64_t *sum)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return 1;
    *sum = a + b;
    return 0;
}

static int
proof_add_unsigned(uint64_t a, uint64_t b, uint64_t *sum)
{
    *sum = a + b;
    return *sum < a;
}

static int
proof_subtract(int64_t a, int64_t b, int64_t *difference)
{
    if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b)
        return 1;
    *difference = a - b;
    return 0;
}

static int
proof_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    *product = a * b;
    return b && a > UINT64_MAX / b;
}

/* Any result, which is more than the builtin can give. */
static int
proof_multiply_signed(int64_t *product)
{
    *product = Frama_C_long_interval(INT64_MIN, INT64_MAX);
    return Frama_C_interval(0, 1);
}

static int
proof_trailing_zeros(unsigned long long bits)
{
    int count = 0;

    while (count < 63 && !(bits & 1)) {
        bits >>= 1;
        count++;
    }
    return count;
}

#define PROOF_IS_SIGNED(to) ((__typeof__(*(to)))-1 < 0)
#define __builtin_add_overflow(a, b, to)                                                           \
    (PROOF_IS_SIGNED(to) ? proof_add_signed((int64_t)(a), (int64_t)(b), (int64_t *)(to))           \
                         : proof_add_unsigned((uint64_t)(a), (uint64_t)(b), (uint64_t *)(to)))
#define __builtin_sub_overflow(a, b, to) proof_subtract(a, b, to)
#define __builtin_mul_overflow(a, b, to)                                                           \
    (PROOF_IS_SIGNED(to) ? proof_multiply_signed((int64_t *)(to))                                  \
                         : proof_multiply((uint64_t)(a), (uint64_t)(b), (uint64_t *)(to)))
#define __builtin_ctzll(bits) proof_trailing_zeros(bits)

#include "libgang/base/format.c"
#include "libgang/base/text.c"
#include "libgang/kube/quantity.c"

static struct quantity
proof_any_quantity(void)
{
    return (struct quantity){
        .units = Frama_C_long_interval(-INT64_MAX, INT64_MAX),
        .nanos = Frama_C_unsigned_int_interval(0, QUANTITY_NANOS_PER_UNIT - 1),
        .format = Frama_C_interval(QUANTITY_DECIMAL_SI, QUANTITY_DECIMAL_EXPONENT),
    };
}

void
prove(void)
{
    const struct quantity other = proof_any_quantity();
    const int64_t factor = Frama_C_long_interval(INT64_MIN, INT64_MAX);
    struct quantity quantity = proof_any_quantity();
    char text[QUANTITY_TEXT_SIZE];

    quantity_compare(&quantity, &other);
    quantity_print(&quantity, text);
    quantity_add(&quantity, &other);
    quantity = proof_any_quantity();
    quantity_subtract(&quantity, &other);
    quantity = proof_any_quantity();
    quantity_multiply(&quantity, factor);
}
