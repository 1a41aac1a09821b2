/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "commands.h"

/* Behind the `#` a sentence has a blank, and a field none, so that removing it is enough. */
static const char head[] = /* named as the one that the operator puts in force */
    "# Which jobs get a gang, and of which scheduler. Check this file with: gangctl lint -p FILE\n"
    "# All fields of a policy: gangctl policy schema\n"
    "apiVersion: policy.libgang.dev/v1alpha1\n"
    "kind: GangPolicy\n"
    "metadata:\n"
    "  name: gang-policy\n"
    "spec:\n"
    "  # The enabled schedulers. No job can choose another one.\n"
    "  # A queue is for the jobs of its scheduler that name none.\n"
    "  backends:\n";

static const char backend[] = "  - name: %s\n"
                              "    type: %s\n"
                              "    # The schedulerName in this cluster.\n"
                              "    #schedulerName: %s\n";

static const char default_backend[] =
    "  # For jobs whose runtime chooses no scheduler. Without it they get no gang.\n"
    "  defaultBackend: %s\n";

static const char rules[] = "  # The first rule that matches a job decides about it.\n"
                            "  rules:\n"
                            "  - name: system\n"
                            "    match: {namespaces: [kube-*]}\n"
                            "    action: Skip\n"
                            "  # A job with a single node needs no gang.\n"
                            "  #- name: single-node\n"
                            "  #  match: {maxNodes: 1}\n"
                            "  #  action: Skip\n";

/* If one of the schedulers has queues. */
static const char team_rule[] =
    "  # Jobs of a team use the queue of its namespace, even if they name another.\n"
    "  #- name: teams\n"
    "  #  match: {namespaces: [team-*]}\n"
    "  #  queue: {fromNamespace: {}, override: Always}\n";

static const char constraints[] = "  # Checks of the gang. They choose no values.\n"
                                  "  #constraints:\n"
                                  "  #- name: sizes\n"
                                  "  #  match: {}\n"
                                  "  #  maxMembers: 512\n";

int
command_policy_init(struct run *run)
{
    const struct options *options = run->options;
    struct json_object *schedulers = schedulers_read();
    struct text *out = &run->out;
    bool has_queues = false;

    text_add(out, head);
    for (size_t i = 0; i < options->num_schedulers; i++) {
        struct json_object *scheduler = tree_find(schedulers, "name", options->schedulers[i]);
        const char *starter = tree_text(scheduler, "starter");

        text_addf(out, backend, tree_text(scheduler, "name"), tree_text(scheduler, "type"),
                  tree_text(scheduler, "schedulerName"));
        text_add_indented(out, starter, "    ", "    ");
        has_queues |= starter && strstr(starter, "queue:");
    }
    text_addf(out, default_backend, options->schedulers[0]);
    text_add(out, rules);
    text_add(out, has_queues ? team_rule : "");
    text_add(out, constraints);
    return EXIT_DONE;
}
