/* SPDX-License-Identifier: Apache-2.0 */
#include "workload_shape.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEMPLATES = 8 };

static struct json_object *
member(struct json_object *object, const char *key)
{
    return json_object_object_get(object, key);
}

static const char *
text(struct json_object *object, const char *key)
{
    struct json_object *value = member(object, key);

    return value ? json_object_get_string(value) : "";
}

static bool
is(struct json_object *object, const char *key, const char *value)
{
    return strcmp(text(object, key), value) == 0;
}

static size_t
length(struct json_object *list)
{
    return list ? json_object_array_length(list) : 0;
}

static struct json_object *
manifest_at(struct json_object *plan, size_t index)
{
    return member(json_object_array_get_idx(member(plan, "objects"), index), "object");
}

static const char *
name_of(struct json_object *manifest)
{
    return text(member(manifest, "metadata"), "name");
}

static struct json_object *
find_named(struct json_object *list, const char *name)
{
    for (size_t i = 0; i < length(list); i++)
        if (is(json_object_array_get_idx(list, i), "name", name))
            return json_object_array_get_idx(list, i);
    return NULL;
}

static struct json_object *
composite_of(struct json_object *workload)
{
    struct json_object *composites = member(member(workload, "spec"), "compositePodGroupTemplates");

    return composites ? json_object_array_get_idx(composites, 0) : NULL;
}

/* The templates of PodGroups, which a composite holds when there is one. */
static struct json_object *
templates_of(struct json_object *workload)
{
    struct json_object *composite = composite_of(workload);

    return member(composite ? composite : member(workload, "spec"), "podGroupTemplates");
}

/* The fields of a group object except its references must equal its template. */
static struct json_object *
own_words(struct json_object *spec, const char *const *less)
{
    struct json_object *rest = json_tokener_parse(json_object_to_json_string(spec));

    for (; *less; less++)
        json_object_object_del(rest, *less);
    return rest;
}

static bool
says_the_same(struct json_object *group, struct json_object *template)
{
    static const char *const belongs[] = {"workloadRef", "podGroupTemplateRef",
                                          "parentCompositePodGroupName", NULL};
    static const char *const names[] = {"name", "podGroupTemplates", "compositePodGroupTemplates",
                                        NULL};
    struct json_object *one = own_words(member(group, "spec"), belongs);
    struct json_object *other = own_words(template, names);
    bool same = json_object_equal(one, other);

    json_object_put(one);
    json_object_put(other);
    return same;
}

static struct json_object *
template_of_group(struct json_object *workload, struct json_object *group)
{
    struct json_object *flat = member(member(group, "spec"), "workloadRef");
    struct json_object *nested =
        member(member(member(group, "spec"), "podGroupTemplateRef"), "workload");
    const char *name = flat ? text(flat, "templateName") : text(nested, "podGroupTemplateName");
    struct json_object *composite = composite_of(workload);

    if (!is(flat ? flat : nested, "workloadName", name_of(workload)))
        return NULL;
    if (is(group, "kind", "CompositePodGroup"))
        return composite && is(composite, "name", name) ? composite : NULL;
    return find_named(templates_of(workload), name);
}

/* The name of the CompositePodGroup, "" without one, which stands behind the Workload. */
static const char *
name_of_parent(struct json_object *plan)
{
    return composite_of(manifest_at(plan, 0)) ? name_of(manifest_at(plan, 1)) : "";
}

static const char *
group_fault(struct json_object *plan, struct json_object *group)
{
    struct json_object *workload = manifest_at(plan, 0);
    struct json_object *template = template_of_group(workload, group);
    bool is_parent = is(group, "kind", "CompositePodGroup");

    if (!is(group, "apiVersion", text(workload, "apiVersion")))
        return "objects of two versions";
    if (!template)
        return "a group refers to no template of its Workload";
    if (!says_the_same(group, template))
        return "a group says something else than its template";
    if (!is(member(group, "spec"), "parentCompositePodGroupName",
            is_parent ? "" : name_of_parent(plan)))
        return "a group has not the composite as its parent";
    return NULL;
}

static bool
is_pod_group(struct json_object *plan, const char *name)
{
    for (size_t i = 1; i < length(member(plan, "objects")); i++)
        if (is(manifest_at(plan, i), "kind", "PodGroup") &&
            strcmp(name_of(manifest_at(plan, i)), name) == 0)
            return true;
    return false;
}

