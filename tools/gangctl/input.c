/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "edit.h"

/* No limit of the library is larger; this one bounds the memory for an endless file. */
#define MOST_BYTES ((size_t)512 << 20)
#define MOST_DIRECTORIES 64
#define MOST_COPIED_BYTES ((size_t)1 << 30)

static const struct slice manifest_suffixes[] = {SLICE_INIT(".yaml"), SLICE_INIT(".yml"),
                                                 SLICE_INIT(".json")};

/* Always returns false, for `return` in the caller. */
static bool
cannot_read(const char *name, const char *reason)
{
    print_errorf("error: %s: %s\n", printable(name), reason);
    return false;
}

/* Adds one file to a source_list. */
static bool
read_file(void *context, const char *name)
{
    struct source_list *list = context;
    bool is_stream = strcmp(name, "-") == 0;
    FILE *file = is_stream ? stdin : fopen(name, "rb");
    struct source *source;
    struct text content = {0};
    char chunk[16384];
    const char *problem = NULL;
    size_t got;

    if (!file)
        return cannot_read(name, strerror(errno));
    source = must_allocate_zeros(1, sizeof(*source));
    source->name = input_title(name);
    APPEND(list->items, list->count, source);
    while (!problem && (got = fread(chunk, 1, sizeof(chunk), file)) > 0)
        if (content.len + got > MOST_BYTES)
            problem = "larger than 512 MiB";
        else
            text_add_bytes(&content, chunk, got);
    if (!problem && ferror(file))
        problem = strerror(errno);
    /*
     * As kubectl reads it, which matters to a block scalar in the last line. Source:
     * kubernetes/kubernetes:staging/src/k8s.io/apimachinery/pkg/util/yaml/decoder.go
     * LineReader.Read@v1.37.0
     */
    if (content.len && content.data[content.len - 1] != '\n')
        source->added_end = end_of_line_in(content.data, content.len);
    text_add(&content, source->added_end ? source->added_end : ""); /* an empty file has a text */
    source->data = content.data;
    source->len = content.len;
    if (!is_stream)
        fclose(file);
    return !problem || cannot_read(source->name, problem);
}

static bool
is_manifest_name(const char *name)
{
    const struct slice text = slice_from_text(name);

    for (size_t i = 0; i < COUNT_OF(manifest_suffixes); i++)
        if (text.len > manifest_suffixes[i].len && slice_has_suffix(text, manifest_suffixes[i]))
            return true;
    return false;
}

/* S_IFREG for a file, or a link to one if links are followed; 0 for a path that is not found. */
static mode_t
type_of(const char *path, bool follow)
{
    struct stat status;
    const int result = follow ? stat(path, &status) : lstat(path, &status);

    return result ? 0 : status.st_mode & S_IFMT;
}

/* A walk over the files of a directory. */
struct walk {
    visit_file visit;
    void *context;
    const char *root;
    unsigned flags; /* WALK_... */
};

static bool walk_directory(const struct walk *walk, const char *directory, unsigned depth);

/*
 * Whether the path is a link to a file that is not below the directory of the walk. Links within it
 * are common: the kubelet mounts a ConfigMap as such. A link to nothing is reported when it is
 * read.
 */
static bool
leaves_root(const struct walk *walk, const char *path)
{
    char *root;
    char *target;
    bool leaves = false;

    if (type_of(path, false) != S_IFLNK)
        return false;
    root = realpath(walk->root, NULL);
    target = realpath(path, NULL);
    if (root && target) {
        size_t len = strlen(root);

        leaves = strncmp(target, root, len) != 0 || (target[len] != '/' && len > 1);
    }
    free(root);
    free(target);
    return leaves;
}

