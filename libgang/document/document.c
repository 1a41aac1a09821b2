/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include "libgang/document/finding.h"
#include "libgang/document/reader.h"

bool
document_looks_like_json(struct slice text)
{
    size_t i = 0;

    while (i < text.len &&
           (text.data[i] == ' ' || text.data[i] == '\t' || text.data[i] == '\n' || text.data[i] == '\r'))
        i++;
    return i < text.len && text.data[i] == '{';
}

#ifndef GANG_WITH_YAML
const struct node *
yaml_read(const struct document_request *request, struct slice text)
{
    (void)text;
    find_in_document(request->report, GANG_CODE_YAML_NOT_BUILT, request->document,
                     "pass JSON, or use a build with YAML", "this build of the library reads JSON only");
    return NULL;
}
#endif

static const struct node *
document_require_map(const struct document_request *request, const struct node *root)
{
    struct finding_value value;

    if (!root || root->kind == NODE_MAP)
        return root;
    if (root->kind == NODE_NULL) {
        reader_report_empty(request);
        return NULL;
    }
    find_note(request->report, GANG_CODE_WRONG_TYPE, root, NULL,
              "Invalid value: %s: the document must be a mapping", finding_value(&value, root));
    return NULL;
}

const struct node *
document_read(const struct document_request *request, struct slice text)
{
    if (!reader_size_ok(request, text))
        return NULL;
    if (document_looks_like_json(text))
        return document_require_map(request, json_read(request, text));
    return document_require_map(request, yaml_read(request, text));
}

static bool
document_has_error_between(const struct report *report, int first, int last)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].severity == GANG_SEVERITY_ERROR && (int)report->items[i].code >= first &&
            (int)report->items[i].code <= last)
            return true;
    return false;
}

/* The hundreds of the registry: 1xx is about the text but for its kind, 2xx about limits. */
int
document_result(const struct report *report)
{
    if (document_has_error_between(report, GANG_CODE_LIMIT_DOCUMENT_BYTES, GANG_CODE_LIMIT_OUTPUT_BYTES))
        return GANG_ERROR_LIMIT;
    if (document_has_error_between(report, GANG_CODE_SYNTAX, GANG_CODE_WRONG_DOCUMENT - 1))
        return GANG_ERROR_SYNTAX;
    return GANG_ERROR_INVALID;
}
