/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_LISTS_H
#define TESTS_UNIT_LISTS_H

#include <stdio.h>
#include <string.h>

#include "libgang/catalog/catalog.h"
#include "libgang/catalog/job_names.h"

/*
 * In expected texts these words stand for lists that grow with a scheduler or a kind of job, as the
 * library has them.
 */
static const char *const list_words[] = {"@kinds", "@members", "@schedulers", "@types", NULL};

static inline size_t
list_count(const char *word)
{
    return strcmp(word, "@kinds") == 0 ? (size_t)JOB_NAME_COUNT : (size_t)CATALOG_COUNT;
}

static inline struct slice
list_item(const char *word, size_t i)
{
    if (strcmp(word, "@kinds") == 0)
        return job_names[i].kind;
    if (strcmp(word, "@members") == 0)
        return catalog[i]->member.name;
    return strcmp(word, "@types") == 0 ? catalog[i]->type : catalog[i]->name;
}

/* The text with the list for its first such word; valid until the next call. */
static inline const char *
with_list(const char *text, const char *quote, const char *between)
{
    static char out[8192];
    const char *place = NULL;
    size_t word = 0, used;

    for (; list_words[word] && !(place = strstr(text, list_words[word])); word++)
        ;
    if (!place)
        return text;
    used = (size_t)snprintf(out, sizeof(out), "%.*s", (int)(place - text), text);
    for (size_t i = 0; i < list_count(list_words[word]); i++) {
        const struct slice item = list_item(list_words[word], i);

        used += (size_t)snprintf(out + used, sizeof(out) - used, "%s%s%.*s%s", i ? between : "",
                                 quote, SLICE_ARG(item), quote);
    }
    snprintf(out + used, sizeof(out) - used, "%s", place + strlen(list_words[word]));
    return out;
}

#endif
