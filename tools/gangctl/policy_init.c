/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "exit.h"
#include "schedulers.h"
#include "tree.h"

/*
 * Fields that are commented out have no blank after the `#`, so that removing it is enough;
 * sentences have one.
 */
static const char head[] =
    "# Which jobs get a gang, and of which scheduler. Check this file with: gangctl lint -p FILE\n"
    "# All fields of a policy: gangctl policy schema\n"
    "apiVersion: policy.libgang.dev/v1alpha1\n"
    "kind: GangPolicy\n"
    "metadata:\n"
    "  name: %s\n"
    "spec:\n"
    "  # The enabled schedulers. No job can choose another one.\n"
    "  backends:\n"
    "  - name: %s\n"
    "    type: %s\n"
    "    # The schedulerName in this cluster.\n"
    "    #schedulerName: %s\n"
    "%s"
    "  # For jobs whose runtime chooses no scheduler. Without it they get no gang.\n"
    "  defaultBackend: %s\n"
    "%s";

static const char rules[] =
    "  # The first rule that matches a job decides about it.\n"
    "  rules:\n"
    "  - name: system\n"
    "    match: {namespaces: [kube-*]}\n"
    "    action: Skip\n"
    "  # A job with a single node needs no gang.\n"
    "  #- name: single-node\n"
    "  #  match: {maxNodes: 1}\n"
    "  #  action: Skip\n"
    "  # Jobs of a team use the queue of its namespace, even if they name another.\n"
    "  #- name: teams\n"
    "  #  match: {namespaces: [team-*]}\n"
    "  #  queue: {fromNamespace: {}, override: Always}\n"
    "  # Checks of the gang. They choose no values.\n"
    "  #constraints:\n"
    "  #- name: sizes\n"
    "  #  match: {}\n"
    "  #  maxMembers: 512\n";

/* Adds each line of the text with an indent; nothing if there is no text. */
static void
add_indented(struct text *out, const char *text, const char *indent)
{
    while (text && *text) {
        size_t len = strcspn(text, "\n");

        text_add(out, indent);
        text_add_bytes(out, text, len);
        text_add(out, "\n");
        text += len + (text[len] == '\n');
    }
}

static void
add_policy(struct text *out, struct json_object *scheduler)
{
    const char *name = tree_text(scheduler, "name");
    struct json_object *starter = tree_member(scheduler, "starter");
    struct text entry = {0};
    struct text defaults = {0};

    add_indented(&entry, tree_text(starter, "entry"), "    ");
    if (tree_text(starter, "defaults"))
        text_add(&defaults,
                 "  # Values that apply if the job, its runtime and the matching rule set none.\n"
                 "  defaults:\n");
    add_indented(&defaults, tree_text(starter, "defaults"), "    ");
    text_addf(out, head, name, name, tree_text(scheduler, "type"),
              tree_text(scheduler, "schedulerName"), entry.len ? entry.data : "", name,
              defaults.len ? defaults.data : "");
    text_add(out, rules);
    text_free(&entry);
    text_free(&defaults);
}

int
command_policy_init(const struct options *options)
{
    struct json_object *schedulers = schedulers_read();
    struct json_object *scheduler = schedulers_find(schedulers, options->scheduler);
    struct text out = {0};
    bool printed = false;

    if (scheduler) {
        add_policy(&out, scheduler);
        printed = print_data(&out);
    } else {
        print_errorf("error: this library cannot render for %s\n", options->scheduler);
    }
    text_free(&out);
    json_object_put(schedulers);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
