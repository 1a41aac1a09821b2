/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-json-c.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "libgang/decide/decision.h"
#include "libgang/render/render.h"

/* ---- a tree as a document ---- */

/*
 * The shortest text that has the same value: libgang keeps a fraction of up to 17 digits. The
 * locale can have another decimal point.
 */
static struct slice
double_text(double number, char *digits, size_t size)
{
    int len = 0;

    if (!isfinite(number))
        return NO_SLICE;
    for (int precision = DBL_DIG; precision <= DBL_DIG + 2; precision++) {
        len = snprintf(digits, size, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    for (char *at = digits; *at; at++)
        if (!strchr("0123456789+-e", *at))
            *at = '.';
    return (struct slice){digits, (size_t)len};
}

/* A number above the range of int64 can be within that of uint64. */
static struct slice
integer_text(const struct json_object *value, char *digits, size_t size)
{
    const int64_t number = json_object_get_int64(value);
    const int len =
        number == INT64_MAX
            ? snprintf(digits, size, "%llu", (unsigned long long)json_object_get_uint64(value))
            : snprintf(digits, size, "%lld", (long long)number);

    return (struct slice){digits, (size_t)len};
}

static void
look(const void *from, struct tree_value *out)
{
    static const enum node_kind kinds[] = {
        [json_type_null] = NODE_NULL,     [json_type_boolean] = NODE_BOOL,
        [json_type_double] = NODE_NUMBER, [json_type_int] = NODE_INT,
        [json_type_object] = NODE_MAP,    [json_type_array] = NODE_LIST,
        [json_type_string] = NODE_STRING,
    };
    /* json-c declares readers of text without const */
    struct json_object *value = (struct json_object *)from;

    out->kind = kinds[json_object_get_type(value)];
    out->text = NO_SLICE;
    if (out->kind == NODE_BOOL)
        out->text = json_object_get_boolean(value) ? SLICE("true") : SLICE("false");
    else if (out->kind == NODE_INT)
        out->text = integer_text(value, out->digits, sizeof(out->digits));
    else if (out->kind == NODE_NUMBER)
        out->text = double_text(json_object_get_double(value), out->digits, sizeof(out->digits));
    else if (out->kind == NODE_STRING)
        out->text = (struct slice){json_object_get_string(value),
                                   (size_t)json_object_get_string_len(value)};
}

static bool
next(const void *container, struct tree_place *place, struct tree_child *child)
{
    struct json_object *value = (struct json_object *)container;
    const struct lh_entry *entry;

    if (json_object_is_type(value, json_type_array)) {
        if (place->index >= json_object_array_length(value))
            return false;
        child->value = json_object_array_get_idx(value, place->index++);
        return true;
    }
    entry = place->index++ ? place->next : lh_table_head(json_object_get_object(value));
    if (!entry)
        return false;
    place->next = lh_entry_next(entry);
    *child = (struct tree_child){slice_from_text(lh_entry_k(entry)), lh_entry_v(entry)};
    return true;
}

int
gang_document_parse_json_c(const struct gang_context *context, struct json_object *root,
                           uint32_t flags, struct gang_document **out, struct gang_error **err)
{
    const struct document_tree tree = {.root = root, .look = look, .next = next};

    return gang_private_document_parse(context, &tree, flags, out, err);
}

/* ---- a plan as a tree ---- */

static bool make_value(const struct node *node, struct json_object **out);

/* json-c needs keys that end in NUL, and copies them. */
static bool
add_member(struct json_object *map, const struct node *node, struct json_object *value)
{
    char *key = malloc((size_t)node->key_len + 1);
    int result = -1;

    if (key) {
        memcpy(key, node->key, node->key_len);
        key[node->key_len] = '\0';
        result = json_object_object_add(map, key, value);
    }
    free(key);
    return result == 0;
}

/* Takes the value, also if it fails. */
static bool
add_child(struct json_object *container, const struct node *node, struct json_object *value)
{
    if (json_object_is_type(container, json_type_array)
            ? json_object_array_add(container, value) == 0
            : add_member(container, node, value))
        return true;
    json_object_put(value);
    return false;
}

/*
 * Returns a map with room for its members: json-c (0.16) leaks the key of a member if its table
 * cannot grow.
 */
static struct json_object *
make_map(uint32_t count)
{
    struct json_object *map = json_object_new_object();

    if (!map || count <= JSON_OBJECT_DEF_HASH_ENTRIES / 2 ||
        lh_table_resize(json_object_get_object(map), (int)(2 * count)) == 0)
        return map;
    json_object_put(map);
    return NULL;
}

static bool
make_container(const struct node *node, struct json_object **out)
{
    struct json_object *container =
        node->kind == NODE_LIST ? json_object_new_array() : make_map(node->len);

    *out = container;
    for (NODE_EACH(child, node)) {
        struct json_object *value = NULL;

        if (!container || !make_value(child, &value) || !add_child(container, child, value)) {
            json_object_put(container);
            *out = NULL;
            return false;
        }
    }
    return container != NULL;
}

/* The text of a number ends where its node says. */
static struct json_object *
make_integer(const struct node *node)
{
    char digits[sizeof("-9223372036854775808")];

    memcpy(digits, node->as.text, node->len);
    digits[node->len] = '\0';
    return json_object_new_int64(strtoll(digits, NULL, 10));
}

/* json-c reads the text of a number whatever the locale. */
static struct json_object *
make_number(const struct node *node)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *number;

    if (!tokener)
        return NULL;
    number = json_tokener_parse_ex(tokener, node->as.text, (int)node->len);
    if (!number) /* it waits for more digits, or a byte that ends them */
        number = json_tokener_parse_ex(tokener, "", 1);
    json_tokener_free(tokener);
    return number;
}

/* False if it is out of memory. NULL is null. */
static bool
make_value(const struct node *node, struct json_object **out)
{
    switch ((enum node_kind)node->kind) {
    case NODE_NULL:
        return true;
    case NODE_BOOL:
        *out = json_object_new_boolean(node->as.text[0] == 't');
        break;
    case NODE_INT:
        *out = make_integer(node);
        break;
    case NODE_NUMBER:
        *out = make_number(node);
        break;
    case NODE_STRING:
        *out = json_object_new_string_len(node->as.text, (int)node->len);
        break;
    default:
        return make_container(node, out);
    }
    return *out != NULL;
}

static bool
take_document(void *data, const struct node *root)
{
    return make_value(root, data);
}

/* The list of objects begins without one. */
static bool
take_object(void *data, const struct node *root)
{
    struct json_object **list = data;
    struct json_object *object = NULL;

    if (root)
        return make_value(root, &object) && add_child(*list, NULL, object);
    *list = json_object_new_array();
    return *list != NULL;
}

int
gang_plan_to_json_c(const struct gang_context *context, const struct gang_plan *plan, int target,
                    struct json_object **out, struct gang_error **err)
{
    struct json_object *made = NULL;
    const struct node_taker taker = {target == GANG_TARGET_OBJECTS ? take_object : take_document,
                                     &made};
    /* without `out` there is no plan to take from, which is an error */
    const int result = gang_private_plan_take(context, out ? plan : NULL, target, &taker, err);

    if (result)
        json_object_put(made);
    if (out)
        *out = result ? NULL : made;
    return result;
}
