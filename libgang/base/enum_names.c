/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang.h>

#include "libgang/base/report.h"

static const char *const result_names[] = {
    [-GANG_OK] = "OK",
    [-GANG_ERROR_NO_MEMORY] = "NoMemory",
    [-GANG_ERROR_INVALID_ARGUMENT] = "InvalidArgument",
    [-GANG_ERROR_UNSUPPORTED_FLAG] = "UnsupportedFlag",
    [-GANG_ERROR_SYNTAX] = "Syntax",
    [-GANG_ERROR_LIMIT] = "Limit",
    [-GANG_ERROR_INVALID] = "Invalid",
    [-GANG_ERROR_DENIED] = "Denied",
};

static const char *const severity_names[] = {
    [GANG_SEVERITY_ERROR] = "error",
    [GANG_SEVERITY_WARNING] = "warning",
    [GANG_SEVERITY_INFO] = "info",
};

static const char *const document_type_names[] = {
    [GANG_DOCUMENT_RUNTIME] = "runtime",
    [GANG_DOCUMENT_TRAINJOB] = "trainjob",
    [GANG_DOCUMENT_POLICY] = "policy",
    [GANG_DOCUMENT_CLUSTER] = "cluster",
    [GANG_DOCUMENT_PODGANG] = "podgang",
    [GANG_DOCUMENT_PODCLIQUESET] = "podcliqueset",
    [GANG_DOCUMENT_LIVE] = "live",
    [GANG_DOCUMENT_POD] = "pod",
    [GANG_DOCUMENT_TOPOLOGYBINDING] = "topologybinding",
    [GANG_DOCUMENT_JOB] = "job",
};

static const char *const outcome_names[] = {
    [GANG_OUTCOME_GANG] = "Gang",
    [GANG_OUTCOME_NO_GANG] = "NoGang",
    [GANG_OUTCOME_DENIED] = "Denied",
    [GANG_OUTCOME_INVALID] = "Invalid",
};

static const char *const action_names[] = {
    [GANG_ACTION_CREATE] = "Create", [GANG_ACTION_APPLY] = "Apply",
    [GANG_ACTION_LEAVE] = "Leave",   [GANG_ACTION_RECREATE] = "Recreate",
    [GANG_ACTION_DELETE] = "Delete", [GANG_ACTION_CONFLICT] = "Conflict",
};

static const char *const target_names[] = {
    [GANG_TARGET_PLAN] = "plan",
    [GANG_TARGET_OBJECTS] = "objects",
    [GANG_TARGET_RUNTIME] = "runtime",
    [GANG_TARGET_JOB] = "job",
};

static const char *const format_names[] = {
    [GANG_FORMAT_JSON] = "json", [GANG_FORMAT_YAML] = "yaml", [GANG_FORMAT_SVG] = "svg",
    [GANG_FORMAT_ROW] = "row",   [GANG_FORMAT_TEXT] = "text", [GANG_FORMAT_HTML] = "html",
};

static const char *const patch_section_names[] = {
    [GANG_PATCH_LABELS] = "labels",
    [GANG_PATCH_ANNOTATIONS] = "annotations",
    [GANG_PATCH_SPEC] = "spec",
};

/* The index of a negative number is past every end. */
#define ENUM_NAME(names, value)                                                                    \
    ((size_t)(value) < COUNT_OF(names) ? (names)[(size_t)(value)] : NULL)

const char *
gang_result_name(int result)
{
    return result > 0 ? NULL : ENUM_NAME(result_names, -(int64_t)result);
}

const char *
gang_severity_name(int severity)
{
    return ENUM_NAME(severity_names, severity);
}

const char *
gang_document_type_name(int type)
{
    return ENUM_NAME(document_type_names, type);
}

const char *
gang_limit_name(int limit)
{
    return (size_t)limit < LIMIT_COUNT ? limit_table[limit].name : NULL;
}

const char *
gang_outcome_name(int outcome)
{
    return ENUM_NAME(outcome_names, outcome);
}

const char *
gang_action_name(int action)
{
    return ENUM_NAME(action_names, action);
}

const char *
gang_target_name(int target)
{
    return ENUM_NAME(target_names, target);
}

const char *
gang_format_name(int format)
{
    return ENUM_NAME(format_names, format);
}

const char *
gang_patch_section_name(int section)
{
    return ENUM_NAME(patch_section_names, section);
}

const char *
gang_code_name(int code)
{
    const struct diagnostic_entry *entry = diagnostic_entry_of((enum gang_code)code);

    return entry->code == (enum gang_code)code ? entry->reason : NULL;
}
