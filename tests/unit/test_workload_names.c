/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload_versions.h"

#include "unit/suite.h"

#define UID "11111111-2222-3333-4444-555555555555"

/* The Job controller's own FNV and alphabet, computed with Go's hash/fnv. */
static const struct {
    const char *texts[3];
    const char *hash;
} hashes[] = {
    {{"my-job", "trainer"}, "6797d4c558"},    {{"my-jobtrainer"}, "6797d4c558"},
    {{"my-job", "initializer"}, "dd447fbff"}, {{"my-job", "node"}, "98b88479c"},
    {{UID, "/", "trainer"}, "5db777ff55"},    {{UID, "/", "launcher"}, "dcdc86bb6"},
    {{UID, "/", "initializer"}, "94cd7f78"},  {{UID}, "685dcb5bdf"},
    {{"(types.UID)", UID}, "68d7549f75"},
};

START_TEST(hashes_as_the_job_controller)
{
    struct slice texts[3];
    struct workload_hash hash;
    size_t count = 0;

    while (count < 3 && hashes[_i].texts[count]) {
        texts[count] = slice_from_text(hashes[_i].texts[count]);
        count++;
    }
    hash = workload_hash_of(texts, count);
    ck_slice_eq(((struct slice){hash.text, hash.len}), hashes[_i].hash);
}
END_TEST

/* '0' is 48 and 48 mod 27 is 21, the letter 4; '9' is 57, mod 27 is 3, the letter f. */
START_TEST(encodes_only_with_safe_letters)
{
    for (int i = 0; i < 1000; i++) {
        char text[8];
        struct slice slice = {text, 0};
        struct workload_hash hash;

        for (int rest = i; rest || !slice.len; rest /= 10)
            text[slice.len++] = (char)('0' + rest % 10);
        hash = workload_hash_of(&slice, 1);
        ck_assert_uint_ge(hash.len, 1);
        ck_assert_uint_le(hash.len, WORKLOAD_HASH_SIZE);
        for (size_t k = 0; k < hash.len; k++)
            ck_assert_ptr_nonnull(memchr("456789bcdf", hash.text[k], 10));
    }
}
END_TEST

/* JobSet's names, by coreutils' sha1sum. */
static const struct {
    const char *text;
    const char *digest;
} digests[] = {
    {"JobSet/ml/my-job", "a819fba5d1"},
    {"ReplicatedJob/ml/my-job/node", "f9791c9771"},
    {"ReplicatedJobGroup/ml/my-job/launcher-node", "515625bd32"},
    {"Job/ml/my-job/node/0", "1d1e254abb"},
};

START_TEST(digests_as_jobset)
{
    char out[WORKLOAD_DIGEST_SIZE];

    const struct slice text = slice_from_text(digests[_i].text);

    workload_digest_of(&text, 1, out);
    ck_slice_eq(((struct slice){out, sizeof(out)}), digests[_i].digest);
}
END_TEST

static struct workload_naming
naming_of(const char *job, const char *uid, bool is_hashed)
{
    return (struct workload_naming){
        .namespace_ = SLICE("ml"),
        .job = slice_from_text(job),
        .uid = slice_from_text(uid),
        .is_hashed = is_hashed,
    };
}

static const struct {
    const char *job;
    const char *uid;
    bool is_hashed;
    const char *workload;
    const char *template_name;
    const char *pod_group;
} names[] = {
    {"my-job", UID, false, "my-job", "trainer", "my-job-trainer-5db777ff55"},
    {"my-job", UID, false, "my-job", "initializer", "my-job-initializer-94cd7f78"},
    {"my-job", UID, false, "my-job", "launcher", "my-job-launcher-dcdc86bb6"},
    {"my-job", NULL, false, "my-job", "trainer", "my-job-trainer-6797d4c558"},
    {"my-job", NULL, false, "my-job", "node", "my-job-node-98b88479c"},
    {"my-job", UID, true, "my-job-685dcb5bdf", "trainer", "my-job-trainer-5db777ff55"},
    /* no name of a job, and refused as one, but it has to be read */
    {"--", UID, true, "-685dcb5bdf", "trainer", "-trainer-5db777ff55"},
};

