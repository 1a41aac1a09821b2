/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/names.h"

#include "libgang/document/document.h"
#include "libgang/document/schema.h"

/* kubernetes/apimachinery:pkg/api/validation/objectmeta.go TotalAnnotationSizeLimitB */
enum { OBJECT_META_LARGEST_ANNOTATIONS = 256 * 1024 };

static struct slice
object_meta_text(const struct node *member, struct report *report)
{
    struct slice text = node_string(member);

    if (text.len && memchr(text.data, '\0', text.len))
        find_invalid(report, member, MESSAGE_NUL_CHARACTER);
    return text.len ? text : NO_SLICE;
}

/* A valid name has no NUL character. */
static struct slice
object_meta_namespace(const struct node *member, struct report *report)
{
    struct slice text = node_string(member);

    if (!text.len)
        return NO_SLICE;
    if (name_is_valid(NAME_DNS1123_LABEL, text))
        return text;
    name_check_node(member, NAME_DNS1123_LABEL, GANG_CODE_INVALID_NAME, NULL, report);
    return object_meta_text(member, report);
}

static void
object_meta_check_key(enum name_rule rule, const struct node *member, struct report *report)
{
    name_check_key(member, rule, GANG_CODE_INVALID_LABEL_KEY,
                   "write the key as `name` or `prefix/name`, the prefix in lower case", report);
}

void
object_meta_check_labels(const struct node *labels, struct report *report)
{
    if (!node_is(labels, NODE_MAP))
        return;
    for (NODE_EACH(member, labels)) {
        object_meta_check_key(NAME_QUALIFIED, member, report);
        name_check_node(
            member, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE,
            "use at most 63 letters, digits, '-', '_' and '.', alphanumeric at both ends", report);
    }
}

void
object_meta_check_annotations(const struct node *annotations, struct report *report)
{
    size_t total = 0;

    if (!node_is(annotations, NODE_MAP))
        return;
    for (NODE_EACH(member, annotations)) {
        object_meta_check_key(NAME_ANNOTATION_KEY, member, report);
        total += member->key_len + node_text(member).len;
    }
    if (total > OBJECT_META_LARGEST_ANNOTATIONS)
        find_note(report, annotations, MESSAGE_ANNOTATIONS_TOO_LARGE,
                  OBJECT_META_LARGEST_ANNOTATIONS);
}

/*
 * kubernetes/apimachinery:pkg/apis/meta/v1/types.go ObjectMeta. Fields that a server or a
 * controller writes are accepted, but their values are not checked, because no decision depends on
 * them.
 */
static const struct schema object_meta_any = {.type = SCHEMA_ANY};
static const struct schema object_meta_string = {.type = SCHEMA_STRING};
static const struct schema object_meta_strings = {.type = SCHEMA_MAP,
                                                  .values = &object_meta_string};
enum {
    OBJECT_META_ANNOTATIONS = 0,
    OBJECT_META_GENERATE_NAME = 5,
    OBJECT_META_LABELS = 7,
    OBJECT_META_NAME = 9,
    OBJECT_META_NAMESPACE,
    OBJECT_META_UID = 14,
    OBJECT_META_FIELDS,
};
static const struct schema_field object_meta_fields[OBJECT_META_FIELDS] = {
    [OBJECT_META_ANNOTATIONS] = SCHEMA_ROW("annotations", &object_meta_strings, false),
    SCHEMA_ROW("creationTimestamp", &object_meta_any, false),
    SCHEMA_ROW("deletionGracePeriodSeconds", &object_meta_any, false),
    SCHEMA_ROW("deletionTimestamp", &object_meta_any, false),
    SCHEMA_ROW("finalizers", &object_meta_any, false),
    [OBJECT_META_GENERATE_NAME] = SCHEMA_ROW("generateName", &object_meta_string, false),
    SCHEMA_ROW("generation", &object_meta_any, false),
    [OBJECT_META_LABELS] = SCHEMA_ROW("labels", &object_meta_strings, false),
    SCHEMA_ROW("managedFields", &object_meta_any, false),
    [OBJECT_META_NAME] = SCHEMA_ROW("name", &object_meta_string, false),
    [OBJECT_META_NAMESPACE] = SCHEMA_ROW("namespace", &object_meta_string, false),
    SCHEMA_ROW("ownerReferences", &object_meta_any, false),
    SCHEMA_ROW("resourceVersion", &object_meta_any, false),
    SCHEMA_ROW("selfLink", &object_meta_any, false),
    [OBJECT_META_UID] = SCHEMA_ROW("uid", &object_meta_string, false),
};
const struct schema object_meta_schema = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(object_meta_fields, 0),
};