static bool
walk_entry(const struct walk *walk, const char *path, unsigned depth)
{
    const mode_t type = type_of(path, true);
    const char *reason = NULL;

    if (type_of(path, false) == S_IFDIR)
        return !(walk->flags & WALK_RECURSIVE) || walk_directory(walk, path, depth + 1);
    if (!is_manifest_name(path) || type == S_IFDIR)
        return true;
    if (type && type != S_IFREG) /* reading a FIFO, a socket or a device could wait forever */
        reason = "skipped: not a regular file";
    else if (!(walk->flags & WALK_FOLLOW) && leaves_root(walk, path))
        reason = "skipped: a link out of the directory; pass --follow to read it";
    if (!reason)
        return walk->visit(walk->context, path);
    print_errorf("warning: %s: %s\n", printable(path), reason);
    return true;
}

/* Sorts names in byte order, so that the result does not depend on the file system. */
static bool
walk_directory(const struct walk *walk, const char *directory, unsigned depth)
{
    size_t len = strlen(directory);
    const char *slash = len && directory[len - 1] == '/' ? "" : "/";
    const struct dirent *entry;
    char **names = NULL;
    size_t count = 0;
    DIR *stream;
    int problem;

    if (depth > MOST_DIRECTORIES)
        return cannot_read(directory, "directories nest too deep");
    stream = opendir(directory);
    if (!stream)
        return cannot_read(directory, strerror(errno));
    for (errno = 0; (entry = readdir(stream)); errno = 0)
        if (entry->d_name[0] != '.')
            APPEND(names, count, copy_text(entry->d_name));
    problem = errno;
    closedir(stream);
    if (problem)
        return cannot_read(directory, strerror(problem));
    if (count)
        qsort(names, count, sizeof(*names), compare_texts);
    for (size_t i = 0; i < count; i++)
        if (!walk_entry(walk, formatted("%s%s%s", directory, slash, names[i]), depth))
            return false;
    return true;
}

bool
input_walk(const char *name, unsigned flags, visit_file visit, void *context)
{
    const struct walk walk = {visit, context, name, flags};

    if (strcmp(name, "-") != 0 && type_of(name, true) == S_IFDIR)
        return walk_directory(&walk, name, 0);
    return visit(context, name);
}

bool
source_list_read(struct source_list *list, const char *name, unsigned flags)
{
    return input_walk(name, flags, read_file, list);
}

/* Returns the copy, at its start; NULL after reporting that there is none. */
static FILE *
copy_to_temporary(FILE *file, const char *name)
{
    FILE *copy = tmpfile();
    const char *problem = NULL;
    char bytes[16384];
    size_t left = MOST_COPIED_BYTES;
    size_t got;

    while (copy && !ferror(copy) && !problem && (got = fread(bytes, 1, sizeof(bytes), file)) > 0)
        if (got > left)
            problem = "larger than 1 GiB: write it to a file, which may have any size";
        else
            left -= fwrite(bytes, 1, got, copy);
    if (!problem && ferror(file))
        problem = strerror(errno);
    if (!problem && copy && fflush(copy) == 0 && !ferror(copy)) {
        rewind(copy);
        return copy;
    }
    cannot_read(name, problem ? problem : "cannot be copied to a temporary file");
    if (copy)
        fclose(copy);
    return NULL;
}

FILE *
input_open(const char *name, bool *is_copy)
{
    bool is_stream = strcmp(name, "-") == 0;
    const mode_t type = is_stream ? 0 : type_of(name, true);
    FILE *file = is_stream ? stdin : fopen(name, "rb");
    FILE *copy;

    if (!file || type == S_IFDIR) {
        cannot_read(name, strerror(file ? EISDIR : errno));
        if (file)
            fclose(file);
        return NULL;
    }
    if (type == S_IFREG)
        return file;
    copy = copy_to_temporary(file, is_stream ? "<stdin>" : name);
    *is_copy = copy != NULL;
    if (!is_stream)
        fclose(file);
    return copy;
}

char *
input_title(const char *name)
{
    return copy_text(printable(strcmp(name, "-") == 0 ? "<stdin>" : name));
}
