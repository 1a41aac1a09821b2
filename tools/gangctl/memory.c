/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "tree.h"

void
out_of_memory(void)
{
    fputs("gangctl: out of memory\n", stderr);
    exit(EXIT_COULD_NOT_RUN);
}

/* ---- of the run ---- */

/* What is before each piece of memory: a ring of all of them. */
struct block {
    _Alignas(max_align_t) struct block *next;
    struct block *previous;
};

static struct block blocks = {&blocks, &blocks};

void *
must_reallocate(void *memory, size_t count, size_t size)
{
    struct block *old = memory ? (struct block *)memory - 1 : NULL;
    struct block *block = count > (SIZE_MAX - sizeof(*block)) / size
                              ? NULL
                              : realloc(old, sizeof(*block) + count * size);

    if (!block)
        out_of_memory();
    if (!old)
        *block = (struct block){blocks.next, &blocks};
    block->next->previous = block;
    block->previous->next = block;
    return block + 1;
}

void *
must_grow(void *items, size_t count, size_t size)
{
    /* The array doubles: it is full whenever the count is a power of two, or 0. */
    return count & (count - 1) ? items : must_reallocate(items, count ? 2 * count : 1, size);
}

void *
must_allocate_zeros(size_t count, size_t size)
{
    return memset(must_reallocate(NULL, count, size), 0, count * size);
}

char *
must_copy(const char *data, size_t len)
{
    char *copy = must_reallocate(NULL, len + 1, 1);

    if (len)
        memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

char *
copy_text(const char *text)
{
    return text ? must_copy(text, strlen(text)) : NULL;
}

void
give_back(void *memory)
{
    struct block *block = memory ? (struct block *)memory - 1 : NULL;

    if (!block)
        return;
    block->next->previous = block->previous;
    block->previous->next = block->next;
    free(block);
}

/* ---- of a step ---- */

static struct step *step_now;

void
step_start(struct step *step)
{
    *step = (struct step){.outer = step_now};
    step_now = step;
}

void
step_end(struct step *step)
{
    /* The last first: a plan is of a decision, and that of documents. */
    while (step->count) {
        const struct made *made = &step->made[--step->count];

        gang_plan_unref(made->plan);
        gang_decision_unref(made->decision);
        gang_document_unref(made->document);
        gang_stream_unref(made->stream);
        gang_blob_unref(made->blob);
        gang_context_unref(made->context);
        json_object_put(made->tree);
        sites_free(made->sites);
        give_back(made->text ? made->text->data : NULL);
        give_back(made->text);
    }
    give_back(step->made);
    step_now = step->outer;
}

void
run_end(void)
{
    while (step_now)
        step_end(step_now);
    while (blocks.next != &blocks)
        give_back(blocks.next + 1);
}

void
of_step(struct made made)
{
    struct step *step = step_now;

    step->made = must_grow(step->made, step->count, sizeof(*step->made));
    step->made[step->count++] = made;
}

struct text *
text_new(void)
{
    struct text *text = must_allocate_zeros(1, sizeof(*text));

    of_step((struct made){.text = text});
    return text;
}

char *
formatted(const char *format, ...)
{
    struct text *text = text_new();
    va_list arguments;

    va_start(arguments, format);
    text_addv(text, format, arguments);
    va_end(arguments);
    return text->data;
}

struct gang_context *
must_make_widest_context(uint64_t steps, uint64_t max_documents)
{
    const struct {
        enum gang_limit limit;
        uint64_t value;
    } limits[] = {
        {GANG_LIMIT_DOCUMENT_BYTES, MOST_BYTES_OF_DOCUMENT},
        {GANG_LIMIT_STREAM_BYTES, 67108864},
        {GANG_LIMIT_DEPTH, 128},
        {GANG_LIMIT_NODES, 500000},
        {GANG_LIMIT_ANCHORS, 1024},
        {GANG_LIMIT_ALIASES, 1024},
        {GANG_LIMIT_SCALAR_BYTES, 1048576},
        {GANG_LIMIT_COUNT_VALUE, INT32_MAX},
        {GANG_LIMIT_ROLES, 1024},
        {GANG_LIMIT_CONTAINERS, 1024},
        {GANG_LIMIT_DIAGNOSTICS, 100},
        {GANG_LIMIT_MEMORY_BYTES, 268435456},
        {GANG_LIMIT_OUTPUT_BYTES, 16777216},
        {GANG_LIMIT_LIVE_BYTES, 536870912},
        {GANG_LIMIT_LIVE_OBJECTS, 500000},
        {GANG_LIMIT_LIVE_MEMORY_BYTES, 536870912},
        {GANG_LIMIT_STEPS, steps},
        {GANG_LIMIT_STREAM_DOCUMENTS, max_documents},
    };
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    for (size_t i = 0; config && i < COUNT_OF(limits) - !max_documents; i++)
        if (gang_config_set_limit(config, (int)limits[i].limit, limits[i].value))
            out_of_memory();
    if (!config || gang_context_new(config, &context))
        out_of_memory();
    gang_config_free(config);
    of_step((struct made){.context = context});
    return context;
}
