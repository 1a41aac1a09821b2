/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_SCHEMA_ORDER_H
#define TESTS_UNIT_SCHEMA_ORDER_H

#include "libgang/document/schema.h"

#include "unit/suite.h"

/* Fields stand in the order of their names, down to the last schema: the reference and the JSON Schema are read so. */
static inline void
check_schema_order(const struct schema *schema)
{
    for (size_t i = 0; i < schema->num_fields; i++) {
        ck_assert_msg(!i || strcmp(schema->fields[i - 1].name, schema->fields[i].name) < 0,
                      "%s stands behind %s", schema->fields[i].name, schema->fields[i ? i - 1 : 0].name);
        check_schema_order(schema->fields[i].schema);
    }
    if (schema->values)
        check_schema_order(schema->values);
}

#endif
