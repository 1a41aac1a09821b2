/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"

#define VERB_COULD_NOT_RUN                                                                         \
    "  2  the command line is wrong, a file cannot be read, or an internal error occurred\n"

static const char *const yaml_or_json[] = {"yaml", "json", NULL};
static const char *const explain_formats[] = {"text", "yaml", "json", "svg", "html", NULL};
static const char *const why_formats[] = {"text", "yaml", "json", "svg", NULL};
static const char *const text_yaml_or_json[] = {"text", "yaml", "json", NULL};
static const char *const lint_formats[] = {"text",  "json",  "yaml", "github",
                                           "sarif", "junit", NULL};
static const char *const schema_kinds[] = {"GangPolicy", "GangCluster", "GangJob", "GangPolicyTest",
                                           NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};
static const char *const json_or_yaml[] = {"json", "yaml", NULL};
static const char *const render_targets[] = {"objects", "plan", "runtime", "job", NULL};
static const char *const reconcile_targets[] = {"objects", "plan", NULL};

/* An option with the help that all verbs have, and those that verbs have together. */
#define USUAL(option)                                                                              \
    {                                                                                              \
        OPTION_##option, NULL, NULL                                                                \
    }
#define INPUTS USUAL(FILENAME), USUAL(RECURSIVE), USUAL(FOLLOW)
#define SETTINGS USUAL(POLICY), USUAL(CLUSTER)
#define JOBS INPUTS, SETTINGS, USUAL(JOB), USUAL(NAMESPACE), USUAL(SELECTOR)
#define GANGS USUAL(JOB), USUAL(GANG), USUAL(NAMESPACE), USUAL(SELECTOR)
#define EXISTING USUAL(LIVE), USUAL(WAKE), USUAL(ADOPT)
#define READING USUAL(FALL_BACK), USUAL(MAX_DOCUMENTS), USUAL(STRICT)
#define END USUAL(NONE)

static const struct verb_option render_options[] = {
    {OPTION_OUTPUT, yaml_or_json,
     "yaml (default: documents separated by ---) or json (one document a line)"},
    {OPTION_TARGET, render_targets,
     "objects (default); plan: one GangPlan for each gang, with the\n"
     "marks for its pods, the diagnostics and the trace; runtime: the runtimes\n"
     "without podGroupPolicy and with schedulerName; job: the TrainJobs with\n"
     "the marks in runtimePatches, other jobs with them in their pod templates.\n"
     "Apply objects, runtime and job together"},
    INPUTS,
    SETTINGS,
    GANGS,
    USUAL(WORKLOAD_UID),
    USUAL(RUN_NUMBER),
    READING,
    USUAL(VERBOSE),
    END};

static const char *const which_objects[] = {"with", "only", "none", NULL};

static const struct verb_option transform_options[] = {
    {OPTION_OBJECTS, which_objects,
     "with (default): the objects of a gang follow its job; only: print them\n"
     "alone; none: leave them out"},
    INPUTS,
    SETTINGS,
    READING,
    USUAL(VERBOSE),
    END};

static const struct verb_option reconcile_options[] = {
    {OPTION_OUTPUT, text_yaml_or_json,
     "text (default: one object a line, with what to do), yaml or json (a\n"
     "document for each job, see --target)"},
    {OPTION_TARGET, reconcile_targets,
     "plan (default): one GangPlan for each job, with the action of every\n"
     "object; or objects: only those to create or to write, in order"},
    EXISTING,
    INPUTS,
    SETTINGS,
    GANGS,
    USUAL(RUN_NUMBER),
    READING,
    {OPTION_VERBOSE, NULL,
     "print infos too, and with text the fields that change and who set them"},
    END};

static const struct verb_option diff_options[] = {
    {OPTION_OUTPUT, text_yaml_or_json,
     "text (default: a unified diff), yaml or json (one document with the fields\n"
     "that change)"},
    EXISTING,
    JOBS,
    USUAL(RUN_NUMBER),
    READING,
    USUAL(VERBOSE),
    END};

