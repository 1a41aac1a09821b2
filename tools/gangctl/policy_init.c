/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "exit.h"

/* What differs between the first policies for each scheduler. */
struct first_policy {
    const char *name; /* of the library's backend */
    const char *type;
    const char *scheduler;
    const char *entry;    /* more of the backend's entry, in lines */
    const char *defaults; /* in lines */
};

static const struct first_policy first_policies[] = {
    {"volcano", "Volcano", "volcano", "",
     "  # What holds where neither the job, its runtime nor a rule says anything.\n"
     "  defaults:\n"
     "    queue: {name: default}\n"},
    {"coscheduling", "Coscheduling", "scheduler-plugins-scheduler", "",
     "  # What holds where neither the job, its runtime nor a rule says anything.\n"
     "  defaults:\n"
     "    scheduleTimeoutSeconds: 120\n"},
    {"kai", "KAI", "kai-scheduler",
     "    # Who makes the PodGroup: Delegate leaves it to KAI's podgrouper, Create renders it, Auto "
     "decides.\n"
     "    #podGroup: Auto\n",
     "  # What holds where neither the job, its runtime nor a rule says anything.\n"
     "  defaults:\n"
     "    queue: {name: default-queue}\n"},
    {"workload", "Workload", "default-scheduler",
     "    # Without it the newest version that the cluster serves is used.\n"
     "    #apiVersion: scheduling.k8s.io/v1beta1\n",
     ""},
};

/* Fields that are commented out have no blank behind the `#`, so that taking it out is enough; sentences have one. */
static const char head[] = "# Who gets a gang, and which one. Check it with: gangctl lint -p FILE\n"
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

static const char rules[] = "  # The first rule that matches a job decides about it.\n"
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

static bool
is_there(const char *name)
{
    for (size_t i = 0; i < gang_num_backends(); i++)
        if (strcmp(gang_backend_name(i), name) == 0)
            return true;
    return false;
}

static const struct first_policy *
find_policy(const char *name)
{
    for (size_t i = 0; i < sizeof(first_policies) / sizeof(first_policies[0]); i++)
        if (strcmp(first_policies[i].name, name) == 0 && is_there(name))
            return &first_policies[i];
    return NULL;
}

int
command_policy_init(const struct options *options)
{
    const struct first_policy *policy = find_policy(options->scheduler);
    struct text out = {0};
    bool printed;

    if (!policy) {
        fprintf(stderr, "error: this library cannot render for %s\n", options->scheduler);
        return EXIT_COULD_NOT_RUN;
    }
    text_addf(&out, head, policy->name, policy->name, policy->type, policy->scheduler, policy->entry,
              policy->name, policy->defaults);
    text_add(&out, rules);
    printed = print_text(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
