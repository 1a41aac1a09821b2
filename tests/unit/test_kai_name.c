/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/aggregate.h"

#include "unit/suite.h"

/*
 * The first four were seen with the upstream function, the others follow from its rule with the
 * hash of coreutils' sha256sum.
 */
static const struct {
    const char *name;
    const char *stable;
} names[] = {
    {"job.v1-0", "job-v1-0-5b01e80703"},
    {"Job-0", "job-0-11670a19b2"},
    {"a--b", "a-b-90827a2e56"},
    {"___", "kai-bda251550b"},
    {"job-0", "job-0"},
    {"0", "0"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-ffe054fe7a"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbbbbbb",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-c6901826cb"},
    {"a{b", "a-b-acef99516b"},
    {"a:b", "a-b-6783a31eab"},
    {"-a", "a-c274891790"},
    {"a-", "a-9baf440720"},
    {"a.", "a-5ab640fad5"},
    {"", "kai-e3b0c44298"},
    {"\xc3\xa4"
     "b",
     "b-72d5766a14"},
};

START_TEST(names_are_stable)
{
    struct arena *arena = arena_new(0);

    ck_slice_eq(aggregate_stable_name(slice_from_text(names[_i].name), arena), names[_i].stable);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, names_are_stable, names, name);
}
