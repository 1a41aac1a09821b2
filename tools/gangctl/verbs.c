/* SPDX-License-Identifier: Apache-2.0 */
#include "verbs.h"

#include "schedulers.h"

#include <string.h>

#include "commands.h"

const struct option_row option_table[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {"output", 'o', VALUE_WORD, "FORMAT", NULL},
    [OPTION_TARGET] = {"target", 0, VALUE_WORD, "TARGET", NULL},
    [OPTION_FILENAME] = {"filename", 'f', VALUE_FILE, "FILE",
                         "a file, a directory (*.yaml, *.yml, *.json, sorted by name) or - for\n"
                         "standard input; may be repeated"},
    [OPTION_RECURSIVE] = {"recursive", 'R', VALUE_NONE, NULL,
                          "look into subdirectories of -f too; hidden ones are skipped"},
    [OPTION_POLICY] = {"policy", 'p', VALUE_FILE, "FILE",
                       "the GangPolicy that the administrator wrote"},
    [OPTION_CLUSTER] = {"cluster", 0, VALUE_FILE, "FILE",
                        "a GangCluster: what is known of the cluster; 'gangctl cluster' makes it"},
    [OPTION_SCHEDULER] = {"scheduler", 0, VALUE_WORD, "NAME", NULL},
    [OPTION_COMPLETE] = {"complete", 0, VALUE_NONE, NULL,
                         "the input lists all queues, runtime classes and limit ranges: where it\n"
                         "holds none of a kind, the cluster has none, instead of not known"},
    [OPTION_WORKLOAD_UID] = {"workload-uid", 0, VALUE_WORD, "UID",
                             "metadata.uid of the Workload that was created, which then owns its\n"
                             "PodGroups; for an input with one TrainJob"},
    [OPTION_LIVE] = {"live", 0, VALUE_FILE, "FILE",
                     "the objects that exist, as 'kubectl get -o yaml' prints them, or - for\n"
                     "standard input"},
    [OPTION_STRICT] = {"strict", 0, VALUE_NONE, NULL,
                       "unknown fields of a runtime or trainjob are errors instead of warnings"},
    [OPTION_FAIL_ON_WARN] = {"fail-on-warn", 0, VALUE_NONE, NULL,
                             "exit 1 when there is a warning, too"},
    [OPTION_VERBOSE] = {"verbose", 'v', VALUE_NONE, NULL, "print infos too"},
    [OPTION_HELP] = {"help", 'h', VALUE_NONE, NULL, "print this help"},
};

static const char *const yaml_or_json[] = {"yaml", "json", NULL};
static const char *const text_or_json[] = {"text", "json", NULL};
static const char *const report_formats[] = {"text", "json", "github", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};
static const char *const json_or_yaml[] = {"json", "yaml", NULL};
static const char *const targets[] = {"objects", "plan", NULL};

static const struct verb_option render_options[] = {
    {OPTION_OUTPUT, yaml_or_json,
     "yaml (default: documents parted by ---) or json (one document a line)"},
    {OPTION_TARGET, targets,
     "objects (default), or plan: one GangPlan for each TrainJob, with the\n"
     "marks for its pods, the findings and the trace"},
    {.id = OPTION_FILENAME},
    {.id = OPTION_RECURSIVE},
    {.id = OPTION_POLICY},
    {.id = OPTION_CLUSTER},
    {.id = OPTION_WORKLOAD_UID},
    {.id = OPTION_STRICT},
    {.id = OPTION_VERBOSE},
    {.id = OPTION_NONE},
};

static const char *const actions_or_plan[] = {"text", "yaml", "json", NULL};

static const struct verb_option reconcile_options[] = {
    {OPTION_OUTPUT, actions_or_plan,
     "text (default: one object a line, with what to do), yaml or json (a\n"
     "document for each job, see --target)"},
    {OPTION_TARGET, targets,
     "plan (default): one GangPlan for each job, with the action of every\n"
     "object; or objects: only those to create or to write, in order"},
    {.id = OPTION_LIVE},
    {.id = OPTION_FILENAME},
    {.id = OPTION_RECURSIVE},
    {.id = OPTION_POLICY},
    {.id = OPTION_CLUSTER},
    {.id = OPTION_STRICT},
    {.id = OPTION_VERBOSE},
    {.id = OPTION_NONE},
};

static const struct verb_option explain_options[] = {
    {OPTION_OUTPUT, yaml_or_json,
     "yaml or json: the whole GangPlan instead of the report, also of a\n"
     "refused job"},
    {.id = OPTION_FILENAME},
    {.id = OPTION_RECURSIVE},
    {.id = OPTION_POLICY},
    {.id = OPTION_CLUSTER},
    {.id = OPTION_STRICT},
    {OPTION_VERBOSE, NULL, "print infos too, with the defaults that were applied"},
    {.id = OPTION_NONE},
};

