/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/jobs/gang_job.h"
#include "libgang/jobs/job_kinds.h"

/* The fields of a role, and those of spec, as schema_members() returns them. */
enum gang_job_role_field {
    GANG_JOB_ROLE_COUNT,
    GANG_JOB_ROLE_DEPENDS_ON,
    GANG_JOB_ROLE_EXTRA_REQUESTS,
    GANG_JOB_ROLE_FIRST_COUNT,
    GANG_JOB_ROLE_GROUP,
    GANG_JOB_ROLE_MEMBERSHIP,
    GANG_JOB_ROLE_MIN_COUNT,
    GANG_JOB_ROLE_NAME,
    GANG_JOB_ROLE_PRIORITY_CLASS,
    GANG_JOB_ROLE_REQUESTS,
    GANG_JOB_ROLE_RETRIES,
    GANG_JOB_ROLE_SCHEDULER,
    GANG_JOB_ROLE_TEMPLATE,
    GANG_JOB_ROLE_UNIT,
    GANG_JOB_ROLE_UNIT_LABEL,
    GANG_JOB_ROLE_FIELDS,
};
enum gang_job_field {
    GANG_JOB_BACKEND,
    GANG_JOB_GROUP_NAME,
    GANG_JOB_GROUPS,
    GANG_JOB_MANAGED_ELSEWHERE,
    GANG_JOB_MINIMUM,
    GANG_JOB_NO_GANG,
    GANG_JOB_OWNER,
    GANG_JOB_POD_MARKS,
    GANG_JOB_PRIORITY_CLASS,
    GANG_JOB_QUEUE,
    GANG_JOB_ROLES,
    GANG_JOB_TIMEOUT,
    GANG_JOB_SUSPEND,
    GANG_JOB_TOPOLOGY,
    GANG_JOB_FIELDS,
};

#define JOB_TEXT .type = SCHEMA_STRING, .min_length = 1
#define JOB_LABEL JOB_TEXT, .pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
#define JOB_SUBDOMAIN                                                                              \
    JOB_TEXT, .max_length = 253,                                                                   \
              .pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
#define JOB_COUNT(least) .type = SCHEMA_INT32, .has_minimum = true, .minimum = (least)
#define JOB_FLAG .type = SCHEMA_BOOLEAN, .default_text = "false"

/* ---- role ---- */

static const struct schema job_schema_quantity = {.type = SCHEMA_QUANTITY};
static const struct schema job_schema_requests = {
    .type = SCHEMA_OBJECT,
    .values = &job_schema_quantity,
    .description = "What one pod requests, by resource name, instead of a template."};
static const struct schema job_schema_extra_requests = {
    .type = SCHEMA_OBJECT,
    .values = &job_schema_quantity,
    .description = "What an operator or a webhook adds to the requests of one pod."};

static const struct schema job_schema_edge_role = {
    JOB_LABEL, .description = "Name of the role that is waited for."};
static const struct schema job_schema_edge_status = {
    .type = SCHEMA_STRING,
    .enumeration = dependency_status_names,
    .description = "`Complete`: the pods have succeeded; `Ready`: all pods are ready; `Scheduled`: "
                   "the pods have a node.",
};
static const struct schema_field job_schema_edge_fields[] = {
    {SLICE_INIT("role"), &job_schema_edge_role, true},
    {SLICE_INIT("status"), &job_schema_edge_status, true},
};
static const struct schema job_schema_edge = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_edge_fields),
    SCHEMA_REQUIRES(2),
    .description = "The pods are created after another role has reached a status.",
    .form = "{role: NAME, status: Ready}",
};
static const struct schema job_schema_depends_on = {
    .type = SCHEMA_LIST,
    .values = &job_schema_edge,
    .max_length = GANG_JOB_MOST_ROLES,
    .description = "The roles that must have reached a status before the operator creates the pods "
                   "of this role.",
};

static const struct schema job_schema_any_metadata = {
    .type = SCHEMA_ANY, .description = "Labels and annotations of the pods."};
static const struct schema job_schema_any_spec = {.type = SCHEMA_ANY,
                                                  .description = "The spec of the pods."};
