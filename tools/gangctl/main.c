/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"

int
main(int argc, char **argv)
{
    struct options options;
    struct run run = {.options = &options};
    struct step step;
    int status = EXIT_COULD_NOT_RUN;

    /* Opens closed standard streams: no other file gets their number, and using them still fails.
     */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    step_start(&step);
    schedulers_list_names();
    if (argc > 1 && strcmp(argv[1], "__complete") == 0)
        status = complete_words((const char *const *)argv + 2, (size_t)argc - 2);
    else if (options_read(&options, argc, argv))
        status = options.help_about || options.group || options.page ? command_help(&run)
                                                                     : options.verb->run(&run);
    if (run.out.len && !print_as(&run.out, options.output))
        status = EXIT_COULD_NOT_RUN;
    run_end();
    return status;
}
