/* SPDX-License-Identifier: Apache-2.0 */
#include "audit_print.h"

#include <stdlib.h>

#include "print.h"

enum { FLUSH_BYTES = 1 << 16 };

static const struct audit_format *const formats[] = {
    [OUTPUT_UNSET] = &audit_table_format,   [OUTPUT_TEXT] = &audit_table_format,
    [OUTPUT_WIDE] = &audit_table_format,    [OUTPUT_JSON] = &audit_json_format,
    [OUTPUT_NDJSON] = &audit_ndjson_format, [OUTPUT_CSV] = &audit_csv_format,
    [OUTPUT_JUNIT] = &audit_junit_format,   [OUTPUT_YAML] = &audit_yaml_format,
};

void
audit_print_flush(struct audit_printer *printer, size_t at_least)
{
    bool is_document = printer->output == OUTPUT_JSON || printer->output == OUTPUT_NDJSON ||
                       printer->output == OUTPUT_YAML;

    if (printer->out.len < at_least || printer->failed)
        return;
    printer->failed = !print_as(&printer->out, is_document ? OUTPUT_JSON : OUTPUT_TEXT);
    printer->out.len = 0;
}

bool
audit_print_start(struct audit_printer *printer, enum output output, bool is_compared)
{
    *printer = (struct audit_printer){.output = output, .is_compared = is_compared};
    if (formats[output]->start)
        formats[output]->start(printer);
    return !printer->failed;
}

void
audit_print_row(struct audit_printer *printer, struct audit_pair *pair)
{
    formats[printer->output]->row(printer, pair);
    printer->printed++;
    audit_pair_free(pair);
    audit_print_flush(printer, FLUSH_BYTES);
}

void
audit_print_end(struct audit_printer *printer, struct audit_totals *totals)
{
    audit_totals_sort(totals);
    if (formats[printer->output]->end)
        formats[printer->output]->end(printer, totals);
    audit_print_flush(printer, 1);
}

void
audit_print_free(struct audit_printer *printer)
{
    for (size_t i = 0; i < printer->num_waiting; i++)
        audit_pair_free(&printer->waiting[i]);
    free(printer->waiting);
    text_free(&printer->out);
    if (printer->cases)
        fclose(printer->cases);
}
