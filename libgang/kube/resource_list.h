/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_RESOURCE_LIST_H
#define LIBGANG_KUBE_RESOURCE_LIST_H

#include "libgang/document/build.h"
#include "libgang/kube/quantity.h"

struct resource {
    struct slice name;
    struct quantity quantity;
};

/* Amounts by resource name, sorted by name in byte order. Names and texts are borrowed. */
struct resource_list {
    struct resource *items;
    size_t count;
    size_t capacity;
};

const struct quantity *resource_list_get(const struct resource_list *list, struct slice name);
void resource_list_set(struct resource_list *list, struct arena *arena, struct slice name,
                       struct quantity quantity);
/*
 * Adds to the amount of this name, or to zero if the list does not have the name. False on
 * overflow, and the amount is then unchanged.
 */
bool resource_list_add_amount(struct resource_list *list, struct arena *arena, struct slice name,
                              const struct quantity *amount);
struct resource_list resource_list_copy(struct arena *arena, const struct resource_list *source);
/* Returns a new list: the amounts of `first`, and those of `second` that `first` does not have. */
struct resource_list resource_list_union(struct arena *arena, const struct resource_list *first,
                                         const struct resource_list *second);

/*
 * Adds the amounts by name; names that only `other` has are copied. False on overflow: the list may
 * then be partly changed.
 */
bool resource_list_add(struct resource_list *list, struct arena *arena,
                       const struct resource_list *other);
/* Keeps the larger amount by name. If both are equal, keeps the text of `list`. */
void resource_list_maximum(struct resource_list *list, struct arena *arena,
                           const struct resource_list *other);
bool resource_list_multiply(struct resource_list *list, int64_t factor);

/* Adds every amount of `from` that `list` does not have: a missing request takes the limit. */
void resource_list_fill(struct resource_list *list, struct arena *arena,
                        const struct resource_list *from);

/* Removes the kept texts, so that every amount prints in canonical form. */
void resource_list_forget_texts(struct resource_list *list);

/* For messages: "cpu 500m, memory 1Gi"; long lists are cut; "nothing" if empty. */
const char *resource_list_in_words(const struct resource_list *list, struct arena *arena);

/* Writes the list as a map of strings. */
void resource_list_build(const struct resource_list *list, struct builder *map);

#endif