static const struct verb_option lint_options[] = {
    {OPTION_OUTPUT, report_formats,
     "text (default: one finding a line), json (one document), or github\n"
     "(annotations of a workflow run)"},
    {.id = OPTION_FILENAME},
    {.id = OPTION_RECURSIVE},
    {.id = OPTION_POLICY},
    {.id = OPTION_CLUSTER},
    {.id = OPTION_STRICT},
    {.id = OPTION_FAIL_ON_WARN},
    {.id = OPTION_VERBOSE},
    {.id = OPTION_NONE},
};

static const struct verb_option policy_init_options[] = {
    {OPTION_SCHEDULER, scheduler_names, "name of a backend, as `gangctl backends` lists it"},
    {.id = OPTION_NONE},
};

static const struct verb_option policy_schema_options[] = {
    {OPTION_OUTPUT, json_or_yaml, "json (default) or yaml"},
    {.id = OPTION_NONE},
};

static const struct verb_option policy_test_options[] = {
    {OPTION_OUTPUT, report_formats,
     "text (default: one case a line), json (one document), or github\n"
     "(annotations of a workflow run)"},
    {.id = OPTION_RECURSIVE, .help = "look into subdirectories too; hidden ones are skipped"},
    {.id = OPTION_POLICY,
     .help = "hold this GangPolicy against the cases instead of the one they name"},
    {.id = OPTION_CLUSTER, .help = "the same with this GangCluster"},
    {.id = OPTION_STRICT},
    {.id = OPTION_NONE},
};

static const struct verb_option cluster_options[] = {
    {OPTION_OUTPUT, yaml_or_json, "yaml (default) or json"},
    {.id = OPTION_FILENAME},
    {.id = OPTION_RECURSIVE},
    {.id = OPTION_COMPLETE},
    {.id = OPTION_NONE},
};

static const struct verb_option version_options[] = {
    {OPTION_OUTPUT, yaml_or_json, "yaml or json"},
    {.id = OPTION_NONE},
};

static const struct verb_option backends_options[] = {
    {OPTION_OUTPUT, text_or_json, "text (default: one version a line) or json (one document)"},
    {.id = OPTION_NONE},
};

static const struct verb_option no_options[] = {{.id = OPTION_NONE}};

