/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the fuzz target once for every file named on the command line, and for every file of a
 * folder named there.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Does nothing: only libFuzzer mutates inputs. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data;
    return size < max_size ? size : max_size;
}

static size_t
replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    uint8_t *data;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
        exit(2);
    /* Exactly as large as the input, so that AddressSanitizer detects a read past its end. */
    data = malloc((size_t)size + (size == 0));
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size)
        exit(2);
    fclose(file);
    /* After a crash, the last name printed is the input that caused it. */
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 1;
}

static size_t
replay(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    size_t count = 0;

    if (!folder)
        return replay_file(path);
    while ((entry = readdir(folder))) {
        char name[4096];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        count += replay(name);
    }
    closedir(folder);
    return count;
}

int
main(int argc, char **argv)
{
    size_t count = 0;

    for (int i = 1; i < argc; i++)
        count += replay(argv[i]);
    printf("%zu inputs\n", count);
    return count == 0;
}
