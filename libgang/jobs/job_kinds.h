/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_JOB_KINDS_H
#define LIBGANG_JOBS_JOB_KINDS_H

#include "libgang/base/text.h"
#include "libgang/catalog/job_names.h"
#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/jobs/gang_job.h"

enum { JOB_KIND_MOST_VERSIONS = 3 };

/*
 * A kind of job: a translation to a GangJob, in a file of its own, jobs/kind_<name>.c. A new kind
 * is such a file and a row of JOB_KINDS.
 */
struct job_kind {
    /* the API versions that are read, as in `apiVersion`; unset after the last */
    struct slice api_versions[JOB_KIND_MOST_VERSIONS];
    struct slice kind;
    struct slice other_kind;     /* which is read in the same way; unset if there is none */
    const struct schema *schema; /* not NULL; unknown fields warn unless `is_strict` is set */
    bool is_strict;              /* an unknown field is an error: the kind is libgang's own */
    bool is_built_in;            /* the API server's own kind, which is no CRD */
    bool has_former_pod_field;   /* in the pods of its CRD, of a version that is read */
    bool is_list; /* it has no name of its own; the translation sets the owner and its metadata */
    enum template_fields template_fields;
    /*
     * How many gangs the job has; 0 for a job without one. The time must not depend on that
     * number, but it may depend on the size of the document. NULL: one, or with `has_stages` as
     * many as the translation of the first gang sets in `num_gangs`.
     */
    uint64_t (*count_gangs)(const struct job_source *source);
    bool has_stages;
    bool is_numbered; /* the names of its gangs differ in their number alone, however few it has */
    /*
     * Fills in one gang of the job, which starts as gang_job_start() makes it. `source->gang` is
     * less than the number of gangs, or 1 with `is_numbered`; the time must not depend on that
     * number. Reports what is wrong in the document and goes on. Fields of other types than the
     * schema says must be read as absent.
     */
    void (*translate)(const struct job_source *source, struct gang_wishes *job);
};

/* The kinds of JOB_KINDS. */
#define JOB_KIND_DECLARE(name, kind, group) extern const struct job_kind name##_job_kind;
JOB_KINDS(JOB_KIND_DECLARE)

/* Returns the kind that reads a document; NULL if there is none. */
const struct job_kind *job_kind_find(struct slice api_version, struct slice kind);
/* Whether there is a row with this kind, of any API version. */
bool job_kind_is_known(struct slice kind);
/* Returns the kinds one by one; unset behind the last. */
struct slice job_kind_name(size_t index);

/*
 * Checks a document of the kind, and sets in the report how its quantities are read from here on.
 */
void job_kind_check_schema(const struct job_kind *kind, const struct node *root,
                           struct report *report);

/*
 * How many gangs the job has; 1 for a kind with `has_stages`, of which only the translation knows.
 * A job without a spec has none.
 */
uint64_t job_kind_count_gangs(const struct job_kind *kind, const struct job_source *source);

/* A document of one of these kinds. */
struct job_document {
    struct gang_document document;
    const struct job_kind *kind;
    struct object_meta meta; /* of a list: that of its first gang */
    uint64_t num_gangs;
    struct gang_wishes job; /* the first gang; without roles if there is none */
};

/* Returns the compiled document; NULL for a document of another type. */
static inline const struct job_document *
job_document_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_JOB) ? (const struct job_document *)document : NULL;
}

void job_document_compile(struct gang_document *document, struct parse_call *call);

/*
 * Returns a gang of the job, in a time that does not depend on the number of gangs. `gang` must be
 * less than it. The first one is the document's own; the others are made in the report's arena,
 * which fails if out of memory. Never NULL.
 */
const struct gang_wishes *job_document_gang(const struct job_document *document, uint64_t gang,
                                            struct report *report);

/* Fields that jobs of several operators have. */

/*
 * Returns a number of a map; `absent` if it is absent or no number. The schemas refuse a number
 * that is no int32; it is read as the nearest one, so that products of two numbers cannot overflow.
 */
int64_t job_field_number(const struct node *map, struct slice key, int64_t absent);

/* Refuses a negative number of pods at its field, and returns 0 for it. */
int64_t job_field_pods(int64_t number, const struct node *field, struct report *report);

/*
 * Reads `spec.managedBy`. Another value than `own` says that the cluster's own controller creates
 * no pods; an empty one is refused, as by the API server.
 */
void job_field_read_manager(const struct job_source *source, struct slice own,
                            struct gang_wishes *job);

/*
 * Reports that a StatefulSet whose name is longer than that of the job by `longer` characters
 * cannot create its pods.
 */
void job_field_check_revision(const struct job_source *source, size_t longer);

/*
 * Stands back if the controller of this object is a job that has the gang, such as the JobSet of a
 * Job.
 */
void job_field_check_parent(const struct job_source *source, struct gang_wishes *job);

/*
 * Stands back if the object has `spec.scheduling`, where it asks Kubernetes for a gang with the
 * field at the path `gang`; NULL: with any.
 */
void job_field_check_scheduling(const struct job_source *source, const char *gang,
                                struct gang_wishes *job);

/*
 * What the jobs of mpi-operator and training-operator have in common: spec.runPolicy, and a map
 * from replica types to pods.
 */

/* An operator that reads runPolicy. */
struct run_policy_operator {
    const char *name;
    struct slice managed_by; /* its own value in runPolicy.managedBy; unset: it reads none */
    const char *option;      /* the option with which it makes gangs itself */
};

/*
 * Reads suspend, managedBy and schedulingPolicy into the job. Reports which option of the operator
 * must be off.
 */