const struct verb verb_table[] = {
    {
        .name = "render",
        .synopsis = "-f FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print the objects to apply, or the whole plan",
        .run = command_render,
        .options = render_options,
        .needs_input = true,
        .reads_jobs = true,
        .about = "Print the objects that the gangs of all TrainJobs in the input need, in the "
                 "order to apply.\n"
                 "Nothing is printed on standard output unless every TrainJob can be rendered. A "
                 "job that wants "
                 "no\n"
                 "gang adds nothing.\n",
        .examples =
            "  # the PodGroup of one job\n"
            "  gangctl render -f runtime.yaml -f trainjob.yaml\n"
            "\n"
            "  # everything that was decided, for a program\n"
            "  gangctl render -f jobs/ --target plan -o json | jq .gang.minimum\n"
            "\n"
            "  # what the API server thinks of it\n"
            "  gangctl render -f jobs/ | kubectl apply --dry-run=server --validate=strict -f -\n",
    },
    {
        .name = "reconcile",
        .synopsis = "-f FILE --live FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print what to do with the objects that exist",
        .run = command_reconcile,
        .options = reconcile_options,
        .needs_input = true,
        .reads_jobs = true,
        .about =
            "Compare the objects that the gangs of all TrainJobs need with those that exist, and "
            "print "
            "for each\n"
            "what to do: Create, Apply (write the live object brought up to date), Leave, Recreate "
            "(delete it,\n"
            "wait until it is gone, create it), Delete, or Conflict: somebody else's, or in use, "
            "so "
            "that nothing\n"
            "of that job must be written. --live takes the schedulers' objects of the jobs' "
            "namespaces, "
            "the jobs\n"
            "themselves (for their uid and whether they have ended) and their pods; everything "
            "else is "
            "passed\n"
            "over. A ClusterTopologyBinding of Grove in the input is compared with KAI's Topology "
            "of it. No\n"
            "cluster is contacted.\n",
        .examples = "  kubectl get podgroups.scheduling.volcano.sh,trainjobs,pods -n ml -o yaml "
                    ">live.yaml\n"
                    "  gangctl reconcile -f runtime.yaml -f trainjob.yaml --live live.yaml\n"
                    "\n"
                    "  # create what is missing, and bring up to date what exists\n"
                    "  gangctl reconcile -f jobs/ --live live.yaml -o json >plan.json\n"
                    "  jq '.objects[] | select(.action == \"Create\").object' plan.json | kubectl "
                    "create -f -\n"
                    "  jq '.objects[] | select(.action == \"Apply\").object' plan.json | kubectl "
                    "replace -f -\n",
        .exit_statuses =
            "  0  done\n"
            "  1  an object is in Conflict, an input is wrong, or a policy forbids a job\n"
            "  2  the command line is wrong, a file cannot be read, or something inside failed\n",
    },
    {
        .name = "explain",
        .synopsis = "-f FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print what was decided, and what lost, for people",
        .run = command_explain,
        .options = explain_options,
        .needs_input = true,
        .reads_jobs = true,
        .about =
            "Print for each job what was decided and why: backend, queue, members, minimum, the "
            "choices\n"
            "that lost, and every finding with its place. Exits 1 when the outcome of a job is "
            "DENIED or\n"
            "INVALID.\n",
        .examples =
            "  gangctl explain -f runtime.yaml -f trainjob.yaml\n"
            "  kubectl get clustertrainingruntimes,trainjobs -A -o yaml | gangctl explain -f -\n",
    },
    {
        .name = "lint",
        .synopsis = "-f FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print every finding, for people, programs or GitHub",
        .run = command_lint,
        .options = lint_options,
        .reads_jobs = true,
        .about =
            "Print on standard output everything there is to say about the documents of the input: "
            "runtimes,\n"
            "TrainJobs, PodGangs and PodCliqueSets of Grove, policies (GangPolicy) and facts about "
            "clusters\n"
            "(GangCluster), each by itself, and each TrainJob or PodGang together with its runtime "
            "or\n"
            "PodCliqueSet where that is among them. With -p and --cluster they are judged by that "
            "policy "
            "and\n"
            "those facts, which are checked too; a GangPolicy or GangCluster of the input is only "
            "checked.\n"
            "-p and --cluster may stand without -f.\n",
        .examples = "  gangctl lint -f runtimes/ -f jobs/ -p policy.yaml\n"
                    "  gangctl lint -p policy.yaml --fail-on-warn\n"
                    "\n"
                    "  # in a GitHub workflow\n"
                    "  kustomize build . | gangctl lint -f - -o github\n",
        .exit_statuses =
            "  0  no errors; there may be warnings\n"
            "  1  there is an error, or with --fail-on-warn a warning\n"
            "  2  the command line is wrong, a file cannot be read, or something inside failed\n",
    },
    {
        .name = "policy init",
        .synopsis = "--scheduler NAME",
        .summary = "print a first policy for one scheduler",
        .run = command_policy_init,
        .options = policy_init_options,
        .about = "Print a small GangPolicy to start from. Its comments say what each part is for, "
                 "and fields "
                 "that are\n"
                 "commented out show what else could be said.\n",
        .examples = "  gangctl policy init --scheduler volcano >policy.yaml\n"
                    "  gangctl lint -p policy.yaml\n",
    },
    {
        .name = "policy schema",
        .synopsis = "[-o json|yaml]",
        .summary = "print the JSON Schema of policies",
        .run = command_policy_schema,
        .options = policy_schema_options,
        .about = "Print the JSON Schema (draft 2020-12) of a GangPolicy with the backends of this "
                 "library, for\n"
                 "editors and other programs. gangctl lint knows more: how fields go together.\n",
        .examples =
            "  gangctl policy schema >gangpolicy.json\n"
            "\n"
            "  # the first line of a policy, for editors that speak to the YAML language server\n"
            "  # yaml-language-server: $schema=gangpolicy.json\n",
    },
    {
        .name = "policy test",
        .synopsis = "DIR [-p POLICY] [flags]",
        .summary = "hold a policy against cases with their outcome",
        .run = command_policy_test,
        .options = policy_test_options,
        .argument = {"DIR", false, VALUE_DIRECTORY, NULL},
        .about = "Read every GangPolicyTest of a directory or file, resolve each of its cases "
                 "under the policy "
                 "that\n"
                 "it names, and compare the outcome with what the case expects. Names of files "
                 "count from the\n"
                 "file that names them.\n",
        .examples = "  gangctl policy test examples/policy-tests\n"
                    "\n"
                    "  # would tomorrow's policy still do what today's does?\n"
                    "  gangctl policy test tests/ -p new-policy.yaml\n",
        .exit_statuses =
            "  0  every case came to what it expects\n"
            "  1  a case came to something else, a test is wrong, or there is none\n"
            "  2  the command line is wrong, a file cannot be read, or something inside failed\n",
    },
    {
        .name = "cluster",
        .synopsis = "-f FILE [flags]",
        .summary = "make the facts about a cluster out of what kubectl prints",
        .run = command_cluster,
        .options = cluster_options,
        .needs_input = true,
        .about = "Print the GangCluster that --cluster takes. Reads objects as kubectl prints "
                 "them, in YAML or\n"
                 "JSON: CustomResourceDefinitions, Namespaces, PriorityClasses, RuntimeClasses, "
                 "LimitRanges, the\n"
                 "Queues of Volcano and KAI, Deployments (for versions). And what these commands "
                 "print:\n"
                 "  kubectl version -o json\n"
                 "  kubectl api-versions\n"
                 "  kubectl get --raw /apis/GROUP/VERSION\n"
                 "  kubectl get --raw /metrics | grep kubernetes_feature_enabled\n"
                 "Several of them may stand in one file, parted by lines of ---. Everything else "
                 "is ignored, and\n"
                 "standard error says what, and what stays unknown. No cluster is contacted.\n",
        .examples = "  {\n"
                    "    kubectl get crd,ns,priorityclass,runtimeclass,limitrange,deploy -A -o "
                    "yaml; echo ---\n"
                    "    kubectl version -o json; echo ---\n"
                    "    kubectl api-versions\n"
                    "  } | gangctl cluster -f - > cluster.yaml\n"
                    "  gangctl render -f jobs/ --cluster cluster.yaml\n",
    },
    {
        .name = "backends",
        .synopsis = "[-o text|json]",
        .summary = "print the backends with their versions and what they lack",
        .run = command_backends,
        .options = backends_options,
        .about = "Print every backend that this build can render: the versions of its objects, in "
                 "order of\n"
                 "preference, what marks a pod, the scheduler, and what its objects have no place "
                 "for. Feature\n"
                 "gates stand behind the fields that they drop when they are off.\n",
        .examples = "  gangctl backends\n"
                    "  gangctl backends -o json | jq '.backends[].versions[].apiVersion'\n",
    },
    {
        .name = "version",
        .synopsis = "[-o yaml|json]",
        .summary = "print versions and what this build can do",
        .run = command_version,
        .options = version_options,
        .about = "Print the version of gangctl and of the library it runs with, the library's "
                 "soname, the "
                 "backends\n"
                 "it can render, and whether it reads YAML.\n",
        .examples = "  gangctl version\n"
                    "  gangctl version -o json\n",
    },
    {
        .name = "completion",
        .synopsis = "bash|zsh|fish",
        .summary = "print a script that completes gangctl's words",
        .run = command_completion,
        .options = no_options,
        .argument = {"SHELL", false, VALUE_WORD, shells},
        .about = "Print a script that lets a shell complete the commands, options and values of "
                 "gangctl.\n",
        .examples = "  # bash: in ~/.bashrc\n"
                    "  source <(gangctl completion bash)\n"
                    "\n"
                    "  # zsh: in a folder of $fpath\n"
                    "  gangctl completion zsh > ~/.zfunc/_gangctl\n"
                    "\n"
                    "  # fish\n"
                    "  gangctl completion fish > ~/.config/fish/completions/gangctl.fish\n",
        .exit_statuses = "  0  done\n"
                         "  2  the command line is wrong, or standard output cannot be written\n",
    },
    {
        .name = "help",
        .synopsis = "[COMMAND]",
        .summary = "print the help of a command",
        .run = command_help,
        .options = no_options,
        .argument = {"COMMAND", true, VALUE_WORD, NULL},
        .about = "Print the help of a command, or of gangctl.\n",
        .examples = "  gangctl help\n"
                    "  gangctl help render\n",
    },
};
const size_t num_verbs = sizeof(verb_table) / sizeof(verb_table[0]);

