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

    if (schema_values(schema))
        check_schema_order(schema->values);
    if (schema->type != SCHEMA_OBJECT)
        return;
    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_row *field = schema_row(schema, i);
        const struct slice name = schema_row_name(field);
        const struct slice before = schema_row_name(schema_row(schema, i ? i - 1 : 0));

        ck_assert_uint_eq(strlen(name.data), name.len);
        ck_assert_msg(!i || slice_compare(before, name) < 0, "%s stands behind %s", name.data,
                      before.data);
        required += field->required;
        check_schema_order(schema_of(schema, field));
    }
    ck_assert_uint_eq(schema->num_required, required);
}

#endif