static const struct schema_field job_schema_template_fields[] = {
    {SLICE_INIT("metadata"), &job_schema_any_metadata, false},
    {SLICE_INIT("spec"), &job_schema_any_spec, true},
};
static const struct schema job_schema_template = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_template_fields),
    SCHEMA_REQUIRES(1),
    .description = "The pod template. The requests of its containers count.",
};

static const struct schema job_schema_role_name = {JOB_LABEL,
                                                   .description = "Unique name of the role."};
static const struct schema job_schema_role_count = {
    JOB_COUNT(0), .default_text = "1",
    .description = "Number of pods that exist at the same time."};
static const struct schema job_schema_role_min_count = {
    JOB_COUNT(0), .description = "Number of pods that must start together; `count` by default. "
                                 "Less in an elastic role."};
static const struct schema job_schema_role_unit = {
    JOB_COUNT(1), .default_text = "1",
    .description = "Number of pods that are of no use without each other, such as the hosts of one "
                   "TPU slice. It divides `count` and `minCount`."};
static const struct schema job_schema_role_unit_label = {
    JOB_TEXT, .max_length = 317,
    .description = "Key of a label that the operator puts on each pod. Its value is the "
                   "same in one unit, and differs from unit to unit. Only with a `unit` "
                   "of more than 1."};
static const struct schema job_schema_role_first_count = {
    JOB_COUNT(0), .description = "Number of pods that exist before any other pod of the role has a "
                                 "node; `minCount` by default. It counts in the minimum."};
static const struct schema job_schema_role_membership = {
    .type = SCHEMA_STRING,
    .enumeration = membership_wish_names,
    .default_text = "\"Auto\"",
    .description = "`Member`: the gang is that of this role; `Outside`: the role is not in the "
                   "gang; `Auto`: the role is in the gang if it runs together with the members; "
                   "`Elsewhere`: the plan of another gang of the owner has the role.",
};
static const struct schema job_schema_role_scheduler = {
    JOB_TEXT, .description = "schedulerName of the pods, if there is no template."};
static const struct schema job_schema_role_priority = {
    JOB_SUBDOMAIN, .description = "priorityClassName of the pods, if there is no template."};
static const struct schema job_schema_role_retries = {
    JOB_FLAG, .description = "Whether a pod that failed is replaced by a new one."};
static const struct schema job_schema_role_group = {
    JOB_LABEL, .description = "Name of the group in `spec.groups` that the role belongs to."};
static const struct schema_field job_schema_role_fields[] = {
    [GANG_JOB_ROLE_COUNT] = {SLICE_INIT("count"), &job_schema_role_count, false},
    [GANG_JOB_ROLE_DEPENDS_ON] = {SLICE_INIT("dependsOn"), &job_schema_depends_on, false},
    [GANG_JOB_ROLE_EXTRA_REQUESTS] = {SLICE_INIT("extraRequests"), &job_schema_extra_requests,
                                      false},
    [GANG_JOB_ROLE_FIRST_COUNT] = {SLICE_INIT("firstCount"), &job_schema_role_first_count, false},
    [GANG_JOB_ROLE_GROUP] = {SLICE_INIT("group"), &job_schema_role_group, false},
    [GANG_JOB_ROLE_MEMBERSHIP] = {SLICE_INIT("membership"), &job_schema_role_membership, false},
    [GANG_JOB_ROLE_MIN_COUNT] = {SLICE_INIT("minCount"), &job_schema_role_min_count, false},
    [GANG_JOB_ROLE_NAME] = {SLICE_INIT("name"), &job_schema_role_name, true},
    [GANG_JOB_ROLE_PRIORITY_CLASS] = {SLICE_INIT("priorityClassName"), &job_schema_role_priority,
                                      false},
    [GANG_JOB_ROLE_REQUESTS] = {SLICE_INIT("requests"), &job_schema_requests, false},
    [GANG_JOB_ROLE_RETRIES] = {SLICE_INIT("retries"), &job_schema_role_retries, false},
    [GANG_JOB_ROLE_SCHEDULER] = {SLICE_INIT("schedulerName"), &job_schema_role_scheduler, false},
    [GANG_JOB_ROLE_TEMPLATE] = {SLICE_INIT("template"), &job_schema_template, false},
    [GANG_JOB_ROLE_UNIT] = {SLICE_INIT("unit"), &job_schema_role_unit, false},
    [GANG_JOB_ROLE_UNIT_LABEL] = {SLICE_INIT("unitLabel"), &job_schema_role_unit_label, false},
};
static const struct schema gang_job_role_schema = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_role_fields),
    SCHEMA_REQUIRES(1),
    .description = "One kind of pod.",
    .form = "{name: NAME, count: COUNT}",
};
static const struct schema job_schema_roles = {
    .type = SCHEMA_LIST,
    .values = &gang_job_role_schema,
    .min_length = 1,
    .max_length = GANG_JOB_MOST_ROLES,
    .description = "The pods of the job.",
};