/* "policy test" is named by the words "policy" and "test". */
static bool
is_named(const struct verb *verb, const char *first, const char *second)
{
    size_t len = strlen(first);

    if (strncmp(verb->name, first, len) != 0)
        return false;
    return verb->name[len] == '\0' ||
           (second && verb->name[len] == ' ' && !strcmp(verb->name + len + 1, second));
}

size_t
verb_find(const char *const *words, size_t count, const struct verb **verb)
{
    *verb = NULL;
    for (size_t i = 0; i < num_verbs && count; i++) {
        if (!is_named(&verb_table[i], words[0], count > 1 ? words[1] : NULL))
            continue;
        *verb = &verb_table[i];
        return strchr(verb_table[i].name, ' ') ? 2 : 1;
    }
    return 0;
}

bool
verb_is_below(const struct verb *verb, const char *group)
{
    size_t len = group ? strlen(group) : 0;

    return !group || (strncmp(verb->name, group, len) == 0 && verb->name[len] == ' ');
}

bool
verb_is_group(const char *word)
{
    for (size_t i = 0; i < num_verbs; i++) {
        if (verb_is_below(&verb_table[i], word))
            return true;
    }
    return false;
}

const struct verb_option *
verb_option_of(const struct verb *verb, enum option_id id)
{
    static const struct verb_option help = {.id = OPTION_HELP};

    for (const struct verb_option *option = verb->options; option->id != OPTION_NONE; option++) {
        if (option->id == id)
            return option;
    }
    return id == OPTION_HELP ? &help : NULL;
}
