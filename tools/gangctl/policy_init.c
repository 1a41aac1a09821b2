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
    "# Who gets a gang, and which one. Check it with: gangctl lint -p FILE\n"
    "# All that a policy can say: gangctl policy schema\n"
    "apiVersion: policy.libgang.dev/v1alpha1\n"
    "kind: GangPolicy\n"
    "metadata:\n"
    "  name: %s\n"
    "spec:\n"
    "  # The enabled schedulers. No job can choose another one.\n"
    "  backends:\n"
    "  - name: %s\n"
    "    type: %s\n"
    "    # As the scheduler is called in this cluster.\n"
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
    "  # A single node waits for nobody.\n"
    "  #- name: single-node\n"
    "  #  match: {maxNodes: 1}\n"
    "  #  action: Skip\n"
    "  # A team's jobs go to the queue of its namespace, whatever they ask for.\n"
    "  #- name: teams\n"
    "  #  match: {namespaces: [team-*]}\n"
    "  #  queue: {fromNamespace: {}, override: Always}\n"
    "  # Bounds, checked once everything is chosen.\n"
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
                 "  # What holds where neither the job, its runtime nor a rule says anything.\n"
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
        printed = print_text(&out);
    } else {
        fprintf(stderr, "error: this library cannot render for %s\n", options->scheduler);
    }
    text_free(&out);
    json_object_put(schedulers);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
