/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#define USAGE_INPUT                                                                                          \
    "  -f, --filename FILE    a file, a directory (*.yaml, *.yml, *.json, sorted by name) or - for\n"        \
    "                         standard input; may be repeated\n"                                             \
    "  -R, --recursive        look into subdirectories of -f too; hidden ones are skipped\n"                 \
    "  -p, --policy FILE      the GangPolicy that the administrator wrote\n"                                 \
    "      --strict           unknown fields of a runtime or trainjob are errors instead of warnings\n"      \
    "  -v, --verbose          print infos too (explain: the defaults that were applied)\n"                   \
    "  -h, --help             print this help\n"                                                             \
    "\n"                                                                                                     \
    "The input may hold several documents, as `kustomize build` prints them, and a `kind: List` of\n"        \
    "them, as kubectl prints it. Each TrainJob finds its runtime among them by spec.runtimeRef: a\n"         \
    "TrainingRuntime in the job's namespace (one without a namespace matches any), a\n"                      \
    "ClusterTrainingRuntime by its name. Documents of other kinds are ignored.\n"

#define USAGE_EXIT                                                                                           \
    "Exit status:\n"                                                                                         \
    "  0  done; there may be warnings on standard error\n"                                                   \
    "  1  a document is wrong, missing or forbidden by the policy; standard error says where\n"              \
    "  2  the command line is wrong, a file cannot be read, or something inside failed\n"

static const char usage_program[] =
    "gangctl says which gang-scheduling objects a Kubeflow TrainJob gets, and why. It reads files and\n"
    "contacts no cluster.\n"
    "\n"
    "Usage:\n"
    "  gangctl render  -f FILE [-p POLICY] [flags]   print the objects to apply, or the whole plan\n"
    "  gangctl explain -f FILE [-p POLICY] [flags]   print what was decided, and what lost, for people\n"
    "  gangctl version [-o yaml|json]                print versions and what this build can do\n"
    "  gangctl help [COMMAND]                        print the help of a command\n"
    "\n"
    "Examples:\n"
    "  gangctl render -f runtime.yaml -f trainjob.yaml | kubectl apply -f -\n"
    "  kustomize build . | gangctl render -p policy.yaml -f -\n"
    "  gangctl explain -f examples/torchtune-llama\n"
    "\n" USAGE_EXIT;

static const char usage_render[] =
    "Print the objects that the gangs of all TrainJobs in the input need, in the order to apply.\n"
    "Nothing is printed on standard output unless every TrainJob can be rendered. A job that wants no\n"
    "gang adds nothing.\n"
    "\n"
    "Usage:\n"
    "  gangctl render -f FILE [flags]\n"
    "\n"
    "Flags:\n"
    "  -o, --output FORMAT    yaml (default: documents parted by ---) or json (one document a line)\n"
    "      --target TARGET    objects (default), or plan: one GangPlan for each TrainJob, with the\n"
    "                         marks for its pods, the findings and the trace\n" USAGE_INPUT "\n"
    "Examples:\n"
    "  # the PodGroup of one job\n"
    "  gangctl render -f runtime.yaml -f trainjob.yaml\n"
    "\n"
    "  # everything that was decided, for a program\n"
    "  gangctl render -f jobs/ --target plan -o json | jq .gang.minimum\n"
    "\n"
    "  # what the API server thinks of it\n"
    "  gangctl render -f jobs/ | kubectl apply --dry-run=server --validate=strict -f -\n"
    "\n" USAGE_EXIT;

static const char usage_explain[] =
    "Print for each TrainJob what was decided and why: backend, queue, members, minimum, the choices\n"
    "that lost, and every finding with its place. Exits 1 when the outcome of a job is DENIED or\n"
    "INVALID.\n"
    "\n"
    "Usage:\n"
    "  gangctl explain -f FILE [flags]\n"
    "\n"
    "Flags:\n"
    "  -o, --output FORMAT    yaml or json: the whole GangPlan instead of the report, also of a\n"
    "                         refused job\n" USAGE_INPUT "\n"
    "Examples:\n"
    "  gangctl explain -f runtime.yaml -f trainjob.yaml\n"
    "  kubectl get clustertrainingruntimes,trainjobs -A -o yaml | gangctl explain -f -\n"
    "\n" USAGE_EXIT;

static const char usage_version[] =
    "Print the version of gangctl and of the library it runs with, the library's soname, the backends\n"
    "it can render, and whether it reads YAML.\n"
    "\n"
    "Usage:\n"
    "  gangctl version [flags]\n"
    "\n"
    "Flags:\n"
    "  -o, --output FORMAT    yaml or json\n"
    "  -h, --help             print this help\n"
    "\n"
    "Examples:\n"
    "  gangctl version\n"
    "  gangctl version -o json\n";

const char *
usage_text(enum command command)
{
    switch (command) {
    case COMMAND_RENDER:
        return usage_render;
    case COMMAND_EXPLAIN:
        return usage_explain;
    case COMMAND_VERSION:
        return usage_version;
    case COMMAND_NONE:
    case COMMAND_HELP:
        break;
    }
    return usage_program;
}