void run_policy_read(const struct job_source *source, const struct run_policy_operator *by,
                     struct gang_wishes *job);

/* Whether runPolicy.suspend is true. */
bool run_policy_is_suspended(const struct node *spec);

/*
 * Returns the pods of a replica type, of which case does not matter; NULL if the job has none. An
 * exact match has precedence.
 */
const struct node *replica_spec_find(const struct node *specs, struct slice type);

/*
 * Adds the role of a replica type, which is named after it in lower case. Without `replicas` it has
 * `absent` pods, and that is reported. NULL after a failed allocation.
 */
struct role *replica_spec_add_role(struct gang_wishes *job, const struct job_source *source,
                                   size_t most, const struct node *spec, int64_t absent);

/* Returns `spec.containers` of the pods; NULL if there is none. */
const struct node *replica_spec_containers(const struct node *spec);

/* Whether the pods have no containers, and the schema has not reported that. */
bool replica_spec_is_empty(const struct node *spec);

/* A container that an operator adds to each pod of a template, behind the template's own ones. */
struct added_container {
    bool is_init;
    const struct node *resources; /* requests and limits, as in a container; NULL: none */
    const struct node *source;    /* the map that has them; NULL: they are the operator's own */
};

/* Defines the resources of a container: its requests, and after them its limits. */
#define ADDED_RESOURCES(name, cpu, memory, most_cpu, most_memory)                                  \
    static const struct node name[] = {                                                            \
        NODE_CONSTANT_ROOT(&(name)[1], 2),                                                         \
        NODE_CONSTANT_MAP(&(name)[0], "limits", &(name)[3], 2, &(name)[2]),                        \
        NODE_CONSTANT_MAP(&(name)[0], "requests", &(name)[5], 2, NULL),                            \
        NODE_CONSTANT_TEXT(&(name)[1], "cpu", most_cpu, &(name)[4]),                               \
        NODE_CONSTANT_TEXT(&(name)[1], "memory", most_memory, NULL),                               \
        NODE_CONSTANT_TEXT(&(name)[2], "cpu", cpu, &(name)[6]),                                    \
        NODE_CONSTANT_TEXT(&(name)[2], "memory", memory, NULL),                                    \
    }

/* The same, where both maps have the same members. */
#define ADDED_RESOURCES_ALIKE(name, cpu, memory)                                                   \
    static const struct node name[] = {                                                            \
        NODE_CONSTANT_ROOT(&(name)[1], 2),                                                         \
        NODE_CONSTANT_MAP(&(name)[0], "limits", &(name)[3], 2, &(name)[2]),                        \
        NODE_CONSTANT_MAP(&(name)[0], "requests", &(name)[3], 2, NULL),                            \
        NODE_CONSTANT_TEXT(&(name)[2], "cpu", cpu, &(name)[4]),                                    \
        NODE_CONSTANT_TEXT(&(name)[2], "memory", memory, NULL),                                    \
    }

/*
 * Reads the resources of the role, whose template is set, together with the containers: admission
 * treats them like the others of the pod. Reports invalid amounts.
 */
void added_containers(struct role *role, const struct added_container *added, size_t count,
                      const struct job_source *source);

/* Pods that name their gang themselves, in a label or an annotation. */

/* The gang that a pod names. */
struct pod_group {
    struct slice name;        /* unset: the pod is in no group */
    const struct node *mark;  /* the label or annotation */
    bool is_kueues;           /* it is a key of Kueue, whose rules for groups then apply */
    const struct node *rival; /* another mark that names another group; NULL if there is none */
};

struct pod_group pod_group_of(const struct node *pod);

/*
 * The hash of the role that Kueue's webhook writes into pods; unset if there is none. Of null it is
 * empty, as the API server stores it.
 */
struct slice pod_group_role_hash(const struct node *pod);

/*
 * Whether two pods have the same role: the same label for the role, and the same hash of Kueue.
 * Without hashes, the same requests, containers' ports and rules for nodes. Quantities are compared
 * by value.
 */
bool pod_group_is_same_role(const struct node *pod, const struct node *other, struct arena *arena);

#define JAVA_MEBIBYTE (INT64_C(1) << 20)

/*
 * Parses a size as Spark writes it: digits and a unit in any case, such as `512m`, `1g` or `1gb`,
 * which are powers of 1024. `unit` is the unit of a text without one, in bytes. False if the text
 * is no size, or one of 2^63 bytes or more; then `bytes` stays as it is. Source:
 * apache/spark:common/utils/src/main/java/org/apache/spark/network/util/JavaUtils.java byteStringAs
 */
bool java_size_parse(struct slice text, int64_t unit, int64_t *bytes);

/*
 * The complete documents of the kinds that operators define with a CRD. metadata, status and what
 * cannot change a gang accept any value.
 */
extern const struct schema ray_cluster_schema;
extern const struct schema ray_job_schema;
extern const struct schema ray_service_schema;
extern const struct schema lws_schema;
extern const struct schema disaggregated_set_schema;
extern const struct schema role_based_group_schema;
extern const struct schema mpi_job_schema;
extern const struct schema pytorch_job_schema;
extern const struct schema tf_job_schema;
extern const struct schema xgboost_job_schema;
extern const struct schema paddle_job_schema;
extern const struct schema jax_job_schema;
extern const struct schema spark_application_schema;
extern const struct schema appwrapper_schema;
/* Of schema/kinds.yaml. */
extern const struct schema stateful_set_schema;
extern const struct schema pod_list_schema;

#endif