START_TEST(names_workload_and_group)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = naming_of(names[_i].job, names[_i].uid, names[_i].is_hashed);

    ck_slice_eq(workload_object_name(&naming, arena), names[_i].workload);
    ck_slice_eq(workload_pod_group_name(&naming, slice_from_text(names[_i].template_name), arena),
                names[_i].pod_group);
    arena_free(arena);
}
END_TEST

/* A job of 63 characters, template trainer, hash of 10: 44 characters of the job are left. */
START_TEST(cuts_the_job_to_63)
{
    struct arena *arena = arena_new(0);
    char job[64] = {0};
    struct workload_naming naming;
    struct slice name;

    memset(job, 'j', 63);
    naming = naming_of(job, UID, false);
    name = workload_pod_group_name(&naming, SLICE("trainer"), arena);
    ck_assert_uint_eq(name.len, 63);
    ck_assert(slice_has_prefix(name, (struct slice){job, 44}));
    ck_slice_eq(((struct slice){name.data + 44, name.len - 44}), "-trainer-5db777ff55");
    arena_free(arena);
}
END_TEST

/* No name has two dashes where it was cut. */
START_TEST(strips_dashes_at_the_cut)
{
    struct arena *arena = arena_new(0);
    char job[64] = {0};
    struct workload_naming naming;
    struct slice name;

    memset(job, 'j', 63);
    job[42] = job[43] = '-';
    naming = naming_of(job, UID, true);
    name = workload_pod_group_name(&naming, SLICE("trainer"), arena);
    ck_slice_eq(name, "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj-trainer-5db777ff55");
    name = workload_object_name(&naming, arena);
    ck_assert_uint_eq(name.len, 63);
    ck_slice_eq(((struct slice){name.data + 52, 11}), "-685dcb5bdf");
    arena_free(arena);
}
END_TEST

/* With a hash of 9 or 10: a template of 50 leaves a letter of the job at least, one of 52 none. */
static const struct {
    size_t template_len;
    bool has_room;
} budgets[] = {{40, true}, {49, true}, {50, true}, {52, false}, {63, false}};

START_TEST(needs_room_for_the_job)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = naming_of("my-job", UID, false);
    char letters[64];
    struct slice name;

    memset(letters, 't', sizeof(letters));
    name =
        workload_pod_group_name(&naming, (struct slice){letters, budgets[_i].template_len}, arena);
    ck_assert_int_eq(slice_is_set(name), budgets[_i].has_room);
    ck_assert_uint_le(name.len, 63);
    arena_free(arena);
}
END_TEST

START_TEST(joins_roles_as_jobset)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = naming_of("my-job", UID, false);
    char letters[100];
    struct slice name;

    ck_slice_eq(workload_joint_name(&naming, SLICE("launcher-node"), arena),
                "launcher-node-515625bd32");
    memset(letters, 'r', sizeof(letters));
    name = workload_joint_name(&naming, (struct slice){letters, sizeof(letters)}, arena);
    ck_assert_uint_eq(name.len, 63);
    ck_assert_int_eq(name.data[52], '-');
    arena_free(arena);
}
END_TEST

/* Without a namespace that part of the path is empty: sha1("ReplicatedJobGroup//my-job/a-b"). */
START_TEST(joins_roles_without_a_namespace)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = {.job = SLICE("my-job")};

    ck_slice_eq(workload_joint_name(&naming, SLICE("a-b"), arena), "a-b-496d22fd80");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, hashes_as_the_job_controller, hashes, hash, texts[0], texts[1]);
    tcase_add_test(cases, encodes_only_with_safe_letters);
    add_rows(cases, digests_as_jobset, digests, text);
    add_rows(cases, names_workload_and_group, names, job, uid);
    tcase_add_test(cases, cuts_the_job_to_63);
    tcase_add_test(cases, strips_dashes_at_the_cut);
    add_rows(cases, needs_room_for_the_job, budgets, template_len);
    tcase_add_test(cases, joins_roles_as_jobset);
    tcase_add_test(cases, joins_roles_without_a_namespace);
}
