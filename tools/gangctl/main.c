/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "exit.h"

static int
command_help(const struct options *options)
{
    struct text out = {0};
    bool printed;

    text_add(&out, usage_text(options->help_about));
    printed = print_text(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}

static int
run(const struct options *options)
{
    switch (options->command) {
    case COMMAND_RENDER:
        return command_render(options);
    case COMMAND_EXPLAIN:
        return command_explain(options);
    case COMMAND_VERSION:
        return command_version(options);
    case COMMAND_HELP:
    case COMMAND_NONE:
        break;
    }
    return command_help(options);
}

int
main(int argc, char **argv)
{
    struct options options;
    int status = EXIT_COULD_NOT_RUN;

    if (options_read(&options, argc, argv))
        status = run(&options);
    options_free(&options);
    return status;
}