/* ---- topology and groups ---- */

static const struct schema job_schema_topology_name = {
    JOB_SUBDOMAIN, .description = "Name of the cluster's topology object."};
static const struct schema job_schema_topology_level = {
    JOB_TEXT, .description = "A level: the key of a node label, or the number of a tier."};
static const struct schema_field job_schema_topology_fields[] = {
    {SLICE_INIT("name"), &job_schema_topology_name, false},
    {SLICE_INIT("preferred"), &job_schema_topology_level, false},
    {SLICE_INIT("required"), &job_schema_topology_level, false},
};
static const struct schema job_schema_topology = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_topology_fields),
    SCHEMA_REQUIRES(0),
    .description = "The pods are placed in one domain of this level.",
};

static const struct schema job_schema_group_name = {JOB_LABEL,
                                                    .description = "Unique name of the group."};
static const struct schema job_schema_group_parent = {
    JOB_LABEL, .description = "Name of the group that contains this one; the gang by default."};
static const struct schema job_schema_group_minimum = {
    JOB_COUNT(0), .description = "Number of direct children that must start; all by default."};
static const struct schema_field job_schema_group_fields[] = {
    {SLICE_INIT("minimum"), &job_schema_group_minimum, false},
    {SLICE_INIT("name"), &job_schema_group_name, true},
    {SLICE_INIT("parent"), &job_schema_group_parent, false},
    {SLICE_INIT("topology"), &job_schema_topology, false},
};
static const struct schema job_schema_group = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_group_fields),
    SCHEMA_REQUIRES(1),
    .description = "A part of the gang that starts as a whole.",
};
static const struct schema job_schema_groups = {
    .type = SCHEMA_LIST,
    .values = &job_schema_group,
    .max_length = GANG_JOB_MOST_ROLES,
    .description = "Groups of roles, for schedulers with subgroups.",
};

/* ---- spec ---- */

static const struct schema job_schema_owner_version = {JOB_TEXT, .description =
                                                                     "`apiVersion` of the object."};
static const struct schema job_schema_owner_kind = {JOB_TEXT,
                                                    .description = "`kind` of the object."};
static const struct schema job_schema_owner_name = {
    JOB_SUBDOMAIN, .description = "Name of the object; that of the GangJob by default."};
static const struct schema job_schema_owner_uid = {
    JOB_TEXT, .description = "uid of the object; without it nothing has an owner reference."};
static const struct schema_field job_schema_owner_fields[] = {
    {SLICE_INIT("apiVersion"), &job_schema_owner_version, true},
    {SLICE_INIT("kind"), &job_schema_owner_kind, true},
    {SLICE_INIT("name"), &job_schema_owner_name, false},
    {SLICE_INIT("uid"), &job_schema_owner_uid, false},
};
static const struct schema job_schema_owner = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_owner_fields),
    SCHEMA_REQUIRES(2),
    .description = "The object that owns the pods, and that the rendered objects belong to.",
    .form = "{apiVersion: GROUP/VERSION, kind: KIND}",
};

static const struct schema job_schema_group_of_pods = {
    JOB_SUBDOMAIN, .description = "Name of the group in the pods; `metadata.name` by default."};
static const struct schema job_schema_suspend = {
    JOB_FLAG, .description = "Whether the job has no pods at present."};
static const struct schema job_schema_managed_elsewhere = {
    JOB_FLAG, .description = "Whether another controller creates the pods in another cluster: the "
                             "job then has no gang here."};
static const struct schema job_schema_no_gang = {
    JOB_FLAG, .description = "Whether the job has no gang of libgang: its pods do not start "
                             "together, or its operator or Kubernetes makes the gang."};
static const struct schema job_schema_backend = {
    JOB_TEXT, .description = "Name of the backend that the user asks for."};