/*
 * kubernetes/apiserver:pkg/storage/names/generate.go SimpleNameGenerator: five letters or digits,
 * among them x, follow at most 58 bytes. The prefix is checked as a name, with its last two bytes
 * masked: kubernetes/apimachinery:pkg/api/validation/generic.go maskTrailingDash.
 */
enum { OBJECT_META_LONGEST_PREFIX = 58 };

SELDOM static void
object_meta_generate_name(struct object_meta *meta, const struct node *prefix,
                          struct report *report)
{
    struct slice text = object_meta_text(prefix, report);
    struct slice masked = text;

    if (!text.len)
        return;
    if (text.len > 1 && text.data[text.len - 1] == '-')
        masked = ARENA_SLICE(report->arena, "%.*sa", (int)text.len - 2, text.data);
    name_check_made(masked, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, prefix, NULL, report);
    if (text.len > OBJECT_META_LONGEST_PREFIX)
        text.len = OBJECT_META_LONGEST_PREFIX;
    meta->name = ARENA_SLICE(report->arena, "%.*sxxxxx", SLICE_ARG(text));
    meta->name_source = prefix;
    meta->name_is_generated = true;
}

SELDOM void
object_meta_require_name(const struct object_meta *meta, struct report *report)
{
    const char *hint =
        node_member(meta->source, SLICE("generateName"))
            ? "write metadata.name; libgang needs it before the API server generates a name"
            : "write metadata.name";

    find_required(report, meta->source, SLICE("name"), GANG_CODE_REQUIRED_FIELD, hint, "%s", "");
}

void
object_meta_check_name(const struct object_meta *meta, enum name_rule rule, enum gang_code code,
                       struct report *report)
{
    if (slice_is_set(meta->name))
        name_check_made(meta->name, rule, code, meta->name_source, NULL, report);
}

struct object_meta
object_meta_read(const struct node *root, enum object_names names, struct report *report)
{
    const struct node *metadata = node_member(root, SLICE("metadata"));
    const struct node *fields[OBJECT_META_FIELDS];
    struct object_meta meta;

    schema_check_members(&object_meta_schema, metadata, fields, report);
    meta = (struct object_meta){
        .name = object_meta_text(fields[OBJECT_META_NAME], report),
        .namespace_ = object_meta_namespace(fields[OBJECT_META_NAMESPACE], report),
        .uid = object_meta_text(fields[OBJECT_META_UID], report),
        .labels = fields[OBJECT_META_LABELS],
        .annotations = fields[OBJECT_META_ANNOTATIONS],
        .source = metadata,
        .name_source = fields[OBJECT_META_NAME],
    };
    if (!slice_is_set(meta.name) && !node_text(meta.name_source).len) {
        if (names == NAMES_GENERATED_TOO)
            object_meta_generate_name(&meta, fields[OBJECT_META_GENERATE_NAME], report);
        if (!meta.source)
            find_required(report, root, SLICE("metadata.name"), GANG_CODE_REQUIRED_FIELD,
                          "write metadata.name", "%s", "");
        else if (!meta.name_is_generated)
            object_meta_require_name(&meta, report);
    }
    object_meta_check_labels(meta.labels, report);
    object_meta_check_annotations(meta.annotations, report);
    return meta;
}

const struct node *
object_meta_controller(const struct node *metadata)
{
    for (NODE_EACH(owner, node_member(metadata, SLICE("ownerReferences"))))
        if (node_is_true(node_member(owner, SLICE("controller"))))
            return owner;
    return NULL;
}

const struct node *
status_condition(const struct node *status, struct slice type)
{
    for (NODE_EACH(condition, node_member(status, SLICE("conditions"))))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), type))
            return condition;
    return NULL;
}
