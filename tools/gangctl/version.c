/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "exit.h"

static void
add_backends(struct text *out, const char *before, const char *between, const char *after)
{
    for (size_t i = 0; gang_backend_name(i); i++)
        text_addf(out, "%s%s%s%s", i ? between : "", before, gang_backend_name(i), after);
}

static void
version_as_text(struct text *out)
{
    text_addf(out, "gangctl   %s\nlibgang   %s\nsoname    %s\nbackends  ", GANG_VERSION_TEXT,
              gang_version_string(), GANGCTL_SONAME);
    add_backends(out, "", ", ", "");
    text_addf(out, "\nYAML      %s\n", gang_has_yaml() ? "yes" : "no");
}

static void
version_as_json(struct text *out)
{
    text_addf(out, "{\"gangctl\":\"%s\",\"libgang\":\"%s\",\"soname\":\"%s\",\"backends\":[",
              GANG_VERSION_TEXT, gang_version_string(), GANGCTL_SONAME);
    add_backends(out, "\"", ",", "\"");
    text_addf(out, "],\"yaml\":%s}\n", gang_has_yaml() ? "true" : "false");
}

static void
version_as_yaml(struct text *out)
{
    text_addf(out, "gangctl: \"%s\"\nlibgang: \"%s\"\nsoname: %s\nbackends:\n", GANG_VERSION_TEXT,
              gang_version_string(), GANGCTL_SONAME);
    add_backends(out, "- ", "", "\n");
    text_addf(out, "yaml: %s\n", gang_has_yaml() ? "true" : "false");
}

int
command_version(const struct options *options)
{
    struct text out = {0};
    bool printed;

    if (options->output == OUTPUT_UNSET || options->output == OUTPUT_TEXT)
        version_as_text(&out);
    else if (options->output == OUTPUT_JSON)
        version_as_json(&out);
    else
        version_as_yaml(&out);
    printed = print_data(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