static const struct schema job_schema_queue = {JOB_TEXT,
                                               .description = "Queue that the user asks for."};
static const struct schema job_schema_priority = {
    JOB_SUBDOMAIN, .description = "Priority class of the gang that the user asks for."};
static const struct schema job_schema_timeout = {
    JOB_COUNT(0), .description = "How many seconds the scheduler may hold room for the gang."};
static const struct schema job_schema_minimum = {
    JOB_COUNT(1),
    .description = "Number of pods that must start together; computed from the roles by default."};
static const char *const job_schema_marks_names[] = {"Template", "Pod", NULL};
static const struct schema job_schema_marks = {
    .type = SCHEMA_STRING,
    .enumeration = job_schema_marks_names,
    .default_text = "\"Template\"",
    .description = "Where the operator puts the marks of the gang: in the template of each role, "
                   "or on each pod when it is created.",
};
static const struct schema_field job_schema_spec_fields[] = {
    [GANG_JOB_BACKEND] = {SLICE_INIT("backend"), &job_schema_backend, false},
    [GANG_JOB_GROUP_NAME] = {SLICE_INIT("groupName"), &job_schema_group_of_pods, false},
    [GANG_JOB_GROUPS] = {SLICE_INIT("groups"), &job_schema_groups, false},
    [GANG_JOB_MANAGED_ELSEWHERE] = {SLICE_INIT("managedElsewhere"), &job_schema_managed_elsewhere,
                                    false},
    [GANG_JOB_MINIMUM] = {SLICE_INIT("minimum"), &job_schema_minimum, false},
    [GANG_JOB_NO_GANG] = {SLICE_INIT("noGang"), &job_schema_no_gang, false},
    [GANG_JOB_OWNER] = {SLICE_INIT("owner"), &job_schema_owner, true},
    [GANG_JOB_POD_MARKS] = {SLICE_INIT("podMarks"), &job_schema_marks, false},
    [GANG_JOB_PRIORITY_CLASS] = {SLICE_INIT("priorityClassName"), &job_schema_priority, false},
    [GANG_JOB_QUEUE] = {SLICE_INIT("queue"), &job_schema_queue, false},
    [GANG_JOB_ROLES] = {SLICE_INIT("roles"), &job_schema_roles, true},
    [GANG_JOB_TIMEOUT] = {SLICE_INIT("scheduleTimeoutSeconds"), &job_schema_timeout, false},
    [GANG_JOB_SUSPEND] = {SLICE_INIT("suspend"), &job_schema_suspend, false},
    [GANG_JOB_TOPOLOGY] = {SLICE_INIT("topology"), &job_schema_topology, false},
};
static const struct schema gang_job_spec_schema = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_spec_fields),
    SCHEMA_REQUIRES(2),
    .description = "The job.",
};

static const struct schema job_schema_version = {.type = SCHEMA_STRING,
                                                 .description = "`policy.libgang.dev/v1alpha1`."};
static const struct schema job_schema_kind_text = {.type = SCHEMA_STRING,
                                                   .description = "`GangJob`."};
static const struct schema job_schema_metadata = {
    .type = SCHEMA_ANY,
    .description = "Name, namespace, labels and annotations of the owner. Rules of a policy match "
                   "them."};
static const struct schema_field job_schema_fields[] = {
    {SLICE_INIT("apiVersion"), &job_schema_version, true},
    {SLICE_INIT("kind"), &job_schema_kind_text, true},
    {SLICE_INIT("metadata"), &job_schema_metadata, true},
    {SLICE_INIT("spec"), &gang_job_spec_schema, true},
};
const struct schema gang_job_schema = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_fields),
    SCHEMA_REQUIRES(4),
    .description = "The pods of one gang's job and the order in which its operator creates them.",
};

/* ---- JSON Schema ---- */

/* The reader checks metadata by the rules for all objects. These are the parts for an author. */
static const struct schema job_schema_described_name = {JOB_SUBDOMAIN,
                                                        .description = "Name of the owner."};
