/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "support/cases.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <gang/gang.h>

static void *
grown(void *items, size_t count, size_t size)
{
    void *larger = realloc(items, (count + 1) * size);

    if (!larger)
        exit(2);
    return larger;
}

static char *
joined(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);

    if (!path)
        exit(2);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool
has_suffix(const char *name, const char *suffix)
{
    size_t len = strlen(name);

    return len >= strlen(suffix) && strcmp(name + len - strlen(suffix), suffix) == 0;
}

static bool
is_document(const char *name)
{
    return has_suffix(name, ".yaml") || has_suffix(name, ".yml") || has_suffix(name, ".json");
}

static void
keep_first(struct text *slot, const char *data, size_t len)
{
    if (slot->data)
        return;
    slot->data = malloc(len + 1);
    if (!slot->data)
        exit(2);
    memcpy(slot->data, data, len);
    slot->data[len] = '\0';
    slot->len = len;
}

static struct text *
slot_of_kind(struct test_case *item, const char *kind)
{
    if (!kind)
        return NULL;
    if (strcmp(kind, GANG_KIND_TRAINJOB) == 0 ||
        gang_document_type_of(NULL, kind) == GANG_DOCUMENT_JOB)
        return &item->trainjob;
    if (strcmp(kind, GANG_KIND_PODGANG) == 0)
        return &item->podgang;
    if (strcmp(kind, GANG_KIND_PODCLIQUESET) == 0)
        return &item->podcliqueset;
    if (strcmp(kind, GANG_KIND_POLICY) == 0)
        return &item->policy;
    if (strcmp(kind, GANG_KIND_CLUSTER) == 0)
        return &item->cluster;
    return has_suffix(kind, GANG_KIND_TRAINING_RUNTIME) ? &item->runtime : NULL;
}

/* For a text that is broken on purpose, the file name gives its kind. */
static struct text *
slot_of_name(struct test_case *item, const char *name)
{
    if (strncmp(name, "runtime", 7) == 0)
        return &item->runtime;
    if (strncmp(name, "podgang", 7) == 0)
        return &item->podgang;
    if (strncmp(name, "podcliqueset", 12) == 0)
        return &item->podcliqueset;
    if (strncmp(name, "policy", 6) == 0)
        return &item->policy;
    if (strncmp(name, "cluster.", 8) == 0)
        return &item->cluster;
    return strncmp(name, "trainjob", 8) == 0 ? &item->trainjob : NULL;
}

/* Says whether the text holds an input, rather than what is expected of one. */
static bool
sort_documents(struct test_case *item, const char *name, const struct text *text)
{
    struct gang_stream *stream;
    struct text *slot = slot_of_name(item, name);
    bool is_input = slot != NULL;
    size_t len;

    if (gang_stream_parse(NULL, text->data, text->len, 0, &stream, NULL) < 0) {
        if (slot)
            keep_first(slot, text->data, text->len);
        return is_input;
    }
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        const char *data = gang_stream_get_data(stream, i, &len);

        slot = slot_of_kind(item, gang_stream_get_kind(stream, i));
        if (slot)
            keep_first(slot, data, len);
        is_input |= slot != NULL;
    }
    gang_stream_unref(stream);
    return is_input;
}

static void
add_file(struct test_case *item, const char *name, const char *path)
{
    struct text text = text_read(path);
    bool is_live = strncmp(name, "live.", 5) == 0;

    if (is_live)
        keep_first(&item->live, text.data, text.len);
    else if (!sort_documents(item, name, &text)) {
        text_free(&text);
        return;
    }
    item->files = grown(item->files, item->file_count, sizeof(*item->files));
    item->files[item->file_count++] = text;
}

static int
ignore_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void
load_folder(struct test_cases *cases, const char *folder)
{
    struct dirent **entries;
    struct test_case item = {.name = joined(folder, "")};
    int count = scandir(folder, &entries, ignore_hidden, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = joined(folder, entries[i]->d_name);
        struct stat status;

        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            load_folder(cases, path);
        else if (is_document(path))
            add_file(&item, entries[i]->d_name, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (!item.file_count) {
        free(item.name);
        return;
    }
    cases->items = grown(cases->items, cases->count, sizeof(*cases->items));
    cases->items[cases->count++] = item;
}

struct test_cases
cases_load(int count, char **folders)
{
    struct test_cases cases = {NULL, 0};

    for (int i = 0; i < count; i++)
        load_folder(&cases, folders[i]);
    return cases;
}

void
cases_free(struct test_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        struct test_case *item = &cases->items[i];

        for (size_t k = 0; k < item->file_count; k++)
            text_free(&item->files[k]);
        free(item->files);
        free(item->name);
        text_free(&item->runtime);
        text_free(&item->trainjob);
        text_free(&item->podgang);
        text_free(&item->podcliqueset);
        text_free(&item->policy);
        text_free(&item->cluster);
        text_free(&item->live);
    }
    free(cases->items);
}
