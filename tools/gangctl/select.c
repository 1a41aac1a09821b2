/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "live.h"

/* The characters of label keys and values. kubernetes/apimachinery:pkg/util/validation. */
static size_t
word_length(const char *at)
{
    size_t len = 0;

    while (ascii_is(at[len], ASCII_LETTER | ASCII_DIGIT | ASCII_DASH | ASCII_UNDERSCORE |
                                 ASCII_DOT | ASCII_SLASH))
        len++;
    return len;
}

static const char *
skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

static size_t
read_value(struct requirement *requirement, const char *at)
{
    const size_t len = word_length(at);

    APPEND(requirement->values, requirement->num_values, must_copy(at, len));
    return len;
}

/* Reads "(b, c)". Returns the end; NULL if it is no set. */
static const char *
read_set(struct requirement *requirement, const char *at)
{
    if (*at != '(')
        return NULL;
    do {
        at = skip_blanks(at + 1);
        at = skip_blanks(at + read_value(requirement, at));
    } while (*at == ',');
    return *at == ')' ? at + 1 : NULL;
}

/*
 * Reads "a", "!a", "a=b", "a==b", "a!=b", "a in (b, c)" or "a notin (b)". Returns the end; NULL if
 * it is none of them.
 */
static const char *
read_requirement(struct requirement *requirement, const char *at)
{
    const bool is_absent = *at == '!';
    size_t len;

    at = skip_blanks(at + is_absent);
    len = word_length(at);
    requirement->key = must_copy(at, len);
    requirement->is_not = is_absent;
    if (!len || is_absent)
        return len ? at + len : NULL;
    at = skip_blanks(at + len);
    requirement->is_not = *at == '!' || strncmp(at, "notin", 5) == 0;
    if (*at == '=' || *at == '!') {
        at += requirement->is_not;
        if (*at != '=')
            return NULL;
        at = skip_blanks(at + 1 + (at[1] == '='));
        return at + read_value(requirement, at);
    }
    if (requirement->is_not || strncmp(at, "in", 2) == 0)
        return read_set(requirement, skip_blanks(at + (requirement->is_not ? 5 : 2)));
    return at;
}

bool
selection_add_labels(struct selection *selection, const char *text)
{
    const char *at = skip_blanks(text);

    if (!*at)
        return true; /* as in kubectl, an empty selector selects everything */
    for (;;) {
        struct requirement requirement = {0};

        at = read_requirement(&requirement, at);
        APPEND(selection->requirements, selection->num_requirements, requirement);
        if (!at)
            return false;
        at = skip_blanks(at);
        if (!*at)
            return true;
        if (*at != ',')
            return false;
        at = skip_blanks(at + 1);
    }
}

static bool
is_name(const char *name, const char *wanted, size_t len)
{
    return name && strlen(name) == len && memcmp(name, wanted, len) == 0;
}

bool
selection_has(const struct selection *selection, const struct document *job)
{
    const char *space = selection->namespace_;
    const char *slash = selection->job ? strchr(selection->job, '/') : NULL;
    const char *name = slash ? slash + 1 : selection->job;
    bool has =
        (!name || is_name(document_title(job), name, strlen(name))) &&
        (!slash || is_name(job->namespace_, selection->job, (size_t)(slash - selection->job))) &&
        (!space || is_name(job->namespace_, space, strlen(space)));
    struct json_object *tree;
    struct json_object *items;

    if (!has || !selection->num_requirements)
        return has;
    tree = document_tree(job->data, job->len);
    items = tree_member(tree, "items");
    if (json_object_is_type(items, json_type_array)) /* the labels of the first pod, as for rules */
        tree = json_object_array_get_idx(items, 0);
    for (EACH(const struct requirement, one, selection->requirements,
              selection->num_requirements)) {
        const char *value =
            tree_text(tree_member(tree_member(tree, "metadata"), "labels"), one->key);
        bool is_found = value && !one->num_values;

        for (size_t k = 0; value && k < one->num_values; k++)
            is_found |= strcmp(value, one->values[k]) == 0;
        /* As Kubernetes does, "a!=b" and "a notin (b)" also select what has no label a. */
        has &= is_found != one->is_not;
    }
    return has;
}
