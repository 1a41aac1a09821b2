/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/diagnostic_table.h"
#include "libgang/base/report.h"

const struct diagnostic_entry *
diagnostic_entry_of(enum gang_code code)
{
    return &diagnostic_table[(size_t)code < diagnostic_rows_size ? diagnostic_rows[code] : 0];
}

int
gang_diagnostic_get_code(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? (int)diagnostic->code : 0;
}

const char *
gang_diagnostic_get_id(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic_entry_of(diagnostic->code)->id : NULL;
}

const char *
gang_diagnostic_get_reason(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic_entry_of(diagnostic->code)->reason : NULL;
}

enum gang_severity
gang_diagnostic_get_severity(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->severity : GANG_SEVERITY_NONE;
}

enum gang_document
gang_diagnostic_get_document(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->document : GANG_DOCUMENT_NONE;
}

const char *
gang_diagnostic_get_path(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->path : NULL;
}

uint32_t
gang_diagnostic_get_line(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->line : 0;
}

uint32_t
gang_diagnostic_get_column(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->column : 0;
}

const char *
gang_diagnostic_get_message(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->message : NULL;
}

const char *
gang_diagnostic_get_hint(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->hint : NULL;
}