static const struct verb_option explain_options[] = {
    {OPTION_OUTPUT, explain_formats,
     "text (default: a report for people), yaml or json (the whole GangPlan,\n"
     "also of a refused job), svg (a picture of one job, its start order and\n"
     "gang), or html (the report as a fragment of a page)"},
    INPUTS,
    SETTINGS,
    USUAL(RUN_NUMBER),
    USUAL(FALL_BACK),
    GANGS,
    USUAL(MAX_DOCUMENTS),
    USUAL(STRICT),
    {OPTION_VERBOSE, NULL,
     "print infos too, the line of each source, and attributes without a value"},
    END};

static const struct verb_option why_options[] = {
    {OPTION_OUTPUT, why_formats,
     "text (default: the cause, what shows it, and what to do), yaml or json (a\n"
     "GangWhy for each gang), or svg (a picture of one gang)"},
    USUAL(LIVE),
    USUAL(FROM),
    USUAL(NOW),
    {.id = OPTION_FILENAME,
     .help = "the job with its runtime: a file, a directory (*.yaml, *.yml, *.json) or -;\n"
             "may be repeated. Without it the jobs are those among the objects"},
    USUAL(RECURSIVE),
    USUAL(FOLLOW),
    SETTINGS,
    GANGS,
    USUAL(MAX_DOCUMENTS),
    END};

static const char *const audit_formats[] = {"text",   "wide", "json",  "yaml",
                                            "ndjson", "csv",  "junit", NULL};

static const struct verb_option audit_options[] = {
    {OPTION_OUTPUT, audit_formats,
     "text (default: one job a line), wide (with more columns), json or yaml\n"
     "(one document), ndjson (one document a line), csv or junit"},
    USUAL(AGAINST),
    USUAL(LIVE),
    USUAL(NOW),
    JOBS,
    USUAL(FALL_BACK),
    USUAL(STRICT),
    END};

static const struct verb_option roles_options[] = {
    {OPTION_OUTPUT, yaml_or_json,
     "yaml (default: documents separated by ---) or json (one document a line)"},
    INPUTS,
    GANGS,
    USUAL(MAX_DOCUMENTS),
    USUAL(STRICT),
    USUAL(VERBOSE),
    END};

static const struct verb_option lint_options[] = {
    {OPTION_OUTPUT, lint_formats,
     "text (default: one diagnostic a line), json or yaml (one document), github\n"
     "(annotations of a workflow run), sarif (2.1.0) or junit"},
    JOBS,
    READING,
    USUAL(FAIL_ON_WARN),
    USUAL(VERBOSE),
    END};

static const struct verb_option policy_init_options[] = {
    {OPTION_SCHEDULER, scheduler_names,
     "name of a backend, as `gangctl backends` lists it; may be repeated, the\n"
     "first is the default"},
    END};

static const struct verb_option policy_schema_options[] = {
    {OPTION_OUTPUT, json_or_yaml, "json (default) or yaml"}, END};

static const struct verb_option policy_test_options[] = {
    {OPTION_OUTPUT, lint_formats,
     "text (default: one case a line), json or yaml (one document), github\n"
     "(annotations of a workflow run), sarif (2.1.0) or junit"},
    {.id = OPTION_RECURSIVE, .help = "look into subdirectories too; hidden ones are skipped"},
    USUAL(FOLLOW),
    {.id = OPTION_POLICY,
     .help = "run the cases with this GangPolicy instead of the one they name"},
    {.id = OPTION_CLUSTER, .help = "the same with this GangCluster"},
    USUAL(COVERAGE),
    USUAL(MIN_COVERAGE),
    USUAL(RECORD),
    {.id = OPTION_FILENAME, .help = "a file or directory with the jobs to record; may be repeated"},
    USUAL(STRICT),
    END};

