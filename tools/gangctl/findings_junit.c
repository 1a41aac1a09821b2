/* SPDX-License-Identifier: Apache-2.0 */
#include "findings_junit.h"

#include "xml.h"

static void
add_names(struct text *out, const struct complaint *complaint)
{
    struct text name = {0};

    text_add(&name, complaint->id ? complaint->id : "gangctl");
    if (complaint->path && *complaint->path)
        text_addf(&name, " %s", complaint->path);
    xml_add_attribute(out, "classname", complaint->file ? complaint->file : "-");
    xml_add_attribute(out, "name", name.data);
    text_free(&name);
}

static void
add_case(struct text *out, const struct complaint *complaint)
{
    bool is_error = complaint->severity == GANG_SEVERITY_ERROR;
    const char *tag = is_error ? "failure" : "system-out";
    struct text message = {0};
    struct text text = {0};

    complaint_add_message(&message, complaint);
    complaint_add_text(&text, complaint);
    text_add(out, "  <testcase");
    add_names(out, complaint);
    text_addf(out, ">\n    <%s", tag);
    if (is_error) {
        xml_add_attribute(out, "type", complaint->reason ? complaint->reason : "error");
        xml_add_attribute(out, "message", message.data);
    }
    text_add(out, ">");
    xml_add(out, text.data);
    text_addf(out, "</%s>\n  </testcase>\n", tag);
    text_free(&message);
    text_free(&text);
}

void
findings_add_junit(struct text *out, const struct complaints *complaints,
                   const struct finding_counts *counts)
{
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    text_addf(out,
              "<testsuite name=\"gangctl lint\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
              complaints->count + 1, counts->errors);
    text_addf(out, "  <testcase classname=\"gangctl lint\" name=\"%zu documents checked\"/>\n",
              counts->documents);
    for (size_t i = 0; i < complaints->count; i++)
        add_case(out, &complaints->items[i]);
    text_add(out, "</testsuite>\n</testsuites>\n");
}