static const struct schema_field job_schema_described_fields[] = {
    {SLICE_INIT("name"), &job_schema_described_name, true},
};
static const struct schema job_schema_described_metadata = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_described_fields),
    .open = true,
    .description = "Name, namespace, labels and annotations of the owner. Rules of a policy match "
                   "them.",
};
static const struct schema_field job_schema_described_root_fields[] = {
    {SLICE_INIT("apiVersion"), &job_schema_version, true},
    {SLICE_INIT("kind"), &job_schema_kind_text, true},
    {SLICE_INIT("metadata"), &job_schema_described_metadata, true},
    {SLICE_INIT("spec"), &gang_job_spec_schema, true},
};
static const struct schema job_schema_described = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(job_schema_described_root_fields),
    .description = "The pods of one gang's job and the order in which its operator creates them.",
};

const struct node *
gang_job_describe(struct arena *arena)
{
    struct builder document = build_map(arena);

    build_string(&document, SLICE("$schema"),
                 SLICE("https://json-schema.org/draft/2020-12/schema"));
    build_string(&document, SLICE("title"), SLICE(GANG_KIND_JOB));
    schema_json_describe(&job_schema_described, &document);
    return arena_failed(arena) ? NULL : document.node;
}

/* ---- a GangJob: the document has the fields of the struct ---- */

/*
 * Most fields of most documents are absent, and what they are read into is 0: the readers of fields
 * return at once.
 */

/* Returns the index of the word; 0 if it is absent or invalid, which the schema has reported. */
static int
gang_job_read_word(const struct node *word, const char *const *names)
{
    for (int i = 0; word && names[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(names[i])))
            return i;
    return 0;
}

static int64_t
gang_job_read_number(const struct node *number, int64_t absent)
{
    int64_t value;

    return number && node_int(number, &value) ? value : absent;
}

static void
gang_job_read_wish(const struct node *field, struct gang_job_wish *wish)
{
    if (field)
        *wish = gang_job_wish(field);
}

static struct gang_placement
gang_job_read_topology(const struct node *source)
{
    if (!source)
        return (struct gang_placement){.source = NULL};
    return (struct gang_placement){
        .is_set = true,
        .topology = node_string(node_member(source, SLICE("name"))),
        .required = node_string(node_member(source, SLICE("required"))),
        .preferred = node_string(node_member(source, SLICE("preferred"))),
        .source = source,
    };
}

static void
gang_job_read_edges(const struct node *list, struct role *role, struct arena *arena)
{
    for (NODE_EACH(item, list)) {
        const struct node *status = node_member(item, SLICE("status"));
        const struct dependency edge = {
            .role = node_string(node_member(item, SLICE("role"))),
            .status = (enum dependency_status)gang_job_read_word(status, dependency_status_names),
            .source = item,
        };

        if (slice_is_set(edge.role))
            gang_job_add_edge(role, node_count(list), &edge, arena);
    }
}

/* ---- roles ---- */

static void
gang_job_read_roles(const struct node *list, struct gang_job *job, struct arena *arena)
{
    for (NODE_EACH(item, list)) {
        const struct node *fields[GANG_JOB_ROLE_FIELDS];
        struct role *role;

        schema_members(&gang_job_role_schema, item, fields);
        role = gang_job_add_role(job, node_count(list), node_string(fields[GANG_JOB_ROLE_NAME]),
                                 item, arena);
        if (role) {
            /* A template says which scheduler and class the pods have, so the role need not. */
            int word;

            role->count = gang_job_read_number(fields[GANG_JOB_ROLE_COUNT], 1);
            role->unit = gang_job_read_number(fields[GANG_JOB_ROLE_UNIT], 1);
            role->unit_label = node_string(fields[GANG_JOB_ROLE_UNIT_LABEL]);
            role->min_count = gang_job_read_number(fields[GANG_JOB_ROLE_MIN_COUNT], role->count);
            role->first_count =
                gang_job_read_number(fields[GANG_JOB_ROLE_FIRST_COUNT], role->min_count);
            role->pod_template = fields[GANG_JOB_ROLE_TEMPLATE];
            role->requests_source = fields[GANG_JOB_ROLE_REQUESTS];
            role->extra_source = fields[GANG_JOB_ROLE_EXTRA_REQUESTS];
            role->scheduler_name_source = fields[GANG_JOB_ROLE_SCHEDULER];
            role->priority_class_source = fields[GANG_JOB_ROLE_PRIORITY_CLASS];
            gang_job_read_edges(fields[GANG_JOB_ROLE_DEPENDS_ON], role, arena);
            /* The plan of the gang that has a role elsewhere marks its pods: here it is outside. */
            word = gang_job_read_word(fields[GANG_JOB_ROLE_MEMBERSHIP], membership_wish_names);
            role->elsewhere = word > WISH_OUTSIDE;
            role->wish = role->elsewhere ? WISH_OUTSIDE : (enum membership_wish)word;
            role->retries = node_is_true(fields[GANG_JOB_ROLE_RETRIES]);
            role->group = node_string(fields[GANG_JOB_ROLE_GROUP]);
        }
    }
}

