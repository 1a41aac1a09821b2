/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_SCHEMA_LENGTHS_H
#define TESTS_UNIT_SCHEMA_LENGTHS_H

#include "libgang/document/schema.h"

#include "unit/suite.h"

/* What a table says of its fields beforehand must be so, down to the last schema. Returns how many fields it has. */
static inline size_t
check_schema_lengths(const struct schema *schema)
{
    size_t required = 0;
    size_t fields = schema->num_fields;

    ck_assert_msg(!schema->num_fields == !schema->lengths, "every object with fields has their lengths");
    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_field *field = &schema->fields[i];

        ck_assert_uint_eq(schema->lengths[i], strlen(field->name));
        ck_assert_ptr_eq(schema_find_field(schema, slice_from_text(field->name)), field);
        required += field->required;
        fields += check_schema_lengths(field->schema);
    }
    ck_assert_uint_eq(schema->num_required, required);
    if (schema->values)
        fields += check_schema_lengths(schema->values);
    return fields;
}

#endif
