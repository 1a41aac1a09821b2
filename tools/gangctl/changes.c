/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "diff.h"
#include "text.h"
#include "tree.h"

static bool
is_equal(struct json_object *old, struct json_object *new)
{
    struct text one = {0};
    struct text other = {0};
    bool is;

    manifest_add(&one, old);
    manifest_add(&other, new);
    is = one.len == other.len && (!one.len || memcmp(one.data, other.data, one.len) == 0);
    text_free(&one);
    text_free(&other);
    return is;
}

void
changes_add(struct changes *changes, struct json_object *old, struct json_object *new,
            const char *word)
{
    if (old && new &&is_equal(old, new)) {
        changes->equal++;
        json_object_put(old);
        json_object_put(new);
        return;
    }
    changes->items = must_reallocate(changes->items, changes->count + 1, sizeof(*changes->items));
    changes->items[changes->count++] = (struct change){
        .old = old,
        .new = new,
        .word = !old   ? "Added"
                : !new ? "Removed"
                : word ? word
                       : "Changed",
    };
}

/* ---- as text ---- */

static void
add_title(struct text *out, const char *mark, const char *side, struct json_object *tree)
{
    struct json_object *metadata = tree_member(tree, "metadata");
    const char *const words[] = {tree_text(tree, "apiVersion"), tree_text(tree, "kind")};
    const char *space = tree_text(metadata, "namespace");
    const char *name = tree_text(metadata, "name");
    struct text line = {0};

    text_addf(&line, "%s %s", mark, side);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        text_addf(&line, " %s", words[i] ? words[i] : "-");
    text_addf(&line, " %s%s%s", space ? space : "", space ? "/" : "", name ? name : "");
    text_add_printable(out, line.data);
    text_add(out, "\n");
    text_free(&line);
}

static void
add_hunks_of(struct text *out, const struct changes *changes, const struct change *change)
{
    const bool is_recreated = strcmp(change->word, "Recreated") == 0;
    struct text old = {0};
    struct text new = {0};
    struct text hunks = {0};

    manifest_add(&old, change->old);
    manifest_add(&new, change->new);
    line_diff_add(&hunks, &old, &new);
    add_title(out, "---", changes->old_side, change->old ? change->old : change->new);
    add_title(out, "+++", is_recreated ? "recreated" : changes->new_side,
              change->new ? change->new : change->old);
    text_add_printable_lines(out, hunks.data, hunks.len);
    text_free(&old);
    text_free(&new);
    text_free(&hunks);
}

/* ---- as a document ---- */

static struct json_object *
change_tree(const struct change *change)
{
    struct json_object *document = change->new ? change->new : change->old;
    struct json_object *metadata = tree_member(document, "metadata");
    struct json_object *tree = tree_map();

    tree_put_text(tree, "change", change->word);
    tree_put_text(tree, "apiVersion", tree_text(document, "apiVersion"));
    tree_put_text(tree, "kind", tree_text(document, "kind"));
    tree_put_text(tree, "namespace", tree_text(metadata, "namespace"));
    tree_put_text(tree, "name", tree_text(metadata, "name"));
    if (change->old && change->new)
        tree_put(tree, "fields", manifest_list_changes(change->old, change->new));
    return tree;
}

static size_t
count_word(const struct changes *changes, const char *word)
{
    size_t count = 0;

    for (size_t i = 0; i < changes->count; i++)
        count += strcmp(changes->items[i].word, word) == 0;
    return count;
}

static void
add_document(struct text *out, const struct changes *changes, enum output output)
{
    static const char *const totals[][2] = {{"added", "Added"},
                                            {"removed", "Removed"},
                                            {"changed", "Changed"},
                                            {"recreated", "Recreated"}};
    struct json_object *root = tree_map();
    struct json_object *list = tree_must(json_object_new_array());
    struct text json = {0};

    for (size_t i = 0; i < changes->count; i++)
        json_object_array_add(list, change_tree(&changes->items[i]));
    tree_put(root, "changes", list);
    for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++)
        tree_put(root, totals[i][0],
                 tree_must(json_object_new_int64((int64_t)count_word(changes, totals[i][1]))));
    tree_put(root, "equal", tree_must(json_object_new_int64((int64_t)changes->equal)));
    tree_add_json(&json, root, JSON_C_TO_STRING_PRETTY);
    text_add(&json, "\n");
    if (output == OUTPUT_YAML)
        text_add_as_yaml(out, &json);
    else
        text_add_bytes(out, json.data, json.len);
    text_free(&json);
    json_object_put(root);
}

void
changes_print(struct text *out, const struct changes *changes, enum output output)
{
    if (output == OUTPUT_JSON || output == OUTPUT_YAML) {
        add_document(out, changes, output);
        return;
    }
    for (size_t i = 0; i < changes->count; i++)
        add_hunks_of(out, changes, &changes->items[i]);
}

void
changes_free(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        json_object_put(changes->items[i].old);
        json_object_put(changes->items[i].new);
    }
    free(changes->items);
    *changes = (struct changes){0};
}
