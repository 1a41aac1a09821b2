/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/runtime_patches.h"

#include "unit/front.h"

/* Sources: pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0, IsDomainPrefixedPath of
 * apimachinery. */
#define PATCH(index) "spec.runtimePatches[" index "]"
#define PATCHED(index) ".trainingRuntimeSpec.template.spec.replicatedJobs[" index "]"
#define POD_SPEC ".template.spec.template.spec"
#define IN_POD(name, members)                                                                      \
    "{'name':'" name "','template':{'spec':{'template':{'spec':{" members "}}}}}"
#define SIDECAR                                                                                    \
    ROLE("node", "", LABEL("trainer"), "",                                                         \
         "'initContainers':[" CONTAINER("first", "") "]," POD(                                     \
             CONTAINER("node", "") "," CONTAINER("log", "")))
#define INITIALIZERS                                                                               \
    ROLE("dataset-initializer", "", LABEL("dataset-initializer"), "",                              \
         POD(CONTAINER("dataset-initializer", "")))                                                \
    "," ROLE("model-initializer", "", LABEL("model-initializer"), "",                              \
             POD(CONTAINER("model-initializer", "")))

static const struct {
    const char *manager;
    bool good;
} managers[] = {
    {"example.com/x", true},
    {"a/b", true},
    {"example.com/x/y", true},
    {"example.com/X_y-1.2", true},
    {"example.com", false},
    {"example.com/", false},
    {"/x", false},
    {"Example.com/x", false},
    {"example..com/x", false},
    {"-a.com/x", false},
    {"x", false},
    {"example.com/x y", false},
};

START_TEST(managers_are_domain_prefixed_paths)
{
    char trainjob[DOCUMENT_SIZE];
    const struct remark remark = {RUNTIME("", NODE_ROLE), trainjob, GANG_CODE_PATCH_MANAGER,
                                  PATCH("0") ".manager"};

    snprintf(trainjob, sizeof(trainjob), TRAINJOB(PATCHES("{'manager':@'%s'}")),
             managers[_i].manager);
    if (managers[_i].good) {
        check_no_remark(&remark, COMPATIBILITY_NONE);
    } else {
        check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
        check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    }
}
END_TEST

/* The operator would add them, so only a warning where its behaviour is asked for. */
static const struct remark unknown[] = {
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES(PATCH_JOBS("x", "@{'name':'nodes'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("0") PATCHED("0")},
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node'},@{'name':'Node'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("0") PATCHED("1")},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node'}") "," PATCH_JOBS("y", "@{'name':'b'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("1") PATCHED("0")},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", IN_POD("node", "'containers':[@{'name':'x'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("0") PATCHED("0") POD_SPEC ".containers[0]"},
    {RUNTIME("", SIDECAR),
     TRAINJOB(
         PATCHES(PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'log'},@{'name':'x'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("0") PATCHED("0") POD_SPEC ".containers[1]"},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", IN_POD("node", "'initContainers':[@{'name':'x'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("0") PATCHED("0") POD_SPEC ".initContainers[0]"},
    /* a role that an earlier patch has added is not the runtime's either */
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'b'}") "," PATCH_JOBS("y", "@{'name':'b'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH("1") PATCHED("0")},
};

START_TEST(targets_must_exist)
{
    check_remark(&unknown[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&unknown[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark reserved_env[] = {
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(
         PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'node','env':@[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, PATCH("0") PATCHED("0") POD_SPEC ".containers[0].env"},
    {RUNTIME("", SIDECAR "," INITIALIZERS),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("dataset-initializer",
                     "'containers':[{'name':'dataset-initializer','env':@[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, PATCH("0") PATCHED("0") POD_SPEC ".containers[0].env"},
    {RUNTIME("", SIDECAR "," INITIALIZERS),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("model-initializer",
                     "'containers':[{'name':'model-initializer','env':@[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, PATCH("0") PATCHED("0") POD_SPEC ".containers[0].env"},
};

START_TEST(env_of_some_containers_is_the_operators)
{
    check_remark(&reserved_env[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&reserved_env[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(
         PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'log','env':[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, NULL},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'node','env':[]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, NULL},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("node", "'initContainers':[{'name':'first','env':[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, NULL},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("node", "'containers':[{'name':'node'},{'name':'log'}],'initContainers':"
                             "[{'name':'first'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, NULL},
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES(PATCH_METADATA("x", "'labels':{'a':'b'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, NULL},
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES("")), GANG_CODE_PATCH_TARGET_UNKNOWN, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, managers_are_domain_prefixed_paths, managers, manager);
    add_rows(cases, targets_must_exist, unknown, runtime, trainjob);
    add_rows(cases, env_of_some_containers_is_the_operators, reserved_env, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
}