static void
gang_job_read_groups(const struct node *list, struct gang_job *job, struct arena *arena)
{
    if (!list)
        return;
    job->groups = arena_array(arena, node_count(list), sizeof(*job->groups));
    if (!job->groups)
        return;
    for (NODE_EACH(item, list))
        job->groups[job->num_groups++] = (struct gang_group){
            .name = node_string(node_member(item, SLICE("name"))),
            .minimum = gang_job_read_number(node_member(item, SLICE("minimum")), -1),
            .role = ROLE_NONE,
            .placement = gang_job_read_topology(node_member(item, SLICE("topology"))),
            .source = item,
        };
    gang_job_link_groups(job, arena);
}

/* ---- the job ---- */

static void
gang_job_translate(const struct job_source *source, uint64_t gang, struct gang_job *job)
{
    const struct node *fields[GANG_JOB_FIELDS];
    const struct node *elsewhere;
    const struct node *timeout;
    const struct node *name;

    schema_members(&gang_job_spec_schema, source->spec, fields);
    elsewhere = fields[GANG_JOB_MANAGED_ELSEWHERE];
    name = node_member(fields[GANG_JOB_OWNER], SLICE("name"));
    job->owner.api_version = node_string(node_member(fields[GANG_JOB_OWNER], SLICE("apiVersion")));
    job->owner.kind = node_string(node_member(fields[GANG_JOB_OWNER], SLICE("kind")));
    job->owner.uid = node_string(node_member(fields[GANG_JOB_OWNER], SLICE("uid")));
    job->owner.is_no_object =
        slice_equal(job->owner.kind, pod_list_job_kind.kind) &&
        slice_equal(job->owner.api_version, pod_list_job_kind.api_versions[0]);
    if (name) {
        job->owner.name = node_string(name);
        job->owner.name_source = name;
    }
    timeout = fields[GANG_JOB_TIMEOUT];
    gang_job_read_wish(fields[GANG_JOB_BACKEND], &job->wishes.backend);
    gang_job_read_wish(fields[GANG_JOB_QUEUE], &job->wishes.queue);
    gang_job_read_wish(fields[GANG_JOB_PRIORITY_CLASS], &job->wishes.priority_class_name);
    job->wishes.has_timeout = node_int(timeout, &job->wishes.timeout_seconds);
    job->wishes.timeout_source = job->wishes.has_timeout ? timeout : NULL;
    job->placement = gang_job_read_topology(fields[GANG_JOB_TOPOLOGY]);
    job->group_name = node_string(fields[GANG_JOB_GROUP_NAME]);
    job->suspended = node_is_true(fields[GANG_JOB_SUSPEND]);
    job->managed_elsewhere = node_is_true(elsewhere) ? elsewhere : NULL;
    job->minimum_source = fields[GANG_JOB_MINIMUM];
    job->minimum = gang_job_read_number(fields[GANG_JOB_MINIMUM], 0);
    job->marks_pods = slice_equal(node_string(fields[GANG_JOB_POD_MARKS]), SLICE("Pod"));
    gang_job_read_roles(fields[GANG_JOB_ROLES], job, source->arena);
    gang_job_read_groups(fields[GANG_JOB_GROUPS], job, source->arena);
    if (node_is_true(fields[GANG_JOB_NO_GANG]))
        gang_job_stand_back(job, fields[GANG_JOB_NO_GANG], "spec.noGang of the GangJob is true");
    gang_job_take_stage(job, gang, source);
}

const struct job_kind gang_job_job_kind = {
    .api_versions = {SLICE_INIT(GANG_API_VERSION)},
    .kind = SLICE_INIT(GANG_KIND_JOB),
    .schema = &gang_job_schema,
    .template_fields = TEMPLATE_BUILT_IN,
    .is_strict = true,
    .has_stages = true,
    .translate = gang_job_translate,
};
