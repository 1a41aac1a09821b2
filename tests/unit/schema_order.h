/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_SCHEMA_ORDER_H
#define TESTS_UNIT_SCHEMA_ORDER_H

#include "libgang/document/schema.h"

#include "unit/suite.h"

/*
 * Fields are sorted by name in every schema, as the reference and the JSON Schema need. The number
 * of required fields in a table is correct.
 */
static inline void
check_schema_order(const struct schema *schema)
{
    size_t required = 0;

    for (size_t i = 0; i < schema->num_fields; i++) {
        ck_assert_msg(!i || slice_compare(schema->fields[i - 1].name, schema->fields[i].name) < 0,
                      "%s stands behind %s", schema->fields[i].name.data,
                      schema->fields[i ? i - 1 : 0].name.data);
        required += schema->fields[i].required;
        check_schema_order(schema->fields[i].schema);
    }
    ck_assert(!schema->is_counted || schema->num_required == required);
    if (schema->values)
        check_schema_order(schema->values);
}

#endif
