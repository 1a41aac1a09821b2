/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_QUANTITY_TEXT_H
#define TESTS_UNIT_QUANTITY_TEXT_H

#include "libgang/kube/quantity.h"
#include "unit/suite.h"

/* A quantity that is valid. */
static inline struct quantity
quantity_from(const char *text)
{
    struct quantity quantity;

    ck_assert_msg(quantity_parse(slice_from_text(text), &quantity) <= QUANTITY_CAPPED,
                  "\"%s\" is no quantity", text);
    return quantity;
}

#endif