static const struct verb_option cluster_options[] = {
    {OPTION_OUTPUT, yaml_or_json, "yaml (default) or json"}, INPUTS, USUAL(COMPLETE), END};

static const struct verb_option version_options[] = {
    {OPTION_OUTPUT, text_yaml_or_json, "text (default), yaml or json"}, END};

static const struct verb_option backends_options[] = {
    {OPTION_OUTPUT, text_yaml_or_json,
     "text (default: one version a line), yaml or json (one document)"},
    END};

static const struct verb_option no_options[] = {END};

const struct verb verb_table[] = {
    {
        .name = "render",
        .synopsis = "-f FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print the objects to apply, or the whole plan",
        .run = command_render,
        .options = render_options,
        .needs_input = true,
        .reads_jobs = true,
        .about = "Print the objects that the gangs of all jobs in the input need, in the order\n"
                 "to apply. Standard output is empty unless every job can be rendered. A job\n"
                 "without a gang adds nothing.\n",
        .examples =
            "  # the PodGroup of one job\n"
            "  gangctl render -f runtime.yaml -f trainjob.yaml\n"
            "\n"
            "  # everything that was decided, for a program\n"
            "  gangctl render -f jobs/ --target plan -o json | jq .gang.minimum\n"
            "\n"
            "  # validate the objects with the API server\n"
            "  gangctl render -f jobs/ | kubectl apply --dry-run=server --validate=strict -f -\n",
    },
    {
        .name = "transform",
        .synopsis = "[FILE...] [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "pass documents through, with the marks and objects of their gangs",
        .run = command_transform,
        .options = transform_options,
        .argument = {"FILE", true, VALUE_FILE, NULL, OPTION_FILENAME},
        .reads_jobs = true,
        .about = "Print all documents of the input, in order: jobs of every kind with the marks\n"
                 "of their gangs, runtimes without podGroupPolicy where a policy decides, and\n"
                 "the objects of each gang behind its job. Everything else keeps its bytes, and\n"
                 "what is changed keeps its comments, quotes and order. A second run changes\n"
                 "nothing. Without FILE, standard input is read. With any error nothing is\n"
                 "printed.\n"
                 "\n"
                 "A ResourceList is answered with one, so this is a KRM function for kustomize\n"
                 "and kpt: its functionConfig is the GangPolicy, or a ConfigMap with one, and\n"
                 "diagnostics are in its results, errors too.\n",
        .examples =
            "  kustomize build overlays/prod | gangctl transform -p policy.yaml | kubectl apply "
            "-f -\n"
            "\n"
            "  # the output of a chart\n"
            "  helm install jobs ./chart --post-renderer gangctl --post-renderer-args transform\n",
    },
    {
        .name = "reconcile",
        .synopsis = "-f FILE --live FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print what to do with the objects that exist",
        .run = command_reconcile,
        .options = reconcile_options,
        .needs_input = true,
        .reads_jobs = true,
        .about = "Compare the objects that the gangs of all jobs need with those that\n"
                 "exist, and print the action for each: Create, Apply (write the updated live\n"
                 "object), Leave, Recreate (delete it, wait until it is gone, create it),\n"
                 "Delete, or Conflict: the object has another owner or is in use, so nothing\n"
                 "that exists is changed for that job. --live takes the schedulers' objects in\n"
                 "the jobs' namespaces, the jobs themselves (for their uid and whether they have\n"
                 "ended), their JobSets and their pods; everything else is ignored. A\n"
                 "ClusterTopologyBinding of Grove in the input is compared with its KAI\n"
                 "Topology. No cluster is contacted.\n",
        .examples =
            "  kubectl get podgroups.scheduling.volcano.sh,trainjobs,jobsets,pods -n ml -o yaml "
            ">live.yaml\n"
            "  gangctl reconcile -f runtime.yaml -f trainjob.yaml --live live.yaml\n"
            "\n"
            "  # create what is missing, and bring up to date what exists\n"
            "  gangctl reconcile -f jobs/ --live live.yaml -o json >plan.json\n"
            "  jq '.objects[] | select(.action == \"Create\").object' plan.json | kubectl "
            "create -f -\n"
            "  jq '.objects[] | select(.action == \"Apply\").object' plan.json | kubectl "
            "replace -f -\n",
        .exit_statuses = "  0  done\n"
                         "  1  an object is in Conflict, an input is wrong, or a policy forbids a "
                         "job\n" VERB_COULD_NOT_RUN,
    },
    {
        .name = "diff",
        .synopsis = "-f FILE --live FILE | OLD NEW [flags]",
        .summary = "print what reconcile changes, or how two folders of answers differ",
        .run = command_diff,
        .options = diff_options,
        .argument = {"FILE", true, VALUE_FILE, NULL, OPTION_FILENAME},
        .reads_jobs = true,
        .about =
            "With --live, print what `gangctl reconcile` changes as a unified diff of manifests,\n"
            "and of existing jobs and runtimes the marks of their gangs and podGroupPolicy. An\n"
            "object in Conflict does not change and is an error on standard error.\n"
            "\n"
            "Without --live, compare the documents of two files or directories, whatever their\n"
            "kinds. They are paired by API group, kind, namespace and name.\n",
        .examples =
            "  kubectl get podgroups.scheduling.volcano.sh,trainjobs,jobsets,pods -n ml -o yaml "
            ">live.yaml\n"
            "  gangctl diff -f runtime.yaml -f trainjob.yaml --live live.yaml\n"
            "\n"
            "  # what a new policy changes in a repository\n"
            "  gangctl transform -p policy.yaml jobs/ >old.yaml\n"
            "  gangctl transform -p new-policy.yaml jobs/ >new.yaml\n"
            "  gangctl diff old.yaml new.yaml\n",
        .exit_statuses =
            "  0  nothing changes\n"
            "  1  something changes, an object is in Conflict, or a job is refused\n"
            "  2  the command line is wrong, a file cannot be read, an answer to compare is not\n"
            "     well-formed, or an internal error occurred\n",
    },
    {
        .name = "explain",
        .synopsis = "-f FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print each decision and the rejected candidates as text",
        .run = command_explain,
        .options = explain_options,
        .needs_input = true,
        .reads_jobs = true,
        .about =
            "Print each decision for a job and its reason: backend, queue, members,\n"
            "minimum, the start order, the rejected candidates, and every diagnostic with its\n"
            "place. Exits 1 if the outcome of a job is DENIED or INVALID, or if a job\n"
            "cannot be decided, which does not affect the others.\n",
        .examples =
            "  gangctl explain -f runtime.yaml -f trainjob.yaml\n"
            "  kubectl get clustertrainingruntimes,trainjobs -A -o yaml | gangctl explain -f -\n"
            "  gangctl explain -f runtime.yaml -f trainjob.yaml -o svg > job.svg\n",
    },
    {
        .name = "audit",
        .synopsis = "{-f FILE | --live FILE} [-p POLICY] [--against POLICY] [flags]",
        .summary = "print one line for each job, and totals",
        .run = command_audit,
        .options = audit_options,
        .needs_input = true,
        .reads_jobs = true,
        .about = "Print the answer for each job on one line, and how many jobs have each\n"
                 "outcome and reason. A job that is invalid or forbidden is a line too. Jobs\n"
                 "are read one at a time, so the input can be of any size, and printed in its\n"
                 "order; PodGangs and PodCliqueSets follow. Standard input is copied to a\n"
                 "temporary file first, because runtimes may follow the jobs.\n"
                 "With --live each line is the cause of 'gangctl why', as are the totals.\n",
        .examples =
            "  kubectl get clustertrainingruntimes,trainingruntimes,trainjobs -A -o json |\n"
            "    gangctl audit -f - -p policy.yaml\n"
            "\n"
            "  # the jobs that a new policy decides in another way\n"
            "  gangctl audit -f jobs/ -p policy.yaml --against new-policy.yaml\n"
            "\n"
            "  # the jobs that the policy forbids\n"
            "  gangctl audit -f jobs/ -p policy.yaml -o ndjson |\n"
            "    jq 'select(.outcome == \"Denied\").reason'\n"
            "\n"
            "  kubectl get jobs,pods,podgroups,events,nodes -A -o yaml | gangctl audit --live -\n",
        .exit_statuses =
            "  0  every job has an answer; with --against, the same from both policies\n"
            "  1  a job is invalid or forbidden, its answer changes, or its gang is "
            "stuck\n" VERB_COULD_NOT_RUN
            "  3  with --live, the objects do not say why a gang waits\n",
    },
    {
        .name = "why",
        .synopsis = "[JOB] [-f FILE] --live FILE [-p POLICY] [--now TIME] [flags]",
        .summary = "say why a gang does not start",
        .run = command_why,
        .options = why_options,
        .argument = {"JOB", true, VALUE_WORD, NULL, OPTION_JOB},
        .reads_jobs = true,
        .about = "Read a job and the objects that exist, and print the one cause that keeps its\n"
                 "gang from starting, what shows it, and what to do; then what else is wrong,\n"
                 "and what could not be checked. The objects decide before the messages of\n"
                 "schedulers. The job may be marked by hand. No cluster is contacted:\n"
                 "--live takes the job, what it owns, its pods with their events, the groups,\n"
                 "and, if they are given, queues, quotas and nodes. doc/why.md has all causes.\n",
        .examples =
            "  kubectl get trainjobs,jobsets,jobs,pods,podgroups,events -n ml -o yaml >live.yaml\n"
            "  gangctl why llama --live live.yaml\n"
            "\n"
            "  # a folder with what was saved of a cluster, for a program\n"
            "  gangctl why --from dump/ -o json | jq '{job, verdict, cause}'\n",
        .exit_statuses = "  0  every gang has started, has ended, or waits for what will come\n"
                         "  1  a gang is stuck, or can never start\n" VERB_COULD_NOT_RUN
                         "  3  the objects do not say why a gang waits\n",
    },
    {
        .name = "roles",
        .synopsis = "-f FILE [flags]",
        .summary = "print each job as a GangJob: its roles and their start order",
        .run = command_roles,
        .options = roles_options,
        .needs_input = true,
        .reads_jobs = true,
        .about = "Print what is read of every job that needs no runtime: a GangJob with its\n"
                 "roles, how many pods each has and must start, what a pod requests, and the\n"
                 "order in which the operator creates them. A job with several gangs is several\n"
                 "documents. TrainJobs and the documents of Grove are left out.\n",
        .examples = "  gangctl roles -f job.yaml\n"
                    "  gangctl roles -f job.yaml | gangctl render -f -\n",
    },
    {
        .name = "lint",
        .synopsis = "-f FILE [-p POLICY] [--cluster CLUSTER] [flags]",
        .summary = "print every diagnostic, also as JSON, SARIF or JUnit",
        .run = command_lint,
        .options = lint_options,
        .reads_jobs = true,
        .about = "Print on standard output all diagnostics about the documents of the input:\n"
                 "runtimes, TrainJobs, PodGangs and PodCliqueSets of Grove, other jobs, policies\n"
                 "(GangPolicy) and facts about clusters (GangCluster), each on its own, and\n"
                 "each TrainJob or PodGang together with its runtime or PodCliqueSet if the\n"
                 "input has it. -p and --cluster set the policy and the facts for this, and\n"
                 "are checked too; a GangPolicy or GangCluster of the input is only checked.\n"
                 "-p and --cluster can be used without -f.\n",
        .examples = "  gangctl lint -f runtimes/ -f jobs/ -p policy.yaml\n"
                    "  gangctl lint -p policy.yaml --fail-on-warn\n"
                    "\n"
                    "  # in a GitHub workflow\n"
                    "  kustomize build . | gangctl lint -f - -o github\n",
        .exit_statuses =
            "  0  no errors; there may be warnings\n"
            "  1  there is an error, or with --fail-on-warn a warning\n" VERB_COULD_NOT_RUN,
    },
    {
        .name = "policy init",
        .synopsis = "--scheduler NAME...",
        .summary = "print a first policy for one or more schedulers",
        .run = command_policy_init,
        .options = policy_init_options,
        .about = "Print a small GangPolicy to start from. Comments explain each part, and\n"
                 "fields that are commented out show further settings.\n",
        .examples = "  gangctl policy init --scheduler volcano >policy.yaml\n"
                    "  gangctl lint -p policy.yaml && kubectl apply -f policy.yaml\n",
    },
    {
        .name = "policy schema",
        .synopsis = "[GangPolicy|GangCluster|GangJob|GangPolicyTest] [-o json|yaml]",
        .summary = "print the JSON Schema of policies, clusters, jobs or policy tests",
        .argument = {"KIND", true, VALUE_WORD, schema_kinds, OPTION_NONE},
        .run = command_policy_schema,
        .options = policy_schema_options,
        .about =
            "Print the JSON Schema (draft 2020-12) of a GangPolicy or GangCluster with the\n"
            "backends of this library, or of a GangJob or GangPolicyTest, for editors and other\n"
            "programs. gangctl lint also checks how fields depend on each other.\n",
        .examples =
            "  gangctl policy schema >gangpolicy.json\n"
            "\n"
            "  # the first line of a policy, for editors that use the YAML language server\n"
            "  # yaml-language-server: $schema=gangpolicy.json\n",
    },
    {
        .name = "policy test",
        .synopsis = "DIR [-p POLICY] [--record -f FILE...] [flags]",
        .summary = "run the test cases of a policy, or write them",
        .run = command_policy_test,
        .options = policy_test_options,
        .argument = {"DIR", false, VALUE_FILE, NULL, OPTION_NONE},
        .about =
            "Read every GangPolicyTest of a directory or file, resolve each of its cases\n"
            "with the policy that it names, and compare the outcome with the expected\n"
            "one. File names are relative to the file that names them.\n"
            "\n"
            "With --record, print a GangPolicyTest with the present answers, whose file names\n"
            "are relative to DIR.\n",
        .examples =
            "  gangctl policy test examples/policy-tests\n"
            "\n"
            "  # run the cases of the current policy with a new one\n"
            "  gangctl policy test tests/ -p new-policy.yaml\n"
            "\n"
            "  # for CI: JUnit, and a failure if a fifth of the policies is not tested\n"
            "  gangctl policy test tests/ --min-coverage 80 -o junit\n"
            "\n"
            "  # a first test for the jobs that there are\n"
            "  gangctl policy test tests/ --record -f jobs/ -p policy.yaml >tests/jobs.yaml\n",
        .exit_statuses = "  0  every case has the expected outcome\n"
                         "  1  a case has another outcome, a test is invalid or there is none, or\n"
                         "     the coverage is less than --min-coverage\n" VERB_COULD_NOT_RUN,
    },
    {
        .name = "cluster",
        .synopsis = "-f FILE [flags]",
        .summary = "generate the facts about a cluster from the output of kubectl",
        .run = command_cluster,
        .options = cluster_options,
        .needs_input = true,
        .about =
            "Print the GangCluster that --cluster takes. Reads objects as kubectl prints "
            "them, in YAML or\n"
            "JSON: CustomResourceDefinitions, Namespaces, PriorityClasses, RuntimeClasses, "
            "LimitRanges,\n"
            "ResourceQuotas, Nodes, DeviceClasses, the Queues of Volcano and KAI, the ConfigMap\n"
            "yunikorn-configs and those of LeaderWorkerSet and KubeRay, Deployments (for "
            "versions and\n"
            "options), the PodGroups of KubeRay. And what these commands print:\n"
            "  kubectl version -o json\n"
            "  kubectl api-versions\n"
            "  kubectl get --raw /apis/GROUP/VERSION\n"
            "  kubectl get --raw /metrics | grep kubernetes_feature_enabled\n"
            "One file can contain several of them, separated by --- lines. Everything else "
            "is ignored, and\n"
            "standard error says what, and what stays unknown. No cluster is contacted.\n",
        .examples = "  {\n"
                    "    kubectl get crd,ns,priorityclass,runtimeclass,limitrange,quota,deploy -A "
                    "-o yaml; echo ---\n"
                    "    kubectl version -o json; echo ---\n"
                    "    kubectl api-versions\n"
                    "  } | gangctl cluster -f - > cluster.yaml\n"
                    "  gangctl render -f jobs/ --cluster cluster.yaml\n",
    },
    {
        .name = "backends",
        .synopsis = "[-o text|yaml|json]",
        .summary = "print the backends with their versions and unsupported fields",
        .run = command_backends,
        .options = backends_options,
        .about = "Print every backend that this build can render: the versions of its objects\n"
                 "in order of preference, the mark on pods, the scheduler, and the unsupported\n"
                 "fields. A feature gate is printed after the fields that it controls.\n",
        .examples = "  gangctl backends\n"
                    "  gangctl backends -o json | jq '.backends[].versions[].apiVersion'\n",
    },
    {
        .name = "version",
        .synopsis = "[-o text|yaml|json]",
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
        .summary = "print a script for shell completion",
        .run = command_completion,
        .options = no_options,
        .argument = {"SHELL", false, VALUE_WORD, shells, OPTION_NONE},
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
        .synopsis = "[COMMAND|CODE]",
        .summary = "print the help of a command, or what a diagnostic means",
        .run = command_help,
        .options = no_options,
        .argument = {"COMMAND", true, VALUE_WORD, NULL, OPTION_NONE},
        .about = "Print the help of a command, or of gangctl. For the code of a diagnostic, print\n"
                 "what it means and what to do.\n",
        .examples = "  gangctl help\n"
                    "  gangctl help render\n"
                    "  gangctl help GANG012\n",
    },
};
const size_t num_verbs = COUNT_OF(verb_table);

