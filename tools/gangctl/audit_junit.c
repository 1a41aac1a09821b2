/* SPDX-License-Identifier: Apache-2.0 */
#include "audit_print.h"
#include "print.h"
#include "xml.h"

static void
start(struct audit_printer *printer)
{
    printer->cases = tmpfile();
    printer->failed = !printer->cases;
    if (printer->failed)
        print_errorf("error: a temporary file cannot be created\n");
}

/* What makes the test of a job fail: NULL if it passes. */
static const char *
verdict_of(const struct audit_pair *pair)
{
    if (pair->is_compared)
        return "failure";
    if (pair->row.outcome == GANG_OUTCOME_DENIED)
        return "failure";
    return pair->row.outcome == GANG_OUTCOME_INVALID ? "error" : NULL;
}

static void
add_verdict(struct text *out, const struct audit_pair *pair, const char *verdict)
{
    const char *changed = pair->row.cells[COLUMN_CHANGED];

    text_addf(out, "    <%s", verdict);
    xml_add_attribute(out, "type", pair->is_compared ? "Changed" : pair->row.cells[COLUMN_OUTCOME]);
    xml_add_attribute(out, "message", changed ? changed : pair->row.cells[COLUMN_REASON]);
    text_add(out, ">");
    if (pair->is_compared && pair->old.cells[COLUMN_REASON])
        xml_add(out, pair->old.cells[COLUMN_REASON]);
    if (pair->is_compared)
        xml_add(out, " -> ");
    if (pair->row.cells[COLUMN_REASON])
        xml_add(out, pair->row.cells[COLUMN_REASON]);
    text_addf(out, "</%s>\n", verdict);
}

static void
add_case(struct audit_printer *printer, struct audit_pair *pair)
{
    const char *space = pair->row.cells[COLUMN_NAMESPACE];
    const char *verdict = verdict_of(pair);
    struct text text = {0};
    struct text name = {0};

    text_add(&text, "  <testcase");
    xml_add_attribute(&text, "classname", space ? space : "-");
    audit_row_add_title(&name, &pair->row);
    xml_add_attribute(&text, "name", name.data);
    text_add(&text, verdict ? ">\n" : "/>\n");
    if (verdict) {
        add_verdict(&text, pair, verdict);
        text_add(&text, "  </testcase>\n");
    }
    if (printer->cases && fwrite(text.data, 1, text.len, printer->cases) != text.len)
        printer->failed = true;
    text_free(&text);
    text_free(&name);
}

static void
copy_cases(struct audit_printer *printer)
{
    char bytes[16384];
    size_t got;

    if (!printer->cases || fflush(printer->cases))
        return;
    rewind(printer->cases);
    while ((got = fread(bytes, 1, sizeof(bytes), printer->cases)) > 0) {
        text_add_bytes(&printer->out, bytes, got);
        audit_print_flush(printer, 1 << 16);
    }
}

static void
end(struct audit_printer *printer, const struct audit_totals *totals)
{
    size_t denied = totals->by_outcome[GANG_OUTCOME_DENIED];
    size_t invalid = totals->by_outcome[GANG_OUTCOME_INVALID];

    text_add(&printer->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_addf(&printer->out,
              "<testsuites>\n<testsuite name=\"gangctl audit\" tests=\"%zu\" failures=\"%zu\" "
              "errors=\"%zu\">\n",
              printer->printed, printer->is_compared ? totals->changed : denied,
              printer->is_compared ? 0 : invalid);
    copy_cases(printer);
    text_add(&printer->out, "</testsuite>\n</testsuites>\n");
}

const struct audit_format audit_junit_format = {start, add_case, end};