static const char *
mark_fault(struct json_object *plan, struct json_object *patch)
{
    struct json_object *workload = manifest_at(plan, 0);
    struct json_object *embedded = member(member(workload, "spec"), "podGroups");
    struct json_object *reference = member(member(patch, "spec"), "workloadRef");
    struct json_object *group = member(member(patch, "spec"), "schedulingGroup");

    if (group && (embedded || !is_pod_group(plan, text(group, "podGroupName"))))
        return "a mark names no PodGroup that is rendered";
    if (reference && (!is(reference, "name", name_of(workload)) ||
                      !find_named(embedded, text(reference, "podGroup"))))
        return "a mark names no group of the Workload";
    return NULL;
}

const char *
workload_shape_fault(struct json_object *plan)
{
    size_t count = length(member(plan, "objects"));
    struct json_object *workload = count ? manifest_at(plan, 0) : NULL;
    struct json_object *embedded = member(member(workload, "spec"), "podGroups");
    size_t templates = length(embedded ? embedded : templates_of(workload));
    const char *fault = NULL;

    if (!workload)
        return NULL;
    if (!is(workload, "kind", "Workload"))
        return "the Workload is not the first object";
    if (templates < 1 || templates > MOST_TEMPLATES)
        return "a Workload with no templates or too many";
    if (count != 1 + (embedded ? 0 : templates + (composite_of(workload) != NULL)))
        return "not one object for each template";
    for (size_t i = 1; !fault && i < count; i++)
        fault = group_fault(plan, manifest_at(plan, i));
    for (size_t i = 0; !fault && i < length(member(plan, "patches")); i++)
        fault = mark_fault(plan, json_object_array_get_idx(member(plan, "patches"), i));
    return fault;
}

/* Objects and patches without the versions of the API. */
static char *
without_version(struct json_object *plan)
{
    static const char *const versions[] = {"scheduling.k8s.io/v1alpha3",
                                           "scheduling.k8s.io/v1beta1"};
    static const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
    const char *objects = json_object_to_json_string_ext(member(plan, "objects"), flags);
    const char *patches = json_object_to_json_string_ext(member(plan, "patches"), flags);
    char *out = malloc(strlen(objects) + strlen(patches) + 1);

    strcat(strcpy(out, objects), patches);
    for (size_t i = 0; i < 2; i++)
        for (char *at; (at = strstr(out, versions[i]));)
            memmove(at, at + strlen(versions[i]), strlen(at + strlen(versions[i])) + 1);
    return out;
}

static const char *
fault_of_twins(struct json_object *one, struct json_object *other)
{
    char *texts[] = {without_version(one), without_version(other)};
    bool same = strcmp(texts[0], texts[1]) == 0;

    free(texts[0]);
    free(texts[1]);
    return same ? NULL : "v1alpha3 and v1beta1 differ in more than their names";
}

static bool
is_of_1_37(struct json_object *plan)
{
    const char *version = text(manifest_at(plan, 0), "apiVersion");

    return strstr(version, "v1alpha3") || strstr(version, "v1beta1");
}

/* The names of all objects in order, one version's list of them a part of the other's when it has
 * no PodGroups. */
static const char *
fault_of_names(struct json_object *one, struct json_object *other)
{
    size_t count = length(member(one, "objects"));
    size_t others = length(member(other, "objects"));

    for (size_t i = 0; i < count && i < others; i++)
        if (strcmp(name_of(manifest_at(one, i)), name_of(manifest_at(other, i))) != 0)
            return "a version changes a name";
    if (count == 1 || others == 1)
        return NULL;
    if (count != others)
        return "a version changes how many objects there are";
    return json_object_equal(member(one, "patches"), member(other, "patches"))
               ? NULL
               : "a version changes a mark";
}

const char *
workload_version_fault(struct json_object *one, struct json_object *other)
{
    bool rendered = length(member(one, "objects")) && length(member(other, "objects"));

    if (!rendered)
        return length(member(one, "objects")) == length(member(other, "objects"))
                   ? NULL
                   : "refused by one version alone";
    if (is_of_1_37(one) && is_of_1_37(other))
        return fault_of_twins(one, other);
    return fault_of_names(one, other);
}