size_t
verb_find(const char *const *words, size_t count, const struct verb **verb)
{
    *verb = NULL;
    for (size_t i = 0; i < num_verbs && count; i++) {
        const char *second = verb_below(&verb_table[i], words[0]);

        if (second ? count < 2 || strcmp(second, words[1]) != 0
                   : strcmp(verb_table[i].name, words[0]) != 0)
            continue;
        *verb = &verb_table[i];
        return second ? 2 : 1;
    }
    return 0;
}

const char *
verb_below(const struct verb *verb, const char *group)
{
    const size_t len = group ? strlen(group) : 0;

    if (!group)
        return verb->name;
    return strncmp(verb->name, group, len) == 0 && verb->name[len] == ' ' ? verb->name + len + 1
                                                                          : NULL;
}

bool
verb_is_group(const char *word)
{
    for (size_t i = 0; i < num_verbs; i++)
        if (verb_below(&verb_table[i], word))
            return true;
    return false;
}

const struct verb_option *
verb_option_of(const struct verb *verb, enum option_id id)
{
    static const struct verb_option help = USUAL(HELP);

    for (const struct verb_option *option = verb->options; option->id != OPTION_NONE; option++) {
        if (option->id == id)
            return option;
    }
    return id == OPTION_HELP ? &help : NULL;
}
