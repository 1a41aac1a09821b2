/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload_names.h"

#include "libgang/base/integer.h"
#include "libgang/base/report.h"
#include "libgang/base/sha1.h"

/* Go's hash/fnv. */
static const uint32_t workload_fnv_offset = 2166136261u;
static const uint32_t workload_fnv_prime = 16777619u;

/* kubernetes/apimachinery:pkg/util/rand/rand.go alphanums */
static const char workload_alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
static const char workload_hex[] = "0123456789abcdef";

static uint32_t
workload_fnv(const struct slice *texts, size_t count)
{
    uint32_t hash = workload_fnv_offset;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < texts[i].len; k++)
            hash = (hash ^ (unsigned char)texts[i].data[k]) * workload_fnv_prime;
    return hash;
}

struct workload_hash
workload_hash_of(const struct slice *texts, size_t count)
{
    char digits[INTEGER_TEXT_SIZE];
    struct slice decimal = integer_format((int64_t)workload_fnv(texts, count), digits);
    struct workload_hash hash = {.len = decimal.len};

    for (size_t i = 0; i < decimal.len; i++)
        hash.text[i] = workload_alphabet[(unsigned char)decimal.data[i] % (sizeof(workload_alphabet) - 1)];
    return hash;
}

void
workload_digest_of(const struct slice *texts, size_t count, char out[WORKLOAD_DIGEST_SIZE])
{
    unsigned char digest[SHA1_BYTES];
    struct sha1 sha1;

    sha1_begin(&sha1);
    for (size_t i = 0; i < count; i++)
        sha1_add(&sha1, texts[i]);
    sha1_end(&sha1, digest);
    for (int i = 0; i < WORKLOAD_DIGEST_SIZE; i++)
        out[i] = workload_hex[digest[i / 2] >> (i % 2 ? 0 : 4) & 0xf];
}

/* At most `room` bytes of a name that something with a `-` follows. */
static struct slice
workload_cut(struct slice name, size_t room)
{
    if (name.len > room)
        name.len = room;
    while (name.len && name.data[name.len - 1] == '-')
        name.len--;
    return name;
}

static struct slice
workload_hashed_name(const struct workload_naming *naming, struct arena *arena)
{
    struct slice hashed = slice_is_set(naming->uid) ? naming->uid : naming->job;
    struct workload_hash hash = workload_hash_of(&hashed, 1);
    struct slice job = workload_cut(naming->job, WORKLOAD_NAME_MOST - 1 - hash.len);

    return slice_from_text(arena_format(arena, "%.*s-%.*s", SLICE_ARG(job), (int)hash.len, hash.text));
}

struct slice
workload_object_name(const struct workload_naming *naming, struct arena *arena)
{
    return naming->is_hashed ? workload_hashed_name(naming, arena) : naming->job;
}

static struct workload_hash
workload_group_hash(const struct workload_naming *naming, struct slice template_name, struct arena *arena)
{
    const struct slice with_uid[] = {naming->uid, SLICE("/"), template_name};
    struct slice without[2];

    if (slice_is_set(naming->uid))
        return workload_hash_of(with_uid, 3);
    without[0] = workload_object_name(naming, arena);
    without[1] = template_name;
    return workload_hash_of(without, 2);
}

struct slice
workload_pod_group_name(const struct workload_naming *naming, struct slice template_name, struct arena *arena)
{
    struct workload_hash hash = workload_group_hash(naming, template_name, arena);
    size_t taken = 2 + template_name.len + hash.len;
    struct slice job;

    if (taken >= WORKLOAD_NAME_MOST)
        return NO_SLICE;
    job = workload_cut(naming->job, WORKLOAD_NAME_MOST - taken);
    return slice_from_text(arena_format(arena, "%.*s-%.*s-%.*s", SLICE_ARG(job), SLICE_ARG(template_name),
                                        (int)hash.len, hash.text));
}

struct slice
workload_joint_name(const struct workload_naming *naming, struct slice joined_roles, struct arena *arena)
{
    const struct slice path[] = {
        SLICE("ReplicatedJobGroup/"), naming->namespace_, SLICE("/"), naming->job, SLICE("/"), joined_roles};
    struct slice roles = workload_cut(joined_roles, WORKLOAD_NAME_MOST - 1 - WORKLOAD_DIGEST_SIZE);
    char digest[WORKLOAD_DIGEST_SIZE];

    workload_digest_of(path, sizeof(path) / sizeof(path[0]), digest);
    return slice_from_text(arena_format(arena, "%.*s-%.*s", SLICE_ARG(roles), WORKLOAD_DIGEST_SIZE, digest));
}
